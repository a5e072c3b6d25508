import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type LatencyDay, describeLatencies } from '#core/results/latency-day.ts'
import type { ResultRow } from '../../../test/support/merged-rows.ts'
import { startOfLastDay } from '#core/results/uptime.ts'
import { testApi } from '../../../test/support/api.ts'
import { checksOf } from '../../../test/support/check-stream.ts'
import {
  addChecks,
  addHistoryMonitor,
  assertMerged,
  drain,
  latenciesOf,
  reportsOf,
  rewrittenDays,
  slowAnswersSince,
  type TestHistory,
} from '../../../test/support/history.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { naiveChecks, naiveDays } from '../../../test/support/naive-reports.ts'

const hour = 3_600_000
const start = new Date('2031-03-10T05:23:45Z').getTime()
/** Hours after the start, to the second, across each other and over midnight. */
const stretches = [
  [1.05, 2.5],
  [2.25, 3.123],
  [17, 19.777],
  [30, 30.4],
] as const
const occurrences = stretches.map(([from, to]) => ({ startsAt: timeAt(from), endsAt: timeAt(to) }))

describe('maintenance that counts in no uptime', async () => {
  const api = await testApi()
  const { database } = api

  const plan = (change: { monitorIds?: string[]; monitorTags?: string[]; excludesUptime?: boolean } = {}) =>
    planMaintenance(database, {
      workspaceId: api.workspaceId,
      excludesUptime: true,
      occurrences,
      now: new Date(start),
      ...change,
    })

  it('keeps every result, and counts the others, single, merged and by the hour', { timeout: 120_000 }, async () => {
    const [covered, counted, watched] = await Promise.all(
      ['Covered', 'Counted', 'Watched'].map(async (name) => {
        const { id } = await createMonitor(api, { name })
        return { id, history: await addHistoryMonitor(database, id) }
      }),
    )
    assert.ok(covered && counted && watched)
    await plan({ monitorIds: [covered.id] })
    await plan({ monitorIds: [covered.id, counted.id], excludesUptime: false })
    const stories = [covered, counted, watched].map((story, seed) => ({
      history: story.history,
      stream: { intervalMs: 120_000, locations: 2, seed },
      excludes: story === covered,
    }))
    for (let passed = 0; passed < 56; passed += 4) {
      const now = new Date(start + (passed + 4) * hour)
      for (const { history, stream, excludes } of stories) {
        const checks = checksOf(stream, { from: start + passed * hour, to: now.getTime() })
        if (excludes) markCovered(checks)
        await addChecks(database, history, checks)
        await assertMerged(database, history, now)
        await assertReports(history, now)
      }
      await drain(database, now)
      for (const { history } of stories) {
        await assertMerged(database, history, now)
        await assertReports(history, now)
      }
    }
    assert.ok((await rewrittenDays(database)).size >= 1)
    assert.ok(covered.history.checks.filter(({ inMaintenance }) => inMaintenance).length > 100)
  })

  async function assertReports(history: TestHistory, now: Date): Promise<void> {
    const shown = history.checks.filter(({ inMaintenance }) => !inMaintenance)
    const checks = naiveChecks(shown, await slowAnswersSince(database))
    const { days, periods, lastDay, latencies } = await reportsOf(database, history, now)
    const expected = [...naiveDays(checks)].map(([date, ofDay]) => [date, ofDay.length, countOf(ofDay, 'd')])
    assert.deepEqual(
      days.map(({ date, checks: all, down }) => [date, all, down]),
      expected,
    )
    assert.deepEqual(
      periods.map(({ date, checks: all, down }) => [date, all, down]),
      expected,
    )
    const ofLastDay = shown.filter(({ round }) => round >= startOfLastDay(now).getTime() * 1000)
    assert.deepEqual([lastDay.checks, lastDay.down], [ofLastDay.length, countOf(ofLastDay, 'd')])
    const ofDays = naiveDays(checks.filter(({ isTimed }) => isTimed))
    assert.deepEqual(latencies, describeLatencies([...ofDays].map(([date, ofDay]) => latencyDayOf(date, ofDay))))
  }

  it('counts checks of a monitor while it has none of the tags of the window', async () => {
    const { id } = await createMonitor(api, { name: 'Tagged', tags: ['disks'] })
    const history = await addHistoryMonitor(database, id)
    await plan({ monitorTags: ['Disks'] })
    await database.pool.query(`update maintenance_tagged set since = $1, until = $2`, [timeAt(1.5), timeAt(2)])
    const checks = checksOf({ intervalMs: 600_000, locations: 1, seed: 9 }, { from: start, to: start + 5 * hour })
    markCovered(checks, [[1.5, 2]])
    assert.ok(checks.some(({ inMaintenance }) => inMaintenance))
    await addChecks(database, history, checks)
    await assertMerged(database, history, new Date(start + 5 * hour))
    await assertReports(history, new Date(start + 5 * hour))
    await database.pool.query('delete from maintenance_windows')
  })

  it('begins with a workspace’s monitors of the moment, also those that came later', async () => {
    await plan()
    const { id } = await createMonitor(api, { name: 'New' })
    const history = await addHistoryMonitor(database, id)
    const checks = checksOf({ intervalMs: 600_000, locations: 1, seed: 7 }, { from: start, to: start + 5 * hour })
    markCovered(checks)
    await addChecks(database, history, checks)
    await assertMerged(database, history, new Date(start + 5 * hour))
    await assertReports(history, new Date(start + 5 * hour))
  })
})

function latencyDayOf(date: string, checks: readonly ResultRow[]): LatencyDay {
  const { slots, counts, sums, phases } = latenciesOf(date, checks)
  return { date, histogram: { slots, counts }, phaseSumsMs: sums, phaseCounts: phases }
}

function timeAt(hours: number): Date {
  return new Date(start + Math.round(hours * 3600) * 1000)
}

function markCovered(checks: readonly ResultRow[], covered: readonly (readonly [number, number])[] = stretches): void {
  for (const check of checks) {
    const at = check.round / 1000
    check.inMaintenance = covered.some(([from, to]) => at >= timeAt(from).getTime() && at < timeAt(to).getTime())
  }
}

function countOf(checks: readonly ResultRow[], status: string): number {
  return checks.filter((check) => check.status === status).length
}
