import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { monitorDetailSchema } from '#core/monitors/monitor-detail.ts'
import { uptimeDaySchema } from '#core/results/uptime.ts'
import { addDays, dayOf } from '#core/language/utc-day.ts'
import { mergeDueResults } from '#store/results/merge-due.ts'
import { forgetNextDay } from '#store/results/day-removal.ts'
import { rewriteNextDay } from '#store/results/day-rewrites.ts'
import { beginMerging } from '#store/results/merge-turns.ts'
import { testApi } from '../../../test/support/api.ts'
import { type Stream, checksOf } from '../../../test/support/check-stream.ts'
import {
  type TestHistory,
  addChecks,
  addHistoryMonitor,
  countSlowAnswersFrom,
  slowAnswersSince,
} from '../../../test/support/history.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import {
  naiveAllTime,
  naiveChecks,
  naiveDates,
  naiveDay,
  naiveDays,
  naivePercent,
  naivePercentile,
  naivePhases,
  naiveSince,
  naiveUptime,
} from '../../../test/support/naive-reports.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { uptimeOperations } from './uptime.ts'

const minute = 60_000
const resultDays = 90
const start = Date.parse('2031-03-10T17:23:45Z')

const uptimeAnswer = z.object({ data: z.array(uptimeDaySchema), since: z.iso.date().nullable() })

type Chapter =
  /** Checks for some minutes, and then nothing for some days: the monitor is paused. */
  { type: 'pass'; minutes: number; pauseDays: number } | { type: 'compact'; steps: number }

const chapters = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('pass' as const),
        minutes: fc.integer({ min: 1, max: 1200 }),
        pauseDays: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 40 }), fc.nat(700)),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant('compact' as const), steps: fc.integer({ min: 1, max: 8 }) }),
    },
  ),
  { minLength: 3, maxLength: 12 },
)
const streams = fc.record({
  intervalMs: fc.constantFrom(10_000, 60_000, 300_000, 3_600_000, 86_400_000),
  locations: fc.integer({ min: 1, max: 3 }),
  seed: fc.nat(1_000_000),
})

describe('the reports of a monitor', async () => {
  let clock = start
  const api = await testApi({ operations: [...monitorOperations, ...uptimeOperations], now: () => new Date(clock) })
  const { database } = api

  async function addMonitor(): Promise<{ id: string; history: TestHistory }> {
    const { id } = await createMonitor(api)
    return { id, history: await addHistoryMonitor(database, id) }
  }

  /** One step of the whole compaction. */
  async function compact(): Promise<void> {
    const now = new Date(clock)
    await beginMerging(database)
    await mergeDueResults(database, now)
    await rewriteNextDay(database, now)
    await forgetNextDay(database, { now, resultDays })
  }

  async function assertReports({ id, history }: { id: string; history: TestHistory }): Promise<void> {
    const checks = naiveChecks(history.checks, await slowAnswersSince(database))
    const now = new Date(clock)
    const today = now.toISOString().slice(0, 10)
    const detail = monitorDetailSchema.parse((await api.get(`/monitors/${id}`)).body)
    assert.deepEqual(detail.uptime, naiveUptime(checks, now))
    assert.deepEqual(detail.all_time, naiveAllTime(checks, now))
    const days = naiveDays(checks)
    for (const { p50_ms, p95_ms, p99_ms, phases, problems: _, uptime, ...day } of detail.days) {
      const ofDay = days.get(day.date) ?? []
      assert.deepEqual(day, naiveDay(ofDay, day.date))
      assert.equal(uptime, naivePercent(ofDay))
      assert.deepEqual(Object.values(phases), naivePhases(ofDay))
      assertNear(p50_ms, naivePercentile(ofDay, 50))
      assertNear(p95_ms, naivePercentile(ofDay, 95))
      assertNear(p99_ms, naivePercentile(ofDay, 99))
    }
    const { data, since } = uptimeAnswer.parse((await api.get(`/monitors/${id}/uptime`)).body)
    assert.equal(since, naiveSince(checks))
    const dates = since === null ? [] : naiveDates(since, today)
    assert.deepEqual(
      data,
      dates.map((date) => naiveDay(days.get(date) ?? [], date)),
    )
  }

  it('say what its single checks come to, before, during and after compaction', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(streams, chapters, async (stream, story) => {
        const monitor = await addMonitor()
        // Tomorrow, so that the story has days of both rules.
        await countSlowAnswersFrom(database, addDays(dayOf(new Date(clock)), 1))
        for (const chapter of story) {
          if (chapter.type === 'compact') for (let step = 0; step < chapter.steps; step += 1) await compact()
          else await pass(monitor.history, stream, chapter)
          await assertReports(monitor)
        }
        for (let step = 0; step < 30; step += 1) await compact()
        await assertReports(monitor)
        await database.pool.query('delete from monitors')
      }),
      { numRuns: 12 },
    )
  })

  async function pass(history: TestHistory, stream: Stream, chapter: Chapter & { type: 'pass' }): Promise<void> {
    const until = clock + chapter.minutes * minute
    await addChecks(database, history, checksOf(stream, { from: clock, to: until, maxChecks: 300 }))
    clock = until + chapter.pauseDays * 1440 * minute
  }

  it('stay exact while compaction works beside the reading', { timeout: 300_000 }, async () => {
    const monitor = await addMonitor()
    const stream = { intervalMs: 60_000, locations: 2, seed: 7 }
    for (let part = 0; part < 20; part += 1)
      await pass(monitor.history, stream, { type: 'pass', minutes: 100, pauseDays: 0 })
    const compaction = { isDone: false }
    const compacting = (async (): Promise<void> => {
      for (let step = 0; step < 40; step += 1) await compact()
      compaction.isDone = true
    })()
    let readings = 0
    for (; !compaction.isDone; readings += 1) await assertReports(monitor)
    await compacting
    await assertReports(monitor)
    const left = await database.pool.query<{ merged: number; hours: number }>(
      `select
        (select count(*) from results where repeats > 1)::integer as merged,
        (select count(*) from day_rewrites where finished_at is not null)::integer as hours`,
    )
    assert.ok(readings > 2 && (left.rows[0]?.merged ?? 0) > 50 && (left.rows[0]?.hours ?? 0) > 0)
  })
})

function assertNear(answer: number | null, exact: number | null): void {
  if (answer === null || exact === null) return assert.equal(answer, exact)
  assert.ok(Math.abs(answer - exact) <= exact * 0.02, `${answer} for ${exact}`)
}
