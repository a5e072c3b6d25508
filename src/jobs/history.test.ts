import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ResultRow } from '../../test/support/merged-rows.ts'
import type { Result } from '#core/results/result.ts'
import { mergeDueResults } from '#store/results/merge-due.ts'
import { beginMerging } from '#store/results/merge-turns.ts'
import { checksOf } from '../../test/support/check-stream.ts'
import { assertConsistent } from '../../test/support/consistency.ts'
import { engineBench, type EngineBench, verdictOf } from '../../test/support/engine.ts'
import {
  addChecks,
  addHistoryMonitor,
  assertMerged,
  drain,
  foldUntil,
  readRows,
  rewrittenDays,
  type TestHistory,
} from '../../test/support/history.ts'
import { jobsDatabase, startTestJobs, type TestJobs } from '../../test/support/jobs.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

const second = 1000
const hour = 3600 * second

/** A monitor that no engine of this test watches, with checks from `hours` ago until some minutes ago. */
async function monitorOf(bench: EngineBench, hours: number): Promise<{ id: string; history: TestHistory }> {
  const { id } = await createMonitor(bench.api, {
    interval_seconds: 3600,
    locations: ['amsterdam', 'boston', 'chennai'],
  })
  const history = await addHistoryMonitor(bench.database, id)
  const to = Date.now() - 60 * second
  await addChecks(bench.database, history, steady(to - hours * hour, to))
  return { id, history }
}

/** One check a minute, all alike. */
function steady(from: number, to: number): ResultRow[] {
  return checksOf({ intervalMs: 60_000, locations: 1, seed: 1 }, { from, to }).map((check) =>
    Object.assign(check, { status: 'u', statusCode: 200, error: null, details: null }),
  )
}

describe('compaction beside an engine', () => {
  it('takes no result that may still come, and intake none that may be merged', async () => {
    const bench = await engineBench({ online: [] })
    const { id, history } = await monitorOf(bench, 6)
    const resultAt = (secondsAgo: number): Result => ({
      monitorId: id,
      version: 1,
      round: (Date.now() - secondsAgo * second) * 1000,
      location: 'boston',
      verdict: verdictOf({}),
    })
    const latest = resultAt(2 * 3600 - 30)
    const tooLate = resultAt(2 * 3600 + 1)
    for (let times = 0; times < 2; times += 1) await bench.bus.publishResults('boston', [latest, tooLate])
    await drain(bench.database, new Date())
    await bench.bus.publishResults('boston', [latest, tooLate])
    assert.deepEqual([bench.counts.stored, bench.counts.rejected], [1, 3])
    const rows = await readRows(bench.database, history.key)
    assert.equal(rows.find(({ round }) => round === latest.round)?.repeats, 1)
    assert.equal(
      rows.reduce((sum, { repeats }) => sum + repeats, 0),
      history.checks.length + 1,
    )
    // Not simply the first check: it may be the only one of its quarter-hour.
    const isMerged = ({ round, repeats }: ResultRow): boolean => repeats > 1 && round < tooLate.round - hour * 1000
    const merged = rows.find(isMerged) ?? assert.fail('nothing was merged')
    await bench.bus.publishResults('amsterdam', [{ ...resultAt(0), round: merged.round, location: 'amsterdam' }])
    assert.equal(bench.counts.rejected, 4)
    assert.deepEqual(await readRows(bench.database, history.key), rows)
    await assertConsistent(bench.database)
  })

  it('lets results in while it works, and loses none', { timeout: 300_000 }, async () => {
    const bench = await engineBench({ online: [] })
    const monitors = await Promise.all(Array.from({ length: 8 }, () => monitorOf(bench, 10)))
    const startedAt = Date.now()
    const over = new AbortController()
    const compactors = Array.from({ length: 2 }, async () => {
      await beginMerging(bench.database)
      while (!over.signal.aborted) await mergeDueResults(bench.database, new Date())
    })
    const waitsMs: number[] = []
    for (let round = 0; round < 30; round += 1) {
      const results = monitors.map(({ id }) => ({
        monitorId: id,
        version: 1,
        round: (startedAt - 119 * 60 * second) * 1000 + round,
        location: 'boston',
        verdict: verdictOf({}),
      }))
      const sentAt = performance.now()
      await bench.bus.publishResults('boston', results)
      waitsMs.push(performance.now() - sentAt)
    }
    over.abort()
    await Promise.all(compactors)
    assert.equal(bench.counts.stored, 240)
    assert.ok(Math.max(...waitsMs) < 5_000, `a batch waited ${Math.max(...waitsMs)} ms`)
    for (const { history } of monitors) {
      const rows = await readRows(bench.database, history.key)
      assert.equal(
        rows.reduce((sum, { repeats }) => sum + repeats, 0),
        history.checks.length + 30,
      )
      assert.ok(rows.some(({ repeats }) => repeats === 15))
    }
    await assertConsistent(bench.database)
  })

  it('leaves alone what is not folded, until it is', async () => {
    const bench = await engineBench({ online: [] })
    const { history } = await monitorOf(bench, 8)
    const foldedAt = (Date.now() - 5 * hour) * 1000
    await foldUntil(bench.database, history, foldedAt)
    await drain(bench.database, new Date())
    const rows = await readRows(bench.database, history.key)
    assert.ok(rows.some(({ repeats }) => repeats > 1))
    assert.ok(rows.every(({ round, lastRound }) => (lastRound ?? round) <= foldedAt || lastRound === null))
    await assertMerged(bench.database, history, new Date())
    await foldUntil(bench.database, history, Date.now() * 1000)
    const later = new Date(Date.now() + hour)
    await drain(bench.database, later)
    assert.ok((await readRows(bench.database, history.key)).length < rows.length)
    await assertMerged(bench.database, history, later)
  })
})

async function stopAll(all: readonly TestJobs[]): Promise<void> {
  await Promise.all(all.map((jobs) => jobs.stop()))
}

describe('the jobs of two processes', async () => {
  const { database, start } = await jobsDatabase({ maxConnections: 8 })

  it('merge, rewrite and forget what there is, and say so', { timeout: 300_000 }, async () => {
    const bench = await engineBench({ online: [] })
    const { id } = await createMonitor(bench.api)
    const history = await addHistoryMonitor(bench.database, id)
    const now = Date.now()
    for (const daysAgo of [95, 3, 1])
      await addChecks(bench.database, history, steady(now - daysAgo * 24 * hour, now - daysAgo * 24 * hour + 5 * hour))
    await addChecks(bench.database, history, steady(now - 4 * hour, now - second))
    const isMerged = async (): Promise<boolean> => {
      const { rows } = await bench.database.pool.query<{ count: number }>(
        'select count(*)::integer as count from result_merges where due_at > now()',
      )
      return rows[0]?.count === 1
    }
    const merging = await Promise.all([startTestJobs(bench.database), startTestJobs(bench.database)])
    try {
      // A process that finds the monitor taken comes back half a minute later.
      await until('everything is merged', isMerged, 90_000)
    } finally {
      await stopAll(merging)
    }
    const rewriting = await Promise.all([startTestJobs(bench.database), startTestJobs(bench.database)])
    const said = (): string[] =>
      [...merging, ...rewriting].flatMap(({ logged }) => logged.map(({ message }) => message))
    try {
      await until('a day is rewritten', async () => (await rewrittenDays(bench.database)).size > 0, 60_000)
      await until('a day is forgotten', async () => said().includes('A day of results was dropped.'), 60_000)
    } finally {
      await stopAll(rewriting)
    }
    assert.ok(said().includes('Results were merged.'))
    const rows = await readRows(bench.database, history.key)
    assert.ok(rows.every(({ round }) => round / 1000 > now - 92 * 24 * hour))
  })

  it('does not keep a process from stopping', async () => {
    const jobs = await start()
    const startedAt = performance.now()
    await jobs.stop()
    assert.ok(performance.now() - startedAt < 15_000)
    assert.equal((await database.pool.query('select from results')).rowCount, 0)
  })
})
