import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { overrunVerdict } from '#core/monitors/heartbeat.ts'
import { readIncidentEvidence } from '#store/incidents/evidence.ts'
import { createCallStore } from '#store/call-store.ts'
import { noteCallIntake } from '#store/monitors/calls.ts'
import { type EngineBench, engineBench, incidentsOf, only, standingOf } from '../../test/support/engine.ts'
import { aheadOf, createHeartbeat, type Heartbeat, statusIs } from '../../test/support/heartbeat.ts'
import { until } from '../../test/support/until.ts'
import { watchRuns } from './run-watch.ts'

const limits = { max_run_seconds: 600, min_run_seconds: 5 }

type Watch = { bench: EngineBench; job: Heartbeat; look: () => Promise<void>; warned: string[] }

/** A job with limits, and the watch of one process whose looks the test makes. */
async function watched(input: object = {}): Promise<Watch> {
  const bench = await engineBench()
  const job = await createHeartbeat(bench, { check_options: limits, ...input })
  const store = createCallStore(bench.database, bench.api.services.secrets)
  const warned: string[] = []
  let tick: (() => void) | null = null
  let looks = 0
  const end = watchRuns({
    store: {
      ...store,
      readOverruns: async () => {
        looks += 1
        return store.readOverruns()
      },
    },
    publishResults: (location, results) => bench.api.services.publishResults(location, results),
    log: { warn: (message) => void warned.push(message) },
    time: {
      every: (_, work) => {
        tick = work
        return () => {}
      },
    },
  })
  after(end)
  const look = async (): Promise<void> => {
    const before = looks
    await until('it looks', async () => {
      tick?.()
      return looks > before
    })
    // The next look begins once this one has ended.
    await until('it has looked', async () => {
      tick?.()
      return looks > before + 1
    })
  }
  return { bench, job, look, warned }
}

/** Makes the run older by so many seconds. */
async function passTime({ database }: EngineBench, seconds: number): Promise<void> {
  await database.pool.query(
    `update monitor_state
    set call_started_at = call_started_at - make_interval(secs => $1), run_due_at = run_due_at - make_interval(secs => $1)`,
    [seconds],
  )
}

async function runDueIn({ database }: EngineBench): Promise<number | null> {
  const { rows } = await database.pool.query<{ seconds: number | null }>(
    'select extract(epoch from run_due_at - now())::float8 as seconds from monitor_state',
  )
  return rows[0]?.seconds ?? null
}

describe('a run with limits', { concurrency: 4 }, () => {
  it('that does not end in time is down with one incident, and its call puts that right', async () => {
    const { bench, job, look } = await watched()
    await job.call()
    const before = await aheadOf(bench, job.id)
    await job.call('/start')
    await passTime(bench, 590)
    await look()
    assert.equal((await standingOf(bench.database, job.id)).stored, 1)
    await passTime(bench, 20)
    await look()
    await look()
    await statusIs(bench, job.id, 'down')
    const incident = only(await incidentsOf(bench.database, job.id))
    assert.equal(incident.cause, 'The run did not end within 600 seconds')
    assert.equal((await standingOf(bench.database, job.id)).stored, 2)
    assert.ok(Math.abs((await aheadOf(bench, job.id)) - before) < 30, 'It is no call, and puts no deadline off.')
    await job.call()
    await statusIs(bench, job.id, 'degraded')
    const { rows } = await bench.database.pool.query<{ error: string }>(
      'select error from results order by round_at desc limit 1',
    )
    assert.match(rows[0]?.error ?? '', /^The run took 61\d{4} ms, more than 600 seconds$/)
    assert.notEqual(only(await incidentsOf(bench.database, job.id)).resolved_at, null)
  })

  it('that does not end in time leaves a deadline that was put off meanwhile', async () => {
    const { bench, job, look } = await watched()
    await job.call()
    await job.call('/start')
    await passTime(bench, 601)
    await bench.database.pool.query(`update monitor_state set deadline_at = deadline_at + interval '2 hours'`)
    const before = await aheadOf(bench, job.id)
    await look()
    await statusIs(bench, job.id, 'down')
    assert.ok(Math.abs((await aheadOf(bench, job.id)) - before) < 30)
  })

  it('that never was called before awaits no call after it did not end', async () => {
    const { bench, job, look } = await watched()
    await job.call('/start')
    await passTime(bench, 601)
    await look()
    await statusIs(bench, job.id, 'down')
    await assert.rejects(aheadOf(bench, job.id))
  })

  it('that ends too soon is degraded', async () => {
    const { bench, job } = await watched()
    await job.call('/start')
    await job.call()
    await statusIs(bench, job.id, 'degraded')
    await job.call('/start')
    await passTime(bench, 5)
    await job.call()
    await statusIs(bench, job.id, 'up')
  })

  it('is told once, also by two processes and where one ends before it noted that', async () => {
    const { bench, job, look } = await watched()
    await job.call('/start')
    await passTime(bench, 601)
    const [run] = await createCallStore(bench.database, bench.api.services.secrets).readOverruns()
    assert.ok(run !== undefined)
    const { monitorId, version, round, location } = run
    const result = { monitorId, version, round, location, verdict: overrunVerdict(600) }
    await bench.api.services.publishResults(location, [result])
    await look()
    await statusIs(bench, job.id, 'down')
    assert.equal((await standingOf(bench.database, job.id)).stored, 1)
    assert.equal(await runDueIn(bench), null)
  })

  it('counts as ended where its call is stored, also where that was not noted', async () => {
    const { bench, job, look } = await watched()
    await job.call('/start')
    const { rows } = await bench.database.pool.query<{ at: Date }>('select call_started_at as at from monitor_state')
    await job.call()
    await bench.database.pool.query(
      `update monitor_state
      set call_started_at = $1::timestamptz, run_due_at = now()`,
      [rows[0]?.at],
    )
    await look()
    assert.equal((await standingOf(bench.database, job.id)).stored, 1)
  })

  it('is due after the new limit where that changes, and never without one', async () => {
    const { bench, job } = await watched()
    await job.call('/start')
    const change = async (options: object): Promise<number | null> => {
      const body = { name: 'Backup', check_options: options }
      assert.equal((await bench.api.request('PATCH', `/monitors/${job.id}`, { body })).status, 200)
      return runDueIn(bench)
    }
    const inSeconds = (await change({ max_run_seconds: 60 })) ?? assert.fail()
    assert.ok(inSeconds > 30 && inSeconds <= 60, `It is due in ${inSeconds} s.`)
    assert.equal(await change({}), null)
  })

  it('has the time again in which no calls were taken', async () => {
    const { bench, job } = await watched()
    const say = (): Promise<number | null> =>
      noteCallIntake(bench.database, { name: 'here', isFirst: () => false, sinceLastSeconds: () => null })
    await say()
    await job.call('/start')
    await passTime(bench, 630)
    await bench.database.pool.query(`update intakes set seen_at = now() - interval '100 s'`)
    assert.deepEqual(
      await createCallStore(bench.database, bench.api.services.secrets).readOverruns(),
      [],
      'Its call may have been lost.',
    )
    await say()
    const inSeconds = (await runDueIn(bench)) ?? assert.fail()
    assert.ok(inSeconds > 55 && inSeconds <= 71, `It is due in ${inSeconds} s.`)
  })

  it('is told with what it has printed, where its monitor keeps that', async () => {
    const { bench, job, look } = await watched({ keep_evidence: true })
    await job.call('/start')
    await job.call('/log', { method: 'POST', body: 'waiting for a lock' })
    await passTime(bench, 601)
    await look()
    await statusIs(bench, job.id, 'down')
    const { id } = only(await incidentsOf(bench.database, job.id))
    const read = async (): Promise<(string | null)[]> =>
      (await readIncidentEvidence(bench.database, bench.api.services.secrets, id)).map(({ evidence }) => evidence.log)
    await until('it is kept', async () => (await read()).length > 0)
    assert.deepEqual(await read(), ['waiting for a lock'])
  })

  it('is forgotten while it is paused', async () => {
    const { bench, job } = await watched()
    await job.call('/start')
    await bench.api.post(`/monitors/${job.id}/pause`)
    assert.equal(await runDueIn(bench), null)
  })

  it('says once that it could not be told', async () => {
    const { bench, job, look, warned } = await watched()
    const { publishResults } = bench.api.services
    bench.api.services.publishResults = () => Promise.reject(new Error('away'))
    await job.call('/start')
    await passTime(bench, 601)
    await look()
    await look()
    assert.deepEqual(warned, ['Runs that did not end could not be told.'])
    bench.api.services.publishResults = publishResults
    await look()
    await statusIs(bench, job.id, 'down')
  })
})
