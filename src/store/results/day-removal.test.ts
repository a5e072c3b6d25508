import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { checksOf } from '../../../test/support/check-stream.ts'
import {
  addChecks,
  addHistoryMonitor,
  assertLatencies,
  drain,
  forgetAll,
  mergedUntil,
  type TestHistory,
} from '../../../test/support/history.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { forgetNextDay } from './day-removal.ts'
import { rewriteNextDay } from './day-rewrites.ts'
import { forgetProblems, forgetRejected } from './expired-rows.ts'
import { listResultDays } from './result-partitions.ts'

const hour = 3_600_000
const day = 24 * hour
const from = new Date('2031-03-10T00:00:00Z').getTime()
/** The 10th and the 11th are no longer kept. */
const now = new Date('2031-03-14T00:00:00Z')
const resultDays = 2

describe('forgetting results', async () => {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations })
  const { database } = api
  let fast: TestHistory
  let slow: TestHistory

  beforeEach(async () => {
    await forgetAll(database)
    fast = await addHistoryMonitor(database, (await createMonitor(api)).id)
    slow = await addHistoryMonitor(database, (await createMonitor(api)).id)
    const to = from + 4 * day
    await addChecks(database, fast, checksOf({ intervalMs: 60_000, locations: 1, seed: 1 }, { from, to }))
    await addChecks(database, slow, checksOf({ intervalMs: 3_600_000, locations: 1, seed: 2 }, { from, to }))
    await drain(database, now)
  })

  async function forgetAllDays(): Promise<string[]> {
    const dropped: string[] = []
    for (;;) {
      const step = await forgetNextDay(database, { now, resultDays })
      if (step === null) return dropped
      if (step.outcome === 'dropped') dropped.push(step.day)
    }
  }

  it('drops whole days, when every result in them is old enough', async () => {
    assert.deepEqual(await forgetAllDays(), ['2031-03-09', '2031-03-10', '2031-03-11'])
    assert.equal((await listResultDays(database))[0], '2031-03-12')
    const { rows } = await database.pool.query('select day::text as day from day_rewrites')
    assert.deepEqual(rows, [])
  })

  it('counts the latencies of what was never merged first, and of nothing twice', async () => {
    const before = await mergedUntil(database, fast.key)
    assert.equal(await mergedUntil(database, slow.key), 0)
    await forgetAllDays()
    assert.equal(await mergedUntil(database, fast.key), before)
    const end = new Date('2031-03-12T00:00:00Z').getTime() * 1000
    assert.equal(await mergedUntil(database, slow.key), end)
    await assertLatencies(database, fast, before)
    await assertLatencies(database, slow, end)
  })

  it('drops a day that is being rewritten, with its copy', async () => {
    await database.pool.query(`update day_rewrites set finished_at = null, next_key = 0 where day = '2031-03-10'`)
    await database.pool.query(`create table results_20310310_hours (like results including all)`)
    await forgetAllDays()
    const left = await database.pool.query(`select from pg_class where relname = 'results_20310310_hours'`)
    assert.equal(left.rowCount, 0)
    assert.equal(await rewriteNextDay(database, now), null)
  })

  it('waits for whoever reads, but not for long', async () => {
    const reader = await database.pool.connect()
    try {
      await reader.query('begin; select from results limit 1')
      const outcomes = new Set<string | undefined>()
      for (let step = 0; step < 5; step += 1)
        outcomes.add((await forgetNextDay(database, { now, resultDays }))?.outcome)
      assert.deepEqual(outcomes, new Set(['counted', 'busy']))
      await reader.query('rollback')
    } finally {
      reader.release()
    }
    assert.equal((await forgetAllDays()).length, 3)
  })

  it('may be done by several at once', async () => {
    const dropped = await Promise.all([forgetAllDays(), forgetAllDays(), forgetAllDays()])
    assert.deepEqual(dropped.flat().toSorted(), ['2031-03-09', '2031-03-10', '2031-03-11'])
    await assertLatencies(database, slow, new Date('2031-03-12T00:00:00Z').getTime() * 1000)
  })
})

describe('forgetting problems and refused results', async () => {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations })
  const { database } = api

  it('deletes problems that ended before all plans, and none that runs', async () => {
    const { id } = await createMonitor(api)
    await database.pool.query(
      `insert into problems (monitor_key, started_at, ended_at, status, locations)
      select key, began, ended, 'down', '{}'
      from monitors, (values
        ('2030-01-01'::timestamptz, '2030-12-14T00:00:00Z'::timestamptz),
        ('2030-01-02', '2030-12-13T23:59:59Z'),
        ('2030-01-03', null)
      ) as problem (began, ended)
      where id = $1`,
      [id],
    )
    assert.equal(await forgetProblems(database, { now, problemDays: 90 }), 1)
    assert.equal(await forgetProblems(database, { now, problemDays: 90 }), 0)
    const { rows } = await database.pool.query('select started_at::date::text as day from problems order by 1')
    assert.deepEqual(rows, [{ day: '2030-01-01' }, { day: '2030-01-03' }])
  })

  it('deletes refused results of a month ago, a thousand at a time', async () => {
    await database.pool.query(
      `insert into rejected_results (rejected_at, reason, result)
      select $1::timestamptz - interval '31 days', 'Test.', '{}'::jsonb from generate_series(1, 1500)
      union all
      select $1::timestamptz - interval '29 days', 'Test.', '{}'::jsonb from generate_series(1, 5)`,
      [now],
    )
    assert.equal(await forgetRejected(database, now), 1000)
    assert.equal(await forgetRejected(database, now), 500)
    assert.equal(await forgetRejected(database, now), 0)
    const { rows } = await database.pool.query('select count(*)::integer as count from rejected_results')
    assert.deepEqual(rows, [{ count: 5 }])
  })
})
