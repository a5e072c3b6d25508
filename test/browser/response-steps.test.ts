// The lines of a monitor's response times in its chart: where they go on, where they end, and which checks failed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LocationRecord, ResponseTimes } from '../../web/src/api/monitors.ts'
import { summaryOf } from '../../web/src/pages/monitor/chart-data.ts'
import { byLocation, phasesOfSteps, stepsOf } from '../../web/src/pages/monitor/response-steps.ts'

type Step = ResponseTimes['data'][number]['steps'][number]

const from = '2031-03-11T14:00:00.000Z'
const first = Date.parse(from) / 1000
const noPhases = { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null }
const locations: LocationRecord[] = [
  { code: 'a', name: 'Here', online: true, lost_network_since: null, witness: 1 },
  { code: 'b', name: 'There', online: true, lost_network_since: null, witness: 2 },
]

/** One step for each minute after the first; null stands for failed checks. */
function stepsAt(latencies: Readonly<Record<number, number | null>>, more: Partial<Step> = {}): Step[] {
  return Object.entries(latencies).map(([minute, latency]) =>
    Object.assign(
      {
        at: new Date((first + Number(minute) * 60) * 1000).toISOString(),
        checks: 2,
        failed: latency === null ? 2 : 0,
        latency_ms: latency,
        slowest_ms: latency === null ? null : latency + 5,
        phases: noPhases,
      },
      more,
    ),
  )
}

function answerOf(steps: Readonly<Record<string, Step[]>>): ResponseTimes {
  const data = Object.entries(steps).map(([code, own]) => ({ location_code: code, steps: own }))
  return { from, step_seconds: 60, data }
}

/** In the middle of the sixth minute. */
const now = (first + 5 * 60 + 30) * 1000

const [end, goesOn] = [null, undefined]

const cases: {
  title: string
  intervalSeconds: number
  latencies: Readonly<Record<number, number | null>>
  values: (number | null | undefined)[]
}[] = [
  {
    title: 'is whole where every step was checked',
    intervalSeconds: 10,
    latencies: { 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6 },
    values: [1, 2, 3, 4, 5, 6],
  },
  {
    title: 'ends where a step was not checked',
    intervalSeconds: 60,
    latencies: { 0: 1, 1: 2, 3: 4, 4: 5, 5: 6 },
    values: [1, 2, end, 4, 5, 6],
  },
  {
    title: 'ends before the first and after the last',
    intervalSeconds: 60,
    latencies: { 2: 3, 3: 4 },
    values: [end, end, 3, 4, end, end],
  },
  {
    title: 'ends where all failed',
    intervalSeconds: 60,
    latencies: { 0: 1, 1: null, 2: 3, 3: 4, 4: 5, 5: 6 },
    values: [1, end, 3, 4, 5, 6],
  },
  {
    title: 'goes on where no check was due',
    intervalSeconds: 120,
    latencies: { 0: 1, 2: 3, 4: 5 },
    values: [1, goesOn, 3, goesOn, 5, end],
  },
  {
    title: 'goes on where a check was due in some steps',
    intervalSeconds: 90,
    latencies: { 0: 1, 1: 2, 3: 4, 4: 5 },
    values: [1, 2, goesOn, 4, 5, end],
  },
  {
    title: 'ends where a check was left out that was due',
    intervalSeconds: 120,
    latencies: { 0: 1, 4: 5 },
    values: [1, end, end, end, 5, end],
  },
  {
    title: 'goes on to a failure, and ends there',
    intervalSeconds: 120,
    latencies: { 0: 1, 2: null, 4: 5 },
    values: [1, goesOn, end, goesOn, 5, end],
  },
]

describe('the line of a location', () => {
  for (const { title, intervalSeconds, latencies, values } of cases)
    it(title, () => {
      const steps = stepsOf(answerOf({ a: stepsAt(latencies) }), now)
      const { times, lines } = byLocation(steps, { locations, intervalSeconds })
      assert.deepEqual(
        times,
        [0, 1, 2, 3, 4, 5].map((minute) => first + minute * 60),
      )
      assert.deepEqual(lines[0]?.values, values)
    })

  it('is named, has the slowest of each step, and the failures of all are added', () => {
    const answer = answerOf({
      a: stepsAt({ 0: 10, 1: null }),
      b: stepsAt({ 1: null, 2: 30 }),
      gone: stepsAt({ 3: 40 }),
      silent: stepsAt({ 4: null }),
    })
    const chart = byLocation(stepsOf(answer, now), { locations, intervalSeconds: 60 })
    assert.deepEqual(
      chart.lines.map(({ label, slowest }) => [label, slowest]),
      [
        ['Here', [15, null, null, null, null, null]],
        ['There', [null, null, 35, null, null, null]],
        ['gone', [null, null, null, 45, null, null]],
      ],
    )
    assert.deepEqual(chart.failures, [0, 4, 0, 0, 2, 0])
    assert.equal(summaryOf(chart), 'Here 10 to 10 ms, There 30 to 30 ms, gone 40 to 40 ms, 6 failed checks')
  })

  it('is not there without results', () => {
    const { times, lines } = byLocation(stepsOf(answerOf({}), now), { locations, intervalSeconds: 60 })
    assert.deepEqual([times.length, lines], [6, []])
  })

  it('reaches to results that are newer than the time of reading', () => {
    const steps = stepsOf(answerOf({ a: stepsAt({ 5: 1, 6: 2 }) }), now)
    assert.deepEqual(byLocation(steps, { locations, intervalSeconds: 60 }).lines[0]?.values.slice(4), [end, 1, 2])
  })
})

describe('the phases', () => {
  it('are those of the first location that has any, without the ones that it has not', () => {
    const phases = { ...noPhases, dns_ms: 3, ttfb_ms: 40 }
    const answer = answerOf({ a: stepsAt({ 0: 10 }), b: stepsAt({ 0: 10, 2: 10 }, { phases }) })
    const { code, lines } = phasesOfSteps(stepsOf(answer, now), { intervalSeconds: 60 })
    assert.equal(code, 'b')
    assert.deepEqual(
      lines.map(({ label, values }) => [label, values]),
      [
        ['Name', [3, end, 3, end, end, end]],
        ['Wait', [40, end, 40, end, end, end]],
      ],
    )
  })

  it('are those of nobody where nobody has any', () => {
    const { code, lines } = phasesOfSteps(stepsOf(answerOf({ a: stepsAt({ 0: 10 }) }), now), { intervalSeconds: 60 })
    assert.deepEqual([code, lines], [null, []])
  })
})
