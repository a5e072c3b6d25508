import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { deletePolicy } from '#store/contacts/escalation-policies.ts'
import { findSlo } from '#store/objectives/slos.ts'
import { burningSlo, minuteMs } from '../../test/support/burning-slo.ts'
import { dyingDatabase } from '../../test/support/dying-database.ts'
import { planMaintenance } from '../../test/support/maintenance.ts'

describe('the alarm of an objective with a policy', async () => {
  const bench = await burningSlo()
  const {
    ids,
    clock,
    ann,
    bob,
    eve,
    see,
    look,
    lookTogether,
    burnFor,
    recover,
    addPolicy,
    addSlo,
    escalate,
    acknowledge,
    told,
    alarm,
    wait,
  } = bench
  const { api } = bench
  const { database, workspaceId } = api

  beforeEach(bench.reset)

  it('takes no more steps once a person acknowledges it, and its end is told', async () => {
    await escalate([
      [0, ann],
      [10, bob],
    ])
    assert.equal(await acknowledge(), false)
    await burnFor(0)
    assert.deepEqual([await acknowledge(), await acknowledge()], [true, false])
    assert.deepEqual((await alarm())?.acknowledged, { at: new Date(clock.nowMs), by: 'Ann' })
    await burnFor(20)
    assert.deepEqual([await told(), await wait()], [['Ann burning'], null])
    await recover()
    assert.deepEqual(await told(), ['Ann burning', 'Ann recovered'])
    await burnFor(30)
    assert.deepEqual([(await alarm())?.acknowledged, await wait()], [null, 10])
  })

  it('begins no steps anew where the budget is used up after a person has acknowledged', async () => {
    await escalate([
      [0, ann],
      [10, bob],
    ])
    await burnFor(0)
    await acknowledge()
    clock.nowMs += 20 * minuteMs
    await see([[clock.nowMs - 50 * minuteMs, clock.nowMs]])
    await look()
    assert.deepEqual([await told(), await wait()], [['Ann burning', 'Ann used_up'], null])
    assert.equal((await alarm())?.acknowledged?.by, 'Ann')
  })

  it('is acknowledged without a policy as well: what quiet hours hold is dropped, and its end is not told there', async () => {
    await addSlo({ escalation_policy_id: null, alert_channel_ids: [ann, bob] })
    await burnFor(0)
    await database.pool.query(
      `update deliveries set held_until = now() + interval '1 hour' where alert_channel_id = $1`,
      [bob],
    )
    assert.equal(await acknowledge(), true)
    await recover()
    assert.deepEqual(await told(), ['Ann burning', 'Ann recovered'])
  })

  it('takes no more steps of a policy that is deleted, and its end is told to those who know', async () => {
    await escalate([
      [0, ann],
      [10, bob],
    ])
    await burnFor(0)
    await database.transaction((tx) => deletePolicy(tx, { workspaceId, id: ids.policy }))
    await burnFor(20)
    assert.deepEqual([await told(), await wait()], [['Ann burning'], null])
    await recover()
    assert.deepEqual(await told(), ['Ann burning', 'Ann recovered'])
    assert.equal((await findSlo(database, { workspaceId, id: ids.slo }))?.escalation_policy_id, null)
  })

  it('is told to all with the next look where the policy is deleted before it told anybody', async () => {
    await escalate([
      [30, ann],
      [30, bob],
    ])
    await burnFor(0)
    await database.transaction((tx) => deletePolicy(tx, { workspaceId, id: ids.policy }))
    await burnFor(1)
    await burnFor(60)
    assert.deepEqual([await told(), await wait()], [['Ann burning', 'Bob burning', 'Eve burning'], null])
  })

  it('goes on with the policy with which it began', async () => {
    await escalate([
      [0, ann],
      [10, bob],
    ])
    const other = await addPolicy([[0, eve]])
    await burnFor(0)
    await api.request('PATCH', `/slos/${ids.slo}`, { body: { escalation_policy_id: other } })
    await burnFor(10)
    assert.deepEqual(await told(), ['Ann burning', 'Bob burning'])
    await recover()
    await burnFor(30)
    assert.deepEqual((await told()).slice(4), ['Eve burning'])
  })

  it('takes no step while nothing is measured, and goes on after that', async () => {
    await escalate([
      [0, ann],
      [10, bob],
    ])
    await burnFor(0)
    clock.nowMs += 20 * minuteMs
    const during = { startsAt: new Date(clock.nowMs - 15 * minuteMs), endsAt: new Date(clock.nowMs + 30 * minuteMs) }
    await planMaintenance(database, { workspaceId, occurrences: [during] })
    await burnFor(0)
    assert.deepEqual([await told(), await wait()], [['Ann burning'], -10])
    await database.pool.query('delete from maintenance_windows')
    await burnFor(1)
    assert.deepEqual(await told(), ['Ann burning', 'Bob burning'])
  })

  it('takes no step while the alerts of the objective are switched off', async () => {
    await escalate([
      [0, ann],
      [10, bob],
    ])
    await burnFor(0)
    await api.request('PATCH', `/slos/${ids.slo}`, { body: { alerts: false } })
    await burnFor(20)
    assert.deepEqual(await told(), ['Ann burning'])
    await recover()
    assert.deepEqual(await told(), ['Ann burning', 'Ann recovered'])
  })

  it('takes each step once, wherever a process is killed', async () => {
    await escalate([
      [0, ann],
      [10, bob],
    ])
    for (const [after, expected] of [
      [0, ['Ann burning']],
      [10, ['Ann burning', 'Bob burning']],
    ] as const) {
      clock.nowMs += after * minuteMs
      await see([[clock.nowMs - 4 * minuteMs, clock.nowMs]])
      const before = await told()
      for (let diesAt = 1; ; diesAt += 1) {
        assert.ok(diesAt < 30)
        await database.pool.query('update slos set checked_at = null')
        const isThrough = await look(dyingDatabase(database, diesAt)).then(
          () => true,
          () => false,
        )
        if (isThrough) break
        assert.deepEqual(await told(), before)
      }
      await look()
      assert.deepEqual(await told(), expected)
    }
    assert.equal(await wait(), null)
  })

  it('takes each step once, however many processes look at the same time', async () => {
    await escalate([
      [0, ann],
      [10, bob],
      [10, eve],
    ])
    await see([[clock.nowMs - 4 * minuteMs, clock.nowMs]])
    await lookTogether()
    assert.deepEqual(await told(), ['Ann burning'])
    clock.nowMs += 10 * minuteMs
    await see([[clock.nowMs - 4 * minuteMs, clock.nowMs]])
    await lookTogether()
    assert.deepEqual([await told(), await wait()], [['Ann burning', 'Bob burning'], 10])
  })
})
