import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { partitionOf } from '#core/monitors/schedule.ts'
import {
  addContact,
  degraded,
  engineBench,
  failing,
  incidentsOf,
  locations,
  only,
  standingOf,
  type EngineBench,
  verdictOf,
} from '../../test/support/engine.ts'
import { addResults, createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

const often = { interval_seconds: 10, recovery_threshold: 1 }

function ago(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000)
}

/** An engine whose clock the test sets, and whose database fails to take the jump so often. */
async function jumpingBench(failures: number) {
  let setMs = 0
  let attempts = 0
  const bench = await engineBench({
    engineNow: () => Date.now() + setMs,
    onClockJump: async () => {
      attempts += 1
      if (attempts <= failures) throw new Error('no database')
    },
  })
  return { bench, attempts: () => attempts, jump: (ms: number) => void (setMs += ms) }
}

async function statusIs(bench: EngineBench, monitorId: string, status: string): Promise<void> {
  await until(`status ${status}`, async () => (await standingOf(bench.database, monitorId)).current_status === status)
}

describe('the engine, with probers played by the test', { concurrency: 4 }, () => {
  it('opens one incident when enough locations agree, alerts once, and resolves it when checks succeed again', async () => {
    const bench = await engineBench()
    await addContact(bench.database, bench.api.workspaceId)
    const { id } = await createMonitor(bench.api, { ...often, locations, confirmation_threshold: 2 })
    const first = await bench.taken(id, locations)
    assert.equal(new Set(first.map(({ round }) => round)).size, 1, 'one round asks every location')
    const [a, b, c] = first
    assert.ok(a !== undefined && b !== undefined && c !== undefined)
    await bench.answer(a, failing)
    assert.equal((await standingOf(bench.database, id)).current_status, 'pending', 'one failure of three is not enough')
    await bench.answer(b, failing)
    await statusIs(bench, id, 'down')
    await bench.answer(c, {})
    const down = await standingOf(bench.database, id)
    assert.deepEqual([down.stored, down.checks, down.down, down.consecutive_failures], [3, 3, 2, 1])
    const incident = only(await incidentsOf(bench.database, id))
    assert.deepEqual([incident.status, incident.cause, incident.id], ['open', 'HTTP status 500', down.incident_id])
    for (const told of await bench.taken(id, locations)) await bench.answer(told, {})
    await statusIs(bench, id, 'up')
    const resolved = only(await incidentsOf(bench.database, id))
    assert.equal(resolved.status, 'resolved')
    assert.ok((resolved.resolved_at?.getTime() ?? 0) > resolved.started_at.getTime())
    const deliveries = await bench.database.query.selectFrom('deliveries').selectAll().orderBy('created_at').execute()
    assert.equal(deliveries.length, 2)
    assert.equal(deliveries[1]?.after_id, deliveries[0]?.id, 'the recovery waits for the down alert')
    const problem = only(await bench.database.query.selectFrom('problems').selectAll().execute())
    assert.deepEqual(
      [problem.status, problem.locations, problem.incident_id],
      ['down', ['amsterdam', 'boston'], incident.id],
    )
    assert.deepEqual(problem.ended_at, resolved.resolved_at)
  })

  it('counts a result that is sent again only once, and one that comes after its round closed without folding it', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { ...often, locations: ['amsterdam', 'boston'] })
    const [a, b] = await bench.taken(id, ['amsterdam', 'boston'])
    assert.ok(a !== undefined && b !== undefined)
    await bench.answer(a, failing)
    await statusIs(bench, id, 'down')
    await Promise.all([bench.answer(a, failing), bench.answer(a, failing)])
    await bench.answer(b, {})
    await bench.answer(b, {})
    const standing = await standingOf(bench.database, id)
    assert.deepEqual([standing.stored, standing.checks, standing.down], [2, 2, 1])
    assert.equal(bench.counts.stored, 2)
    assert.equal(standing.current_status, 'down', 'the late success changes nothing')
    assert.equal((await incidentsOf(bench.database, id)).length, 1)
  })

  it('stores and counts thousands of results that wait at once, whatever their partitions', async () => {
    const bench = await engineBench()
    const names = ['one', 'two', 'three', 'four', 'five', 'six']
    const monitors = await Promise.all(names.map((name) => createMonitor(bench.api, { name })))
    const partitions = new Set(monitors.map(({ id }) => partitionOf(id)))
    assert.ok(partitions.size > 1, 'six monitors in one partition are as good as impossible')
    const firstRound = ago(600).getTime() * 1000
    const rounds = Array.from({ length: 500 }, (_, index) => firstRound + index)
    const location = 'amsterdam'
    const verdict = verdictOf({})
    const results = rounds.flatMap((round) =>
      monitors.map(({ id: monitorId }) => ({ monitorId, version: 1, round, location, verdict })),
    )
    await bench.bus.publishResults(location, results)
    assert.equal(bench.counts.stored, rounds.length * monitors.length)
    for (const { id } of monitors) {
      const { stored, checks } = await standingOf(bench.database, id)
      assert.deepEqual([stored, checks], [rounds.length, rounds.length])
    }
  })

  it('calls a monitor degraded when some locations fail but too few, without an incident', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { ...often, locations, confirmation_threshold: 3 })
    const [a, b, c] = await bench.taken(id, locations)
    assert.ok(a !== undefined && b !== undefined && c !== undefined)
    await Promise.all([bench.answer(a, failing), bench.answer(b, degraded), bench.answer(c, {})])
    await statusIs(bench, id, 'degraded')
    assert.deepEqual(await incidentsOf(bench.database, id), [])
    for (const told of await bench.taken(id, locations)) await bench.answer(told, {})
    await statusIs(bench, id, 'up')
    const problem = only(await bench.database.query.selectFrom('problems').selectAll().execute())
    assert.deepEqual([problem.status, problem.locations], ['degraded', ['amsterdam', 'boston']])
    assert.notEqual(problem.ended_at, null)
  })

  it('asks only locations that are online, and leaves a round that no location can tell about out of every streak', async () => {
    const bench = await engineBench({ online: ['boston'] })
    const { id } = await createMonitor(bench.api, { ...often, locations, confirmation_threshold: 3 })
    const [told] = await bench.taken(id, ['boston'])
    assert.ok(told !== undefined)
    await bench.answer(told, null)
    assert.equal((await standingOf(bench.database, id)).current_status, 'pending')
    const [next] = await bench.taken(id, ['boston'])
    assert.ok(next !== undefined)
    await bench.answer(next, failing)
    await statusIs(bench, id, 'down')
    assert.deepEqual(new Set(bench.assignments.map(({ location }) => location)), new Set(['boston']))
    assert.equal((await standingOf(bench.database, id)).stored, 1, 'what tells nothing is not stored')
  })

  it('neither ends an incident nor opens one with a round in which too few failed and no location saw it work', async () => {
    const bench = await engineBench()
    const input = { ...often, locations, confirmation_threshold: 2, recovery_threshold: 1 }
    const { id } = await createMonitor(bench.api, input)
    const round = async (...verdicts: Parameters<typeof bench.answer>[1][]): Promise<void> => {
      const told = await bench.taken(id, locations)
      await Promise.all(told.map((each, index) => bench.answer(each, verdicts[index] ?? null)))
    }
    await round(failing, null, null)
    const { current_status: undecided, last_checked_at: checkedAt } = await standingOf(bench.database, id)
    assert.equal(undecided, 'pending')
    assert.ok(checkedAt !== null, 'it was checked all the same')
    await round(failing, failing, null)
    await statusIs(bench, id, 'down')
    await round(null, failing, null)
    assert.equal((await standingOf(bench.database, id)).current_status, 'down')
    assert.equal(only(await incidentsOf(bench.database, id)).status, 'open')
    await round({}, failing, null)
    await statusIs(bench, id, 'degraded')
    assert.equal(only(await incidentsOf(bench.database, id)).status, 'resolved')
  })

  it('checks at once after create, resume and a new target, and folds nothing of the version before', async () => {
    const bench = await engineBench()
    const slow = { interval_seconds: 86_400, locations: ['amsterdam'], failure_threshold: 1 }
    const { id } = await createMonitor(bench.api, slow)
    const [old] = await bench.taken(id, ['amsterdam'])
    assert.ok(old !== undefined)
    await bench.api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', url: 'https://example.org' } })
    const [fresh] = await bench.taken(id, ['amsterdam'])
    assert.ok(fresh !== undefined && fresh.version > old.version)
    await bench.answer(old, failing)
    const standing = await standingOf(bench.database, id)
    assert.deepEqual([standing.current_status, standing.stored, standing.checks], ['pending', 1, 1])
    await bench.answer(fresh, {})
    await statusIs(bench, id, 'up')
    await bench.api.post(`/monitors/${id}/pause`)
    await bench.api.post(`/monitors/${id}/resume`)
    const [resumed] = await bench.taken(id, ['amsterdam'])
    assert.ok(resumed !== undefined && resumed.version > fresh.version)
  })

  it('stores late results of a paused monitor and drops those of a deleted one', async () => {
    const bench = await engineBench()
    const paused = await createMonitor(bench.api, { ...often, locations: ['amsterdam'] })
    const deleted = await createMonitor(bench.api, { ...often, locations: ['amsterdam'] })
    const [first] = await bench.taken(paused.id, ['amsterdam'])
    const [second] = await bench.taken(deleted.id, ['amsterdam'])
    assert.ok(first !== undefined && second !== undefined)
    await bench.api.post(`/monitors/${paused.id}/pause`)
    await bench.api.request('DELETE', `/monitors/${deleted.id}`)
    await until('neither is watched', async () => bench.engine.watching === 0)
    await Promise.all([bench.answer(first, failing), bench.answer(second, failing)])
    const standing = await standingOf(bench.database, paused.id)
    assert.deepEqual([standing.current_status, standing.stored, standing.checks], ['pending', 1, 1])
    assert.equal((await bench.database.query.selectFrom('results').selectAll().execute()).length, 1)
  })

  it('sets aside what the database refuses and stores everything that came with it', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { ...often, locations })
    const [a, b, c] = await bench.taken(id, locations)
    assert.ok(a !== undefined && b !== undefined && c !== undefined)
    const yesterday = { ...c, round: c.round - 3_600_000_000 * 3 }
    const tomorrow = { ...c, round: c.round + 86_400_000_000 }
    await Promise.all([
      bench.answer(a, {}),
      bench.answer(b, { statusCode: 99_999 }),
      bench.answer(yesterday, {}),
      bench.answer(tomorrow, {}),
      bench.answer(c, {}),
    ])
    assert.equal((await standingOf(bench.database, id)).stored, 2)
    const rejected = await bench.database.query.selectFrom('rejected_results').selectAll().execute()
    assert.equal(rejected.length, 3)
    assert.equal(bench.counts.rejected, 3)
  })
})

describe('an engine that takes over', { concurrency: 4 }, () => {
  it('folds what was stored and not folded, once, and goes on with the round that is still open', async () => {
    const bench = await engineBench({ online: [] })
    const { id } = await createMonitor(bench.api, { ...often, locations, confirmation_threshold: 2 })
    await until('it is watched', async () => bench.engine.watching === 1)
    await bench.engine.stop()
    await bench.database.query
      .updateTable('monitor_state')
      .set({ round_at: ago(100), current_status: 'up' })
      .execute()
    await bench.database.query.updateTable('partitions').set({ epoch: 0 }).execute()
    const failed = { status: 'down', statusCode: null, error: 'refused' } as const
    const [closed, open] = [ago(60), ago(2)]
    await addResults(bench.database, id, [
      { at: closed, location: 'amsterdam', ...failed },
      { at: closed, location: 'boston', ...failed },
      { at: open, location: 'amsterdam', ...failed },
    ])
    for (const location of locations) bench.announce(location)
    await bench.startAnother('second')
    const standing = await standingOf(bench.database, id)
    assert.deepEqual([standing.current_status, standing.consecutive_failures, standing.checks], ['down', 1, 3])
    const incident = only(await incidentsOf(bench.database, id))
    assert.deepEqual(incident.started_at, closed)
    const { version } = await bench.database.query.selectFrom('monitors').select('version').executeTakeFirstOrThrow()
    await bench.answer({ monitorId: id, version, round: open.getTime() * 1000, location: 'chennai' }, failing)
    assert.equal((await standingOf(bench.database, id)).consecutive_failures, 2, 'its second failure closes the round')
    assert.equal((await incidentsOf(bench.database, id)).length, 1)
  })

  it('writes nothing once another engine has its partition, and accepts again when it has it back', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { ...often, locations: ['amsterdam'] })
    const [told] = await bench.taken(id, ['amsterdam'])
    assert.ok(told !== undefined)
    await bench.database.pool.query(
      `update partitions set epoch = epoch + 1, owner = 'another', held_until = now() + interval '2 seconds'`,
    )
    await assert.rejects(bench.answer(told, failing), /not stored/)
    assert.equal((await standingOf(bench.database, id)).stored, 0)
    await until('the partitions are taken back', async () => bench.engine.partitions === 64, 15_000)
    await until('the same result is accepted', async () =>
      bench.answer(told, failing).then(
        () => true,
        () => false,
      ),
    )
    assert.equal((await standingOf(bench.database, id)).stored, 1)
  })

  it('repairs its memory when a transaction fails, whether it was committed or not', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { ...often, locations: ['amsterdam'] })
    const [told] = await bench.taken(id, ['amsterdam'])
    assert.ok(told !== undefined)
    // The connection is cut by the database in the middle of the engine's transaction.
    await bench.database.pool.query(`
      create function cut() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
      create trigger cut before insert on incidents for each row execute function cut()`)
    await assert.rejects(bench.answer(told, failing))
    assert.equal((await standingOf(bench.database, id)).stored, 0)
    await bench.database.pool.query('drop trigger cut on incidents')
    await bench.answer(told, failing)
    await statusIs(bench, id, 'down')
    const standing = await standingOf(bench.database, id)
    assert.deepEqual([standing.stored, standing.checks, standing.consecutive_failures], [1, 1, 1])
    assert.equal((await incidentsOf(bench.database, id)).length, 1)
  })

  it('finds monitors whose change notice was lost', async () => {
    const bench = await engineBench({ services: { announceChange: () => {} } })
    const { id } = await createMonitor(bench.api, { ...often, locations: ['amsterdam'] })
    assert.equal(bench.engine.watching, 0)
    const [told] = await bench.taken(id, ['amsterdam'])
    assert.ok(told !== undefined)
  })

  it('shares partitions with a second engine and takes them all back when that one leaves', async () => {
    const bench = await engineBench()
    const second = await bench.startAnother('second')
    await until('each holds half', async () => bench.engine.partitions === 32 && second.partitions === 32, 15_000)
    await second.stop()
    await until('the first holds all', async () => bench.engine.partitions === 64, 15_000)
  })
})

describe('an engine whose clock jumps', { concurrency: 2 }, () => {
  it('begins anew when the database has taken the jump, and says both once', async () => {
    const { bench, attempts, jump } = await jumpingBench(2)
    const { id } = await createMonitor(bench.api, { ...often, locations: ['amsterdam'] })
    await bench.taken(id, ['amsterdam'])
    jump(3_600_000)
    await until('the jump is stored', () => attempts() === 3)
    assert.deepEqual(
      bench.lines.filter(({ message }) => message.includes('jump')),
      [
        { message: 'The clock jumped. Every monitor is still checked when it was due.', details: { seconds: 3600 } },
        { message: 'A jump of the clock could not be stored yet.', details: { error: 'Error: no database' } },
      ],
    )
    const [told] = await bench.taken(id, ['amsterdam'])
    assert.ok(told !== undefined)
  })

  it('ends also while the database takes no jump', async () => {
    const { bench, attempts, jump } = await jumpingBench(Infinity)
    jump(-3_600_000)
    await until('the jump could not be stored', () => attempts() > 0)
    let hasStopped = false
    void bench.engine.stop().then(() => (hasStopped = true))
    await until('it has ended', () => hasStopped, 15_000)
    assert.equal(bench.engine.partitions, 0)
  })
})
