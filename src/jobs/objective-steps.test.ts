import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { dayMs } from '#core/language/utc-day.ts'
import { deleteContact } from '#store/contacts/contacts.ts'
import { insertPolicy } from '#store/contacts/escalation-policies.ts'
import { insertSchedule, setParticipants } from '#store/contacts/on-call-schedules.ts'
import { burningSlo, minuteMs, startMs } from '../../test/support/burning-slo.ts'

describe('the steps of an objective', async () => {
  const bench = await burningSlo()
  const {
    ids,
    clock,
    ann,
    bob,
    eve,
    see,
    look,
    burnFor,
    recover,
    addPolicy,
    addSlo,
    escalate,
    set,
    rules,
    deliver,
    told,
    alarm,
    wait,
  } = bench
  const { database, workspaceId } = bench.api

  beforeEach(bench.reset)

  it('tell one after the other, the first of them with the alarm, and its end those that were told', async () => {
    await escalate([
      [0, ann],
      [10, bob],
      [5, eve],
    ])
    await burnFor(0)
    assert.deepEqual([await told(), await wait()], [['Ann burning'], 10])
    await burnFor(9)
    assert.deepEqual(await told(), ['Ann burning'])
    await burnFor(1)
    assert.deepEqual([await told(), await wait()], [['Ann burning', 'Bob burning'], 5])
    await recover()
    assert.deepEqual(await told(), ['Ann burning', 'Bob burning', 'Ann recovered', 'Bob recovered'])
    assert.equal(await alarm(), null)
    await burnFor(30)
    assert.deepEqual([(await told()).slice(4), await wait()], [['Ann burning'], 10])
  })

  it('wait before the first, and tell at once whom the objective names', async () => {
    await escalate([[5, ann]], { alert_channel_ids: [eve] })
    await burnFor(0)
    assert.deepEqual([await told(), await wait()], [['Eve burning'], 5])
    await burnFor(5)
    assert.deepEqual([await told(), await wait()], [['Eve burning', 'Ann burning'], null])
  })

  it('are none where the objective names no policy, also where the workspace has a default one', async () => {
    await addPolicy([[0, ann]], { isDefault: true })
    await addSlo({ escalation_policy_id: null })
    await burnFor(0)
    assert.deepEqual([await told(), await wait()], [['Ann burning', 'Bob burning', 'Eve burning'], null])
  })

  it('begin anew as often as they should, and tell whom they told again', async () => {
    await escalate([[2, ann]], { repeats: 1 })
    await burnFor(0)
    await burnFor(2)
    await deliver()
    await burnFor(2)
    assert.deepEqual([await told(), await wait()], [['Ann burning', 'Ann burning'], null])
  })

  it('tell whom they told, and nobody else, that the budget is used up', async () => {
    await escalate([
      [0, ann],
      [30, bob],
    ])
    await burnFor(0)
    clock.nowMs += minuteMs
    await see([[clock.nowMs - 50 * minuteMs, clock.nowMs]])
    await look()
    assert.deepEqual([await told(), await wait()], [['Ann burning', 'Ann used_up'], 29])
    clock.nowMs += 29 * minuteMs
    await see([[clock.nowMs - 50 * minuteMs, clock.nowMs]])
    await look()
    assert.deepEqual(await told(), ['Ann burning', 'Ann used_up', 'Bob used_up'])
  })

  for (const [name, prepare] of [
    ['off', () => set(ann, 'enabled = false')],
    ['unconfirmed', () => set(ann, 'confirmed = false')],
    ['quiet', () => rules(ann, { quiet_hours: alwaysQuiet() })],
    ['not to be told of objectives', () => rules(ann, { events: ['down'] })],
    ['deleted', () => database.transaction((tx) => deleteContact(tx, { workspaceId, id: ann }))],
  ] as const)
    it(`go on at once where a contact is ${name}`, async () => {
      await escalate([
        [0, ann],
        [30, bob],
        [30, eve],
      ])
      await prepare()
      await burnFor(0)
      assert.deepEqual([await told(), await wait()], [['Bob burning'], 30])
    })

  it('go on at once where a contact fails, which is tried all the same', async () => {
    await escalate([
      [0, ann],
      [30, bob],
    ])
    await set(ann, 'failing_since = now()')
    await burnFor(0)
    assert.deepEqual(await told(), ['Ann burning', 'Bob burning'])
  })

  it('leave the alarm to all contacts that want it where they reach none', async () => {
    await escalate([[0, ann]], { repeats: 3 })
    await set(ann, 'enabled = false')
    await rules(eve, { events: ['down'] })
    await burnFor(0)
    assert.deepEqual([await told(), await wait()], [['Bob burning'], null])
  })

  it('tell the contact that is on call, and go on at once where nobody is', async () => {
    const [night, empty] = await database.transaction(async (tx) => {
      const made: string[] = []
      for (const participants of [[bob], []]) {
        const settings = { name: 'Night', timeZone: 'UTC', layers: [layerOf(participants)] }
        const id = await insertSchedule(tx, { workspaceId, settings, now: new Date() })
        await setParticipants(tx, { id, workspaceId, layers: settings.layers })
        made.push(id)
      }
      return made
    })
    ids.policy = randomUUID()
    const steps = [empty ?? '', night ?? ''].map((id) => ({ after_minutes: 0, contact_ids: [], schedule_ids: [id] }))
    const policy = { id: ids.policy, workspaceId, name: 'Ops', steps, repeats: 0, is_default: false, tags: [] }
    await database.transaction((tx) => insertPolicy(tx, policy))
    await addSlo()
    await burnFor(0)
    assert.deepEqual(await told(), ['Bob burning'])
  })
})

function layerOf(participants: string[]) {
  return {
    name: null,
    participants,
    rotation: { every: 1, unit: 'weeks' as const },
    hand_over: '00:00',
    weekday: null,
    start_date: '2026-01-01',
    restrictions: [],
  }
}

/** Always but for one minute, twelve hours from now. */
function alwaysQuiet(): { time_zone: string; from: string; to: string } {
  return { time_zone: 'UTC', from: timeOf(startMs + dayMs / 2 + minuteMs), to: timeOf(startMs + dayMs / 2) }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16)
}
