import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { nextDueAt } from '#core/monitors/schedule.ts'
import type { TestApi } from '../../test/support/api.ts'
import { engineBench, standingOf } from '../../test/support/engine.ts'
import { createMonitor, monitorOf } from '../../test/support/monitors.ts'
import { failureOf, key, location, startedMs, takingOver } from '../../test/support/taking-over.ts'

const hour = 3_600
const retry = 30
const failure = { status: 'down', statusCode: 500, error: 'HTTP status 500', latencyMs: null } as const

async function shown(api: TestApi, id: string): Promise<MonitorRecord> {
  return monitorOf(await api.get(`/monitors/${id}`))
}

describe('a monitor with an interval for retries, which is checked once an hour', { concurrency: 2 }, () => {
  it('is checked again so soon after each failed round until it is down', async () => {
    let aheadMs = 0
    const bench = await engineBench({
      engineNow: () => Date.now() + aheadMs,
      engineSteady: () => performance.now() + aheadMs,
    })
    const rhythm = { interval_seconds: hour, retry_interval_seconds: retry, failure_threshold: 3 }
    const { id } = await createMonitor(bench.api, { ...rhythm, locations: ['amsterdam'] })
    let [told] = await bench.taken(id, ['amsterdam'])
    for (let failed = 1; failed < rhythm.failure_threshold; failed += 1) {
      assert.ok(told)
      await bench.answer(told, failure)
      const { next_check_at: next, current_status: status } = await shown(bench.api, id)
      assert.equal(Date.parse(next ?? ''), told.round / 1000 + retry * 1000, 'when it is due is shown')
      assert.equal(status, 'pending')
      aheadMs += retry * 1000 - 2_000
      const [again] = await bench.taken(id, ['amsterdam'])
      assert.ok(again)
      const laterMs = (again.round - told.round) / 1000
      assert.ok(laterMs >= retry * 1000 && laterMs < 2 * retry * 1000, `it was checked again after ${laterMs} ms`)
      told = again
    }
    assert.ok(told)
    await bench.answer(told, failure)
    const { current_status: status, consecutive_failures: failures } = await standingOf(bench.database, id)
    assert.deepEqual([status, failures], ['down', 3])
    const { next_check_at: next } = await shown(bench.api, id)
    assert.deepEqual(nextDueAt(id, hour, new Date(next ?? '')), new Date(next ?? ''), 'a regular time')
  })
})

describe('a failed round of a monitor with an interval for retries', () => {
  const cases: [what: string, retrySeconds: number | null, round: 'first' | 'second', dueAfterMs: number][] = [
    ['is followed by the next one so soon', 20, 'first', 20_000],
    ['that has none is followed by the next one after the interval', null, 'first', 60_000],
    ['is followed by one at a regular time that comes before', 90, 'first', 60_000],
    ['that opens an incident is followed by the next one after the interval', 20, 'second', 60_000],
  ]
  for (const [what, retrySeconds, which, dueAfterMs] of cases)
    it(what, async () => {
      const { database, watchList, open, read, tick, commit } = takingOver(startedMs + 30_000, [location])
      const monitor = database.monitors.get(key) ?? assert.fail()
      database.monitors.set(key, { ...monitor, retrySeconds })
      // What was stored of a time to come makes the first of two failures.
      if (which === 'first') database.results.delete(key)
      open()
      await read()
      const states = which === 'second' ? [startedMs + 60_000, startedMs + 120_000] : [startedMs + 60_000]
      for (const atMs of states) {
        tick(atMs)
        await commit([failureOf({ round: atMs * 1000, location })])
      }
      const lastMs = states.at(-1) ?? 0
      assert.equal(watchList.scheduler.nextDueMs, lastMs + dueAfterMs)
    })
})
