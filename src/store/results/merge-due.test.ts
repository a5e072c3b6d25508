import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Stream, checksOf } from '../../../test/support/check-stream.ts'
import {
  addChecks,
  addHistoryMonitor,
  assertMerged,
  assertWhollyMerged,
  countSlowAnswersFrom,
  drain,
  forgetAll,
  reportsOf,
  rewrittenDays,
  slowAnswersSince,
  type TestHistory,
} from '../../../test/support/history.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { naiveChecks } from '../../../test/support/naive-reports.ts'
import { testApi } from '../../../test/support/api.ts'
import { dyingDatabase } from '../../../test/support/dying-database.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { startOfLastDay } from '#core/results/uptime.ts'
import { isDatabaseAway } from '#store/database/database-away.ts'
import { mergeDueResults } from './merge-due.ts'
import { rewriteNextDay } from './day-rewrites.ts'
import type { Database } from '#store/database/database.ts'
import { beginMerging } from './merge-turns.ts'

const minute = 60_000
const start = new Date('2031-03-10T17:23:45Z').getTime()

type Action =
  | { type: 'pass'; minutes: number }
  | { type: 'merge'; steps: number; diesAt: number | null }
  | { type: 'rewrite'; steps: number; diesAt: number | null }
  | { type: 'both' }

const diesAt = fc.option(fc.nat(8), { freq: 2 })
const actions = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('pass' as const),
        minutes: fc.oneof(fc.integer({ min: 3, max: 120 }), fc.integer({ min: 300, max: 1500 })),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ type: fc.constant('merge' as const), steps: fc.integer({ min: 1, max: 4 }), diesAt }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant('rewrite' as const), steps: fc.integer({ min: 1, max: 6 }), diesAt }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('both' as const) }) },
  ),
  { minLength: 4, maxLength: 14 },
)
const streams = fc.array(
  fc.record({
    intervalMs: fc.constantFrom(10_000, 60_000, 300_000, 700_000, 1_300_000, 3_600_000, 86_400_000),
    locations: fc.integer({ min: 1, max: 3 }),
    seed: fc.nat(1_000_000),
  }),
  { minLength: 1, maxLength: 3 },
)

describe('compaction', async () => {
  const api = await testApi({ maxConnections: 5, operations: monitorOperations })
  const { database } = api
  // Within the stories below, so that they have days of both rules.
  await countSlowAnswersFrom(database, '2031-03-11')

  it('merges a slow monitor into whole hours, wherever its days were rewritten', { timeout: 300_000 }, async () => {
    await forgetAll(database)
    const stories = await Promise.all(
      [700_000, 1_300_000, 2_000_000].map(async (intervalMs, seed) => ({
        stream: { intervalMs, seed, locations: 1 },
        history: await addHistoryMonitor(database, (await createMonitor(api)).id),
      })),
    )
    for (let clock = start, turn = 0; turn < 22; turn += 1) {
      const until = clock + 310 * minute
      await pass(database, stories, { from: clock, to: until })
      clock = until
      await drain(database, new Date(clock))
      for (const { history } of stories) await assertAll(database, history, new Date(clock))
    }
    assert.ok((await rewrittenDays(database)).size >= 3)
    const ended = await database.pool.query<{ days: number; summed: number }>(
      `select count(*)::integer as days, count(summary_ms)::integer as summed
      from latency_days
      join result_merges using (monitor_key)
      where day < (merged_until at time zone 'UTC')::date`,
    )
    assert.ok((ended.rows[0]?.days ?? 0) >= 3)
    assert.equal(ended.rows[0]?.summed, ended.rows[0]?.days)
  })

  it('leaves what the rules say, whatever comes when and wherever it is killed', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(streams, actions, async (given, plan) => {
        await forgetAll(database)
        const stories = await Promise.all(
          given.map(async (stream) => ({
            stream,
            history: await addHistoryMonitor(database, (await createMonitor(api)).id),
          })),
        )
        let clock = start
        for (const action of plan) {
          if (action.type === 'pass') {
            const until = clock + action.minutes * minute
            await pass(database, stories, { from: clock, to: until })
            clock = until
          } else await compact(database, action, new Date(clock))
          for (const { history } of stories) await assertAll(database, history, new Date(clock))
        }
        for (let later = 0; later < 3; later += 1) await drain(database, new Date((clock += 61 * minute)))
        for (const { history } of stories) {
          await assertAll(database, history, new Date(clock))
          await assertWhollyMerged(database, history, new Date(clock))
        }
      }),
      // Two processes seldom meet in the same way again, so that a smaller story would tell of another failure.
      { numRuns: 25, endOnFailure: true },
    )
  })
})

/** For one location in a stretch, so that a run stays short. */
const maxChecks = 300

type Story = { stream: Stream; history: TestHistory }

/** Some of the last hour's checks come with the next stretch only, if intake still takes them. */
async function pass(
  database: Database,
  stories: readonly Story[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (const { stream, history } of stories) {
    const isLate = (round: number, end: number): boolean =>
      round / 1000 > end - 60 * minute && (round / 1_000_000) % 10 < 1
    const late = checksOf(stream, { from: from - 60 * minute, to: from, maxChecks }).filter(({ round }) =>
      isLate(round, from),
    )
    const known = new Set(history.checks.map(({ round, location }) => `${round}/${location}`))
    const belated = late.filter(
      ({ round, location }) => round / 1000 > to - 120 * minute && !known.has(`${round}/${location}`),
    )
    const due = checksOf(stream, { from, to, maxChecks }).filter(({ round }) => !isLate(round, to))
    await addChecks(database, history, [...belated, ...due])
  }
}

async function compact(database: Database, action: Exclude<Action, { type: 'pass' }>, now: Date): Promise<void> {
  if (action.type === 'both') {
    const ends = await Promise.allSettled([drain(database, now), drain(database, now)])
    // Both have ended: none goes on while the next story clears the tables.
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return
  }
  for (let step = 0; step < action.steps; step += 1) {
    const dying = action.diesAt === null ? database : dyingDatabase(database, action.diesAt + step)
    await stepOf(action.type, dying, now).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error
    })
  }
}

async function stepOf(type: 'merge' | 'rewrite', database: Database, now: Date): Promise<void> {
  if (type === 'rewrite') return void (await rewriteNextDay(database, now))
  await beginMerging(database)
  await mergeDueResults(database, now)
}

async function assertAll(database: Database, history: TestHistory, now: Date): Promise<void> {
  await assertMerged(database, history, now)
  const since = startOfLastDay(now)
  const day = history.checks.filter(({ round }) => round >= since.getTime() * 1000)
  const timed = naiveChecks(day, await slowAnswersSince(database)).filter(({ isTimed }) => isTimed)
  const { lastDay } = await reportsOf(database, history, now)
  assert.deepEqual(lastDay, {
    checks: day.length,
    up: day.filter(({ status }) => status === 'u').length,
    down: day.filter(({ status }) => status === 'd').length,
    restricted: day.filter(({ status }) => status === 'g').length,
    latencySumMs: timed.reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0),
    latencyCount: timed.filter(({ latencyMs }) => latencyMs !== null).length,
  })
}
