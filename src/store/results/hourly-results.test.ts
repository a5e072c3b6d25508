import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { ResultRecord } from '#core/results/result.ts'
import { testApi } from '../../../test/support/api.ts'
import { checksOf } from '../../../test/support/check-stream.ts'
import {
  type TestHistory,
  addChecks,
  addHistoryMonitor,
  drain,
  forgetAll,
  mergedUntil,
  rewrittenDays,
} from '../../../test/support/history.ts'
import { type ResultRow, mergeRows } from '../../../test/support/merged-rows.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { rewriteNextDay } from './day-rewrites.ts'
import { mergeDueResults } from './merge-due.ts'
import { beginMerging } from './merge-turns.ts'
import { listResults, maxResults } from './results.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const hourUs = hourMs * 1000
const start = Date.parse('2031-03-10T17:23:45Z')
/** In the order of their numbers in the table. */
const locationCodes = ['amsterdam', 'boston', 'chennai']
const newestSingle = 120

const streams = fc.record({
  intervalMs: fc.constantFrom(10_000, 60_000, 300_000, 700_000, 1_300_000),
  locations: fc.integer({ min: 1, max: 3 }),
  seed: fc.nat(1_000_000),
})
const parts = fc.array(
  fc.record({
    minutes: fc.integer({ min: 60, max: 900 }),
    pauseMinutes: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 1600 })),
  }),
  { minLength: 2, maxLength: 6 },
)

describe('results that are read', async () => {
  const { database, ...api } = await testApi()
  let hours = 0
  let rewrites = 0

  const read = (history: TestHistory, now: Date, limit = maxResults): Promise<ResultRecord[]> =>
    listResults(database, { monitorId: history.id, monitorKey: String(history.key), kind: 'http', limit, now })

  async function merge(now: Date): Promise<void> {
    await beginMerging(database)
    while ((await mergeDueResults(database, now)).monitors > 0);
  }

  /** Every hour that ended a day ago is one result for each outcome, as far as the monitor is merged. */
  async function assertByHours(history: TestHistory, now: Date): Promise<ResultRecord[]> {
    const until = await mergedUntil(database, history.key)
    const isOld = ({ round }: ResultRow): boolean =>
      round - (round % hourUs) + hourUs <= (now.getTime() - 24 * hourMs) * 1000
    const shown = [
      ...mergeRows(history.checks.filter(isOld), { until, bucketUs: hourUs }),
      ...mergeRows(
        history.checks.filter((check) => !isOld(check)),
        { until, bucketUs: hourUs / 4 },
      ),
    ]
    const expected = shown.toSorted((one, other) => other.round - one.round || one.location - other.location)
    const results = await read(history, now)
    assert.deepEqual(results.map(withoutDetails), expected.slice(0, maxResults).map(told))
    assert.equal(new Set(results.map(({ id }) => id)).size, results.length)
    const newest = await read(history, now, newestSingle)
    assert.deepEqual(newest, results.slice(0, newestSingle))
    assert.ok(newest.every(({ repeats }) => repeats === 1))
    hours += results.filter(({ last_checked_at: last, checked_at: first }) => spanMs(first, last) > hourMs / 4).length
    return results
  }

  it('are the same before their day is rewritten into hours and after', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(streams, parts, async (stream, story) => {
        const { id } = await createMonitor({ ...api, database })
        const history = await addHistoryMonitor(database, id)
        let clock = start
        for (const { minutes, pauseMinutes } of story) {
          const until = clock + minutes * minuteMs
          await addChecks(database, history, checksOf(stream, { from: clock, to: until, maxChecks: 400 }))
          clock = until + pauseMinutes * minuteMs
          const now = new Date(clock)
          await merge(now)
          const before = await assertByHours(history, now)
          for (let step = await rewriteNextDay(database, now); step !== null;) {
            if (step.outcome === 'swapped') rewrites += 1
            step = await rewriteNextDay(database, now)
          }
          assert.deepEqual(await assertByHours(history, now), before)
        }
        await drain(database, new Date(clock + hourMs))
        await assertByHours(history, new Date(clock + hourMs))
        await forgetAll(database)
      }),
      { numRuns: 20 },
    )
    assert.ok(hours > 100 && rewrites > 10, `${hours} hours, ${rewrites} rewrites`)
  })

  it('come by the hour a day after the hour ended, in days that are not over', async () => {
    const { id } = await createMonitor({ ...api, database })
    const history = await addHistoryMonitor(database, id)
    const from = Date.parse('2031-03-10T08:00:00Z')
    const now = new Date('2031-03-11T12:59:59.999Z')
    const steady = checksOf({ intervalMs: 5 * minuteMs, locations: 1, seed: 1 }, { from, to: now.getTime() })
    const checks = steady.map((check) => Object.assign(check, { status: 'u', statusCode: 200, error: null }))
    await addChecks(database, history, checks)
    await merge(now)
    assert.equal((await rewrittenDays(database)).size, 0)
    const perHour = async (at: Date): Promise<number[]> => {
      const results = await read(history, at)
      return [10, 11, 12].map(
        (hour) => results.filter(({ checked_at: first }) => first.startsWith(`2031-03-10T${hour}`)).length,
      )
    }
    assert.deepEqual(await perHour(now), [1, 1, 4])
    assert.deepEqual(await perHour(new Date(now.getTime() + 1)), [1, 1, 1])
  })
})

function spanMs(first: string, last: string | null): number {
  return last === null ? 0 : Date.parse(last) - Date.parse(first)
}

/** Phases among the details are compared by what is read before and after. */
function withoutDetails({ id: _id, details: _details, ...result }: ResultRecord) {
  return result
}

function told(row: ResultRow): ReturnType<typeof withoutDetails> {
  return {
    status: row.status === 'u' ? 'up' : row.status === 'd' ? 'down' : 'degraded',
    status_code: row.statusCode,
    latency_ms: row.latencyMs,
    location_code: locationCodes[row.location - 1] ?? '',
    checked_at: timeOf(row.round),
    error: row.error,
    repeats: row.repeats,
    last_checked_at: row.lastRound === null ? null : timeOf(row.lastRound),
    latency_max_ms: row.latencyMaxMs,
  }
}

function timeOf(round: number): string {
  return new Date(Math.floor(round / 1000)).toISOString()
}
