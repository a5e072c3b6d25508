import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { LocationRecord, ResponseTimes } from '../../api/monitors.ts'
import type { Band, Line } from '../../parts/chart/chart.ts'
import { type ChartData, colourAt, nameOf, percentileLines, withSomething } from './chart-data.ts'
import { phaseLabel, phaseNames } from '../monitor/details.ts'

type Step = ResponseTimes['data'][number]['steps'][number]
type SharedStep = ResponseTimes['all_locations'][number]

/** The steps to be drawn: every one from the first to that of the end, whether there were checks in it or not. */
export type Steps = {
  times: number[]
  /** For each location that was asked, its steps at their places among `times`. */
  places: { code: string; steps: (Step | undefined)[] }[]
  /** The same of all locations together; without any where steps are shorter than an hour. */
  shared: (SharedStep | undefined)[]
  stepSeconds: number
}

/** `end` in milliseconds since 1970: now, or the end of a time that is over. */
export function stepsOf(answer: ResponseTimes, end: number): Steps {
  const { from, step_seconds: stepSeconds, data, all_locations: shared } = answer
  const first = Date.parse(from) / 1000
  const placeOf = ({ at }: { at: string }): number => Math.round((Date.parse(at) / 1000 - first) / stepSeconds)
  const newest = Math.max(...data.flatMap(({ steps }) => steps.map(placeOf)), 0)
  const count = Math.max(newest, Math.floor((end / 1000 - first) / stepSeconds)) + 1
  const times = Array.from({ length: count }, (_, place) => first + place * stepSeconds)
  const placed = <T extends { at: string }>(steps: readonly T[]): (T | undefined)[] => {
    const byPlace = new Map(steps.map((step) => [placeOf(step), step]))
    return times.map((_, place) => byPlace.get(place))
  }
  const places = data.map(({ location_code: code, steps }) => ({ code, steps: placed(steps) }))
  return { times, places, shared: placed(shared), stepSeconds }
}

/** A line for each location, of the means of its checks that were not down. */
export function byLocation(
  { times, places, stepSeconds }: Steps,
  { locations, intervalSeconds }: { locations: readonly LocationRecord[]; intervalSeconds: number },
): ChartData {
  const reach = Math.max(1, Math.ceil(intervalSeconds / stepSeconds))
  const lines = places.map(({ code, steps }, index): Line => {
    const latencies = steps.map((step) => step?.latency_ms)
    return {
      label: nameOf(code, locations),
      colour: colourAt(index),
      values: withGaps(latencies, reach),
      slowest: steps.map((step) => step?.slowest_ms ?? null),
      isDegraded: steps.map((step) => (step?.degraded ?? 0) > 0),
    }
  })
  return { times, lines: withSomething(lines), ...countsOf({ times, places }), stepSeconds }
}

/** The percentiles of all locations together; where they are not known, the mean and the slowest. */
export function percentilesOfSteps(
  { times, places, shared, stepSeconds }: Steps,
  { intervalSeconds }: { intervalSeconds: number },
): ChartData {
  const reach = Math.max(1, Math.ceil(intervalSeconds / stepSeconds))
  const line = (valueOf: (step: SharedStep) => number | null): Line['values'] =>
    withGaps(
      shared.map((step) => (step === undefined ? undefined : valueOf(step))),
      reach,
    )
  const lines: Line[] = [
    ...percentileLines.map(({ label, colour, name }) => ({
      label: i18n._(label),
      colour,
      values: line((step) => step[name]),
    })),
    {
      label: t`Mean`,
      colour: colourAt(percentileLines.length),
      values: line((step) => (isUnknown(step) ? step.latency_ms : null)),
      slowest: shared.map((step) => (step !== undefined && isUnknown(step) ? step.slowest_ms : null)),
    },
  ]
  return { times, lines: withSomething(lines), ...countsOf({ times, places }), stepSeconds }
}

/** Whether some steps have a mean and no percentiles. */
export function lacksPercentiles({ shared }: Steps): boolean {
  return shared.some((step) => step !== undefined && isUnknown(step))
}

function isUnknown({ p50_ms: median, latency_ms: mean }: SharedStep): boolean {
  return median === null && mean !== null
}

/** Of all locations together. */
function countsOf({ times, places }: Pick<Steps, 'times' | 'places'>): Pick<ChartData, 'failures' | 'degraded'> {
  const sumOf = (name: 'failed' | 'degraded'): number[] =>
    times.map((_, place) => places.reduce((sum, { steps }) => sum + (steps[place]?.[name] ?? 0), 0))
  return { failures: sumOf('failed'), degraded: sumOf('degraded') }
}

/** Steps with checks during maintenance, neighbours as one. */
export function maintenanceOf({ times, places, stepSeconds }: Steps): Band[] {
  const bands: Band[] = []
  for (const [place, from] of times.entries()) {
    if (!places.some(({ steps }) => (steps[place]?.in_maintenance ?? 0) > 0)) continue
    const last = bands.at(-1)
    if (last?.to === from) last.to = from + stepSeconds
    else bands.push({ from, to: from + stepSeconds, of: 'maintenance', title: t`Maintenance` })
  }
  return bands
}

type PhasesOf = { intervalSeconds: number; code?: string | null }

/**
 * The phases of one location, the one of that code or else the first that has any: sums of several would be those of
 * none. Of days they are known of all locations together for longer than of each.
 */
export function phasesOfSteps(
  { times, places, shared, stepSeconds }: Steps,
  { intervalSeconds, code = null }: PhasesOf,
): ChartData & { code: string | null } {
  const reach = Math.max(1, Math.ceil(intervalSeconds / stepSeconds))
  const place = placesWithPhases({ places }).find((each) => code === null || each.code === code)
  const areDays = code === null && shared.some((step) => step?.phases !== undefined)
  const steps = areDays ? shared : (place?.steps ?? [])
  const lines = phaseNames.map((name, index) => ({
    label: phaseLabel(name),
    colour: colourAt(index),
    values: withGaps(
      steps.map((step) => step?.phases?.[name]),
      reach,
    ),
  }))
  const counts = countsOf({ times, places })
  return { times, lines: withSomething(lines), ...counts, stepSeconds, code: areDays ? null : (place?.code ?? null) }
}

export function placesWithPhases({ places }: Pick<Steps, 'places'>): Steps['places'] {
  return places.filter(({ steps }) => steps.some((step) => step !== undefined && hasPhases(step)))
}

function hasPhases({ phases }: Step): boolean {
  return Object.values(phases).some((ms) => ms !== null)
}

/**
 * Lines go over steps for which no check was due, `undefined`, and end where something else kept it away, `null`: of
 * two steps that are further apart than `reach` the ones between were not checked.
 */
function withGaps(values: readonly (number | null | undefined)[], reach: number): (number | null | undefined)[] {
  const gaps = [...values]
  let last = -Infinity
  for (const [place, value] of values.entries()) {
    if (value === undefined) continue
    if (place - last > reach) gaps.fill(null, Math.max(last + 1, 0), place)
    last = place
  }
  return gaps.fill(null, Math.max(last + 1, 0))
}
