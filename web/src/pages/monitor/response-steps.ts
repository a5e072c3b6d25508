import type { LocationRecord, ResponseTimes } from '../../api/monitors.ts'
import type { Line } from '../../parts/line-chart.tsx'
import { type ChartData, colourAt, withSomething, nameOf } from './chart-data.ts'
import { phaseLabel, phaseNames } from './details.ts'

type Step = ResponseTimes['data'][number]['steps'][number]

/** The steps to be drawn: every one from the first to that of `now`, whether there were checks in it or not. */
export type Steps = {
  times: number[]
  /** For each location that was asked, its steps at their places among `times`. */
  places: { code: string; steps: (Step | undefined)[] }[]
  stepSeconds: number
}

/** `now` in milliseconds since 1970. */
export function stepsOf({ from, step_seconds: stepSeconds, data }: ResponseTimes, now: number): Steps {
  const first = Date.parse(from) / 1000
  const placeOf = ({ at }: Step): number => Math.round((Date.parse(at) / 1000 - first) / stepSeconds)
  const newest = Math.max(...data.flatMap(({ steps }) => steps.map(placeOf)), 0)
  const count = Math.max(newest, Math.floor((now / 1000 - first) / stepSeconds)) + 1
  const times = Array.from({ length: count }, (_, place) => first + place * stepSeconds)
  const places = data.map(({ location_code: code, steps }) => {
    const placed = times.map((): Step | undefined => undefined)
    for (const step of steps) placed[placeOf(step)] = step
    return { code, steps: placed }
  })
  return { times, places, stepSeconds }
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
    }
  })
  const failures = times.map((_, place) => places.reduce((sum, { steps }) => sum + (steps[place]?.failed ?? 0), 0))
  return { ...withSomething({ times, lines }), failures, stepSeconds }
}

/** The phases of one location, the first that has any: sums of several would be those of none. */
export function phasesOfSteps(
  { times, places, stepSeconds }: Steps,
  { intervalSeconds }: { intervalSeconds: number },
): ChartData & { code: string | null } {
  const reach = Math.max(1, Math.ceil(intervalSeconds / stepSeconds))
  const place = places.find(({ steps }) => steps.some((step) => step !== undefined && hasPhases(step)))
  const lines = phaseNames.map((name, index) => ({
    label: phaseLabel(name),
    colour: colourAt(index),
    values: withGaps(place?.steps.map((step) => step?.phases[name]) ?? [], reach),
  }))
  return { ...withSomething({ times, lines }), stepSeconds, code: place?.code ?? null }
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
