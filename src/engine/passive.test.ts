import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addContact,
  type EngineBench,
  engineBench,
  failing,
  incidentsOf,
  only,
  standingOf,
} from '../../test/support/engine.ts'
import { aheadOf, createHeartbeat, passDeadline, statusIs } from '../../test/support/heartbeat.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { z } from 'zod'
import { until } from '../../test/support/until.ts'
import { noteCallIntake } from '#store/monitors/calls.ts'

async function setDeadline({ database }: EngineBench, id: string, seconds: number): Promise<void> {
  await database.pool.query(
    `update monitor_state set deadline_at = now() + make_interval(secs => $2)
    where monitor_key = (select key from monitors where id = $1)`,
    [id, seconds],
  )
}

/** Makes the last note that a process takes calls this old. */
async function silence({ database }: EngineBench, seconds: number): Promise<void> {
  await database.pool.query('update intakes set seen_at = now() - make_interval(secs => $1)', [seconds])
}

function sayCallsAreTaken({ database }: EngineBench, isFirst = false): Promise<number | null> {
  return noteCallIntake(database, { name: 'here', isFirst: () => isFirst, sinceLastSeconds: () => null })
}

describe('a heartbeat', { concurrency: 4 }, () => {
  it('is pending until the first call, which is stored before it is answered', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench)
    assert.equal((await standingOf(bench.database, id)).current_status, 'pending')
    const answer = await call()
    assert.deepEqual([answer.status, await answer.text()], [200, 'OK'])
    const standing = await standingOf(bench.database, id)
    assert.deepEqual([standing.current_status, standing.stored, standing.checks], ['up', 1, 1])
    for (const method of ['HEAD', 'POST']) assert.equal((await call('', { method })).status, 200)
    assert.equal((await standingOf(bench.database, id)).stored, 3)
  })

  it('goes down at once when a run reports a failure, whatever the threshold, and alerts', async () => {
    const bench = await engineBench()
    await addContact(bench.database, bench.api.workspaceId)
    const { id, call } = await createHeartbeat(bench, { failure_threshold: 5 })
    await call()
    assert.equal((await call('/fail', { method: 'POST', body: 'disk full' })).status, 200)
    await statusIs(bench, id, 'down')
    assert.equal((await call('/fail')).status, 200)
    const incident = only(await incidentsOf(bench.database, id))
    assert.equal(incident.cause, 'The run reported a failure')
    await call('/0')
    await statusIs(bench, id, 'up')
    assert.equal((await call('/3')).status, 200)
    await until('a second incident', async () => (await incidentsOf(bench.database, id)).length === 2)
    const deliveries = await bench.database.query.selectFrom('deliveries').selectAll().execute()
    assert.equal(deliveries.length, 3)
  })

  it('fails a round when the deadline passes, and again one interval later', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench, { failure_threshold: 2, heartbeat_grace_seconds: 30 })
    await call()
    await passDeadline(bench, id, 61)
    await until('two misses', async () => (await standingOf(bench.database, id)).consecutive_failures === 2)
    const incident = only(await incidentsOf(bench.database, id))
    assert.equal(incident.cause, 'No call came within 90 seconds')
    await call()
    await statusIs(bench, id, 'up')
    const standing = await standingOf(bench.database, id)
    assert.deepEqual([standing.checks, standing.down, standing.stored], [4, 2, 4])
  })

  describe('while no process takes calls', () => {
    it('a deadline that passes is not missed, but put off by that time and one grace', async () => {
      const bench = await engineBench()
      let looks = 0
      bench.bus.hasHeard = async () => {
        looks += 1
        return true
      }
      const { id, call } = await createHeartbeat(bench, { heartbeat_grace_seconds: 45 })
      await sayCallsAreTaken(bench)
      await call()
      await silence(bench, 100)
      await passDeadline(bench, id)
      await until('the engine has looked, and looked again', () => looks >= 2)
      assert.equal((await standingOf(bench.database, id)).stored, 1)
      const gap = await sayCallsAreTaken(bench)
      assert.ok(gap !== null && gap >= 100 && gap < 110)
      const ahead = await aheadOf(bench, id)
      assert.ok(ahead > 135 && ahead < 145 + 1, `the deadline is ${ahead} s ahead`)
      assert.equal(await sayCallsAreTaken(bench), null)
      // The deadline is missed when that time has passed too, for calls are taken now.
      await sayCallsAreTaken(bench)
      await passDeadline(bench, id, 5)
      await statusIs(bench, id, 'down')
    })

    for (const [what, before, gap, isFirst, after] of [
      ['one that passed keeps its place after the others', -10, 100, false, 135],
      ['one that is near is put off as well', 20, 100, false, 145],
      ['one that is far is left alone', 500, 100, false, 500],
      ['one that had passed before is missed', -200, 100, false, -200],
      ['a short silence is none', -1, 2, false, -1],
      ['but for a process that begins it is one', -1, 2, true, 46],
    ] as const)
      it(`of deadlines ${what}`, async () => {
        const bench = await engineBench()
        const { id } = await createHeartbeat(bench, { heartbeat_grace_seconds: 45 })
        await sayCallsAreTaken(bench)
        await silence(bench, gap)
        await setDeadline(bench, id, before)
        await sayCallsAreTaken(bench, isFirst)
        const ahead = await aheadOf(bench, id)
        assert.ok(Math.abs(ahead - after) < 3, `${ahead} s ahead instead of ${after}`)
      })

    it('restarts without end put no deadline off for ever', async () => {
      const bench = await engineBench()
      const { id } = await createHeartbeat(bench, { heartbeat_grace_seconds: 45 })
      await sayCallsAreTaken(bench)
      await setDeadline(bench, id, 10)
      for (let start = 0; start < 20; start += 1) {
        await silence(bench, 5)
        await sayCallsAreTaken(bench, true)
      }
      const ahead = await aheadOf(bench, id)
      assert.ok(ahead < 51, `the deadline is ${ahead} s ahead`)
    })
  })

  it('measures a run from its start, and forgets calls while it is paused', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench)
    assert.equal((await call('/start')).status, 200)
    assert.equal((await standingOf(bench.database, id)).stored, 0)
    await call()
    const [result] = (await bench.database.pool.query<{ latency_ms: number | null }>('select latency_ms from results'))
      .rows
    assert.ok(result?.latency_ms !== null && result !== undefined)
    await bench.api.post(`/monitors/${id}/pause`)
    assert.equal((await call()).status, 200)
    assert.equal((await standingOf(bench.database, id)).stored, 1)
  })

  it('does not forget the start of the next run with the end of this one', async () => {
    const held: (() => void)[] = []
    const bench = await engineBench()
    const { publishResults } = bench.api.services
    bench.api.services.publishResults = async (location, results) => {
      await publishResults(location, results)
      await new Promise<void>((resolve) => held.push(resolve))
    }
    const { id, call } = await createHeartbeat(bench)
    await call('/start')
    const ending = call()
    await until('the end of the run is stored', async () => held.length === 1)
    await call('/start')
    held[0]?.()
    assert.equal((await ending).status, 200)
    const { rows } = await bench.database.pool.query<{ is_running: boolean }>(
      `select call_started_at is not null as is_running
      from monitor_state s
      join monitors m on m.key = s.monitor_key
      where m.id = $1`,
      [id],
    )
    assert.deepEqual(rows, [{ is_running: true }])
  })

  it('takes a whole log with a failure and keeps its beginning, but nothing beyond 1 MB, and nothing from strangers', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench)
    assert.equal((await call('/fail', { method: 'POST', body: 'disk full '.repeat(20_000) })).status, 200)
    await statusIs(bench, id, 'down')
    const { rows } = await bench.database.pool.query<{ note: string }>(`select details ->> 'note' as note from results`)
    assert.deepEqual(
      rows.map(({ note }) => note),
      ['disk full '.repeat(50)],
    )
    const tooLarge = { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) }
    assert.equal((await call('/fail', tooLarge)).status, 413)
    // A body that comes to no address is not read, however large it is.
    const stranger = await bench.api.app.request('http://perigee.test/ping/nobody', tooLarge, { address: '192.0.2.9' })
    assert.equal(stranger.status, 404)
  })

  it('is found by its address alone: anything else is 404, too many calls are 429, and an engine that is away 503', async () => {
    const bench = await engineBench({ services: { publishResults: () => Promise.reject(new Error('away')) } })
    const { call } = await createHeartbeat(bench)
    const nobody = await bench.api.app.request('http://perigee.test/ping/nobody', {}, { address: '192.0.2.9' })
    assert.equal(nobody.status, 404)
    assert.equal((await call('/nonsense')).status, 404)
    assert.equal((await call()).status, 503)
    let last = 0
    for (let calls = 0; calls < 61 && last !== 429; calls += 1) last = (await call('/start')).status
    assert.equal(last, 429)
  })

  it('counts each of many calls at once, exactly once', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench)
    const answers = await Promise.all(Array.from({ length: 50 }, () => call()))
    assert.ok(answers.every(({ status }) => status === 200))
    const standing = await standingOf(bench.database, id)
    assert.deepEqual([standing.stored, standing.checks, standing.current_status], [50, 50, 'up'])
  })
})

describe('a webhook', () => {
  it('takes the verdict that the body of a call carries', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench, { kind: 'webhook', check_options: {} })
    const say = (status: string): Promise<Response> => call('', { method: 'POST', body: JSON.stringify({ status }) })
    await say('degraded')
    await statusIs(bench, id, 'degraded')
    await say('down')
    await statusIs(bench, id, 'down')
    await say('up')
    await statusIs(bench, id, 'up')
    assert.equal(only(await incidentsOf(bench.database, id)).cause, 'The call said down')
  })
})

describe('a group', { concurrency: 4 }, () => {
  it('follows its members, at once when one of them turns', async () => {
    const bench = await engineBench()
    const member = { interval_seconds: 10, locations: ['amsterdam'], recovery_threshold: 1 }
    const first = await createMonitor(bench.api, member)
    const second = await createMonitor(bench.api, member)
    const group = await createMonitor(bench.api, {
      name: 'Shop and shelves',
      kind: 'group',
      interval_seconds: 86_400,
      check_options: { member_ids: [first.id, second.id], group_policy: 'all' },
    })
    for (const { id } of [first, second]) {
      const [told] = await bench.taken(id, ['amsterdam'])
      assert.ok(told !== undefined)
      await bench.answer(told, {})
    }
    await statusIs(bench, group.id, 'up')
    const [told] = await bench.taken(first.id, ['amsterdam'])
    assert.ok(told !== undefined)
    await bench.answer(told, failing)
    await statusIs(bench, group.id, 'down')
    assert.equal(only(await incidentsOf(bench.database, group.id)).cause, '1 of 2 members is down')
  })

  it('has only monitors of its workspace, no groups, not itself, and none twice', async () => {
    const bench = await engineBench()
    const member = await createMonitor(bench.api)
    const other = await bench.api.addWorkspace()
    const stranger = await createMonitor(bench.api, {}, other.token)
    const make = (memberIds: unknown): Promise<{ status: number; text: string }> =>
      bench.api.post('/monitors', { name: 'G', kind: 'group', check_options: { member_ids: memberIds } })
    const group = await make([member.id])
    assert.equal(group.status, 201, group.text)
    const groupId = z.object({ data: z.object({ id: z.string() }) }).parse(JSON.parse(group.text)).data.id
    for (const members of [
      [],
      [stranger.id],
      [groupId],
      [member.id, member.id],
      ['nonsense'],
      Array.from({ length: 101 }, () => crypto.randomUUID()),
    ]) {
      const answer = await make(members)
      assert.equal(answer.status, 422, JSON.stringify(members))
      assert.match(answer.text, /check_options\.member_ids/)
    }
    const itself = await bench.api.request('PATCH', `/monitors/${groupId}`, {
      body: { name: 'G', check_options: { member_ids: [groupId] } },
    })
    assert.equal(itself.status, 422)
  })
})
