import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  hasHistograms,
  type ResponseTimes,
  responseHours,
  responseSpan,
  type SharedStep,
} from '#core/results/response-times.ts'
import { mergeDueResults } from './merge-due.ts'
import { rewriteNextDay } from './day-rewrites.ts'
import { beginMerging } from './merge-turns.ts'
import { testApi } from '../../../test/support/api.ts'
import { checksOf } from '../../../test/support/check-stream.ts'
import {
  type TestHistory,
  addChecks,
  addHistoryMonitor,
  countSlowAnswersFrom,
  drain,
  forgetAll,
  readRows,
  slowAnswersSince,
} from '../../../test/support/history.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { naiveChecks, naiveResponses, naiveSharedSteps } from '../../../test/support/naive-reports.ts'
import { readHourPercentiles } from './hour-percentiles.ts'
import { readResponseTimes } from './response-times.ts'

const minuteMs = 60_000
const start = Date.parse('2031-03-10T17:23:45Z')
/** In the order of their numbers in the table. */
const locationCodes = ['amsterdam', 'boston', 'chennai']

const parts = fc.array(
  fc.record({
    minutes: fc.integer({ min: 1, max: 900 }),
    pauseMinutes: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 1600 })),
    mergingSteps: fc.nat(6),
  }),
  { minLength: 2, maxLength: 6 },
)
const streams = fc.record({
  intervalMs: fc.constantFrom(10_000, 60_000, 300_000, 3_600_000),
  locations: fc.integer({ min: 1, max: 3 }),
  seed: fc.nat(1_000_000),
})

describe('the response times of a monitor', async () => {
  const { database, ...api } = await testApi()
  // Within the stories below, so that they have days of both rules.
  await countSlowAnswersFrom(database, '2031-03-11')
  let mergedRows = 0
  let toldPercentiles = 0

  async function merge(now: Date, steps: number): Promise<void> {
    await beginMerging(database)
    for (let step = 0; step < steps; step += 1) {
      await mergeDueResults(database, now)
      await rewriteNextDay(database, now)
    }
  }

  async function assertResponses({ key, checks }: TestHistory, now: Date): Promise<void> {
    const known = naiveChecks(checks, await slowAnswersSince(database))
    for (const hours of responseHours) {
      const span = responseSpan(hours, now)
      const data = await readResponseTimes(database, { monitorKey: String(key), span })
      const expected = locationCodes.flatMap((code, index) => {
        const ofLocation = known.filter(({ location }) => location === index + 1)
        const steps = naiveResponses(ofLocation, { now, hours: Number(hours), stepMs: span.stepSeconds * 1000 })
        return steps.length === 0 ? [] : [{ code, steps }]
      })
      assert.deepEqual(
        data.map(({ location_code: code, steps }) => ({ code, steps: steps.map(withoutPhases) })),
        expected.map(({ code, steps }) => ({ code, steps: steps.map(withoutPhases) })),
      )
      assertPhases(data, expected)
      if (!hasHistograms(span)) continue
      const shared = await readHourPercentiles(database, { monitorKey: String(key), span })
      assertShared(shared, naiveSharedSteps(known, { now, hours: Number(hours), stepMs: span.stepSeconds * 1000 }))
      toldPercentiles += shared.length
    }
  }

  it('are what its single checks come to, however much is merged', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(streams, parts, async (stream, story) => {
        const { id } = await createMonitor({ ...api, database })
        const history = await addHistoryMonitor(database, id)
        let clock = start
        for (const { minutes, pauseMinutes, mergingSteps } of story) {
          const until = clock + minutes * minuteMs
          await addChecks(database, history, checksOf(stream, { from: clock, to: until, maxChecks: 400 }))
          clock = until + pauseMinutes * minuteMs
          await merge(new Date(clock), mergingSteps)
          await assertResponses(history, new Date(clock))
        }
        await drain(database, new Date(clock))
        await assertResponses(history, new Date(clock))
        mergedRows += (await readRows(database, history.key)).filter(({ repeats }) => repeats > 1).length
        await forgetAll(database)
      }),
      { numRuns: 15 },
    )
    assert.ok(mergedRows > 100, `only ${mergedRows} rows were merged`)
    assert.ok(toldPercentiles > 100, `only ${toldPercentiles} steps had percentiles`)
  })
})

/** They are compared apart. */
function withoutPhases<T extends { phases: unknown }>(step: T): T {
  return { ...step, phases: null }
}

/** Merged rows have rounded means of phases, and the mean of them is rounded again. */
function assertPhases(data: ResponseTimes['data'], expected: { steps: { phases: (number | null)[] }[] }[]): void {
  const told = data.flatMap(({ steps }) => steps.flatMap(({ phases }) => Object.values(phases)))
  const exact = expected.flatMap(({ steps }) => steps.flatMap(({ phases }) => phases))
  assert.equal(told.length, exact.length)
  for (const [index, ms] of told.entries()) {
    const mean = exact[index] ?? null
    assert.equal(ms === null, mean === null)
    assert.ok(Math.abs((ms ?? 0) - (mean ?? 0)) <= 1, `${ms} for ${mean}`)
  }
}

/** Counts, means and maxima are exact; a histogram tells a percentile at most 2 % off, and exactly below 49 ms. */
function assertShared(told: readonly SharedStep[], exact: readonly SharedStep[]): void {
  assert.deepEqual(told.map(withoutPercentiles), exact.map(withoutPercentiles))
  for (const [index, step] of told.entries())
    for (const name of ['p50_ms', 'p95_ms', 'p99_ms'] as const) {
      const [ms, expected] = [step[name], exact[index]?.[name] ?? null]
      assert.ok(ms !== null && expected !== null, `${name} at ${step.at} is ${ms} for ${expected}`)
      const off = Math.abs(ms - expected)
      assert.ok(
        off <= expected * 0.02 && (expected >= 49 || off === 0),
        `${name} at ${step.at} is ${ms} for ${expected}`,
      )
    }
}

function withoutPercentiles(step: SharedStep): SharedStep {
  return { ...step, p50_ms: null, p95_ms: null, p99_ms: null }
}
