// The lines of a monitor's response times in its chart: where they go on, where they end, and which checks failed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LocationRecord, ResponseTimes } from '../../web/src/api/monitors.ts'
import { summaryOf } from '../../web/src/pages/results/chart-data.ts'
import {
  chosenOf,
  hasPercentiles,
  offeredRanges,
  readMonitorSearch,
  wider,
} from '../../web/src/pages/results/chart-range.ts'
import {
  byLocation,
  lacksPercentiles,
  maintenanceOf,
  percentilesOfSteps,
  phasesOfSteps,
  stepsOf,
} from '../../web/src/pages/results/response-steps.ts'
import { levelOf, timesOf, weekHours } from '../../web/src/pages/results/week-hours.ts'

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
        degraded: 0,
        in_maintenance: 0,
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
  return { from, step_seconds: 60, data, all_locations: [] }
}

type SharedStep = ResponseTimes['all_locations'][number]

/** Hours after the first: of those without percentiles the mean and the slowest. */
function sharedAnswer(hours: Readonly<Record<number, Partial<SharedStep>>>): ResponseTimes {
  const none = { checks: 60, latency_ms: 30, slowest_ms: 90, p50_ms: null, p95_ms: null, p99_ms: null }
  const shared = Object.entries(hours).map(([hour, known]) => {
    const at = new Date((first + Number(hour) * 3600) * 1000).toISOString()
    return Object.assign({ at }, none, known)
  })
  return { from, step_seconds: 3600, data: [], all_locations: shared }
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

  it('are those of the location that is asked for, or of all together where days are known so', () => {
    const phases = { ...noPhases, ttfb_ms: 40 }
    const answer = answerOf({
      a: stepsAt({ 0: 10 }, { phases }),
      b: stepsAt({ 0: 10 }, { phases: { ...phases, ttfb_ms: 60 } }),
    })
    const shared = { at: from, checks: 2, latency_ms: 50, slowest_ms: null, p50_ms: 50, p95_ms: 60, p99_ms: 60 }
    const days = { ...answer, all_locations: [{ ...shared, phases: { ...phases, ttfb_ms: 50 } }] }
    assert.deepEqual(firstPhase(answer), ['a', 40])
    assert.deepEqual(firstPhase(answer, 'b'), ['b', 60])
    assert.deepEqual(firstPhase(days), [null, 50])
    assert.deepEqual(firstPhase(days, 'b'), ['b', 60])
  })

  it('are those of nobody where nobody has any', () => {
    const { code, lines } = phasesOfSteps(stepsOf(answerOf({ a: stepsAt({ 0: 10 }) }), now), { intervalSeconds: 60 })
    assert.deepEqual([code, lines], [null, []])
  })
})

describe('the percentiles of hours', () => {
  const known = { p50_ms: 20, p95_ms: 60, p99_ms: 80 }
  const inHourFour = (first + 4 * 3600 + 60) * 1000
  const valuesOf = (answer: ResponseTimes) => {
    const { lines } = percentilesOfSteps(stepsOf(answer, inHourFour), { intervalSeconds: 60 })
    return Object.fromEntries(lines.map(({ label, values, slowest }) => [label, { values, slowest }]))
  }

  it('are three lines, and no mean where all hours have them', () => {
    const answer = sharedAnswer({ 0: known, 1: known, 3: { ...known, p99_ms: 85 } })
    assert.deepEqual(valuesOf(answer), {
      Median: { values: [20, 20, end, 20, end], slowest: undefined },
      '95 %': { values: [60, 60, end, 60, end], slowest: undefined },
      '99 %': { values: [80, 80, end, 85, end], slowest: undefined },
    })
    assert.equal(lacksPercentiles(stepsOf(answer, inHourFour)), false)
  })

  it('give way to the mean and the slowest check of hours that have none', () => {
    const answer = sharedAnswer({ 0: {}, 1: {}, 2: known, 3: known })
    const { Median: median, Mean: mean } = valuesOf(answer)
    assert.deepEqual(median?.values, [end, end, 20, 20, end])
    assert.deepEqual(mean, { values: [30, 30, end, end, end], slowest: [90, 90, null, null, null] })
    assert.equal(lacksPercentiles(stepsOf(answer, inHourFour)), true)
  })

  it('are known also where the results are gone', () => {
    const answer = sharedAnswer({ 0: { ...known, latency_ms: null, slowest_ms: null } })
    assert.deepEqual(Object.keys(valuesOf(answer)), ['Median', '95 %', '99 %'])
    assert.equal(lacksPercentiles(stepsOf(answer, inHourFour)), false)
  })
})

function firstPhase(answer: ResponseTimes, code: string | null = null): unknown {
  const { code: shown, lines } = phasesOfSteps(stepsOf(answer, now), { intervalSeconds: 60, code })
  return [shown, lines[0]?.values[0]]
}

describe('marks of a chart', () => {
  it('say where checks were degraded, and when there was maintenance', () => {
    const answer = answerOf({
      a: stepsAt({ 0: 10, 1: 10, 2: 10 }, { in_maintenance: 1 }),
      b: stepsAt({ 3: 10, 4: 20 }, { degraded: 2 }),
      c: stepsAt({ 5: 10 }, { in_maintenance: 2 }),
    })
    const steps = stepsOf(answer, now)
    const { lines, degraded } = byLocation(steps, { locations, intervalSeconds: 60 })
    assert.deepEqual(degraded, [0, 0, 0, 2, 2, 0])
    assert.deepEqual(lines[1]?.isDegraded, [false, false, false, true, true, false])
    assert.deepEqual(
      maintenanceOf(steps).map((band) => [(band.from - first) / 60, (band.to - first) / 60]),
      [
        [0, 3],
        [5, 6],
      ],
    )
  })
})

const hours = 3_600_000
const moment = Date.parse('2031-03-11T14:30:00Z')

function offered(watchedHours: number | null): unknown {
  return offeredRanges(watchedHours === null ? null : moment - watchedHours * hours, moment)
}

describe('the range of a chart', () => {
  it('is offered as far as there is a history', () => {
    assert.deepEqual(offered(null), ['1'])
    assert.deepEqual(offered(0.9), ['1'])
    assert.deepEqual(offered(1), ['1', '24'])
    assert.deepEqual(offered(24), ['1', '24', '168'])
    assert.deepEqual(offered(10_000), ['1', '24', '168', '720', '2160', '8760'])
  })

  it('is read from an address, and what is none is left out', () => {
    const [since, until] = ['2031-03-11T10:00:00.000Z', '2031-03-11T11:00:00.000Z']
    assert.deepEqual(readMonitorSearch({ tab: 'results', range: 24 }), { tab: 'results', range: '24' })
    assert.deepEqual(readMonitorSearch({ since: '2031-03-11T10:00Z', until: '2031-03-11T11:00Z' }), { since, until })
    for (const wrong of [{ since }, { since: until, until: since }, { since: 'x', until }, { range: '7' }, { tab: 3 }])
      assert.deepEqual(readMonitorSearch(wrong), {})
    assert.deepEqual(chosenOf({ from: Date.parse(since) / 1000, to: Date.parse(until) / 1000 }), { since, until })
  })

  it('grows to three times its length, at most until now', () => {
    const past = { since: '2031-03-11T10:00:00.000Z', until: '2031-03-11T11:00:00.000Z' }
    assert.deepEqual(wider(past, moment), { since: '2031-03-11T09:00:00.000Z', until: '2031-03-11T12:00:00.000Z' })
    const late = { since: '2031-03-11T13:00:00.000Z', until: '2031-03-11T14:00:00.000Z' }
    assert.deepEqual(wider(late, moment), { since: '2031-03-11T11:30:00.000Z', until: '2031-03-11T14:30:00.000Z' })
  })

  it('has percentiles where its steps are whole hours', () => {
    const chosen = (begin: number, stop: number): boolean => {
      const [since, until] = [new Date(moment - begin).toISOString(), new Date(moment - stop).toISOString()]
      return hasPercentiles({ since, until }, moment)
    }
    assert.equal(chosen(3 * hours, hours), false)
    assert.equal(chosen(25 * hours, 24 * hours), true)
    assert.equal(hasPercentiles('24', moment), false)
    assert.equal(hasPercentiles('720', moment), true)
  })
})

describe('the hours of the week', () => {
  const hour = { latency_ms: 30, slowest_ms: 90, p50_ms: 20, p95_ms: 40, p99_ms: 50 }

  it('are those of the reader, and weigh by their checks', () => {
    const data = [
      { ...hour, at: '2031-03-10T23:00:00.000Z', checks: 1 },
      { ...hour, at: '2031-03-03T23:00:00.000Z', checks: 3, latency_ms: 50 },
      { ...hour, at: '2031-03-11T12:00:00.000Z', checks: 2, latency_ms: null },
    ]
    const known = (zone: string): unknown =>
      weekHours(data, zone).flatMap(({ weekday, hour: at, ms, checks }) =>
        ms === null ? [] : [[weekday, at, ms, checks]],
      )
    assert.equal(weekHours(data, 'UTC').length, 7 * 24)
    assert.deepEqual(known('UTC'), [
      [1, 23, 45, 4],
      [2, 12, 20, 2],
    ])
    assert.deepEqual(known('Europe/Berlin'), [
      [2, 0, 45, 4],
      [2, 13, 20, 2],
    ])
    assert.deepEqual(known('Asia/Kolkata'), [
      [2, 4, 45, 4],
      [2, 17, 20, 2],
    ])
    const times = (zone: string, weekday: number, of: number): unknown =>
      timesOf(data, zone, { weekday, hour: of }).map(({ at, ms, checks }) => [at, ms, checks])
    assert.deepEqual(times('Europe/Berlin', 2, 0), times('UTC', 1, 23))
    assert.deepEqual(times('UTC', 1, 23), [
      ['2031-03-03T23:00:00.000Z', 50, 3],
      ['2031-03-10T23:00:00.000Z', 30, 1],
    ])
    assert.deepEqual(times('UTC', 3, 0), [])
  })

  it('have shades from the fastest to the slowest', () => {
    const shades = [10, 27, 30, 60, 89, 110].map((ms) => levelOf(ms, [10, 110]))
    assert.deepEqual(shades, [0, 0, 1, 2, 3, 4])
    assert.equal(levelOf(10, [10, 10]), 0)
  })
})
