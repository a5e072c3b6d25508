import type { LocationRecord, MonitorDetail, ResultRecord } from '../../api/monitors.ts'
import { phaseLabel, phaseNames } from './details.ts'

export type ChartLine = { label: string; colour: string; values: (number | null)[] }
export type ChartData = { times: number[]; lines: ChartLine[] }

const colours = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5'] as const
const dayMs = 86_400_000

/** Results of the last day, oldest first. */
export function ofLastDay(results: readonly ResultRecord[], now: number): ResultRecord[] {
  return results.filter(({ checked_at: at }) => Date.parse(at) > now - dayMs).toReversed()
}

/** A line for each location; failed checks have no response time. */
export function byLocation(results: readonly ResultRecord[], locations: readonly LocationRecord[]): ChartData {
  const times = [...new Set(results.map(secondsOf))].toSorted((a, b) => a - b)
  const places = new Map(times.map((time, index) => [time, index]))
  const codes = [...new Set(results.map(({ location_code: code }) => code))].toSorted()
  const lines = codes.map((code, index) => {
    const values: (number | null)[] = times.map(() => null)
    for (const result of results) {
      const place = places.get(secondsOf(result))
      if (result.location_code === code && place !== undefined) values[place] = latencyOf(result)
    }
    return { label: nameOf(code, locations), colour: colourAt(index), values }
  })
  return { times, lines: lines.filter(({ values }) => values.some((value) => value !== null)) }
}

/** The phases of single checks, those of one location: sums of several would be those of none. */
export function phasesOfChecks(results: readonly ResultRecord[]): ChartData {
  const [first] = results
  const own = results.filter(({ location_code: code, status }) => code === first?.location_code && status !== 'down')
  const lines = phaseNames.map((name, index) => ({
    label: phaseLabel(name),
    colour: colourAt(index),
    values: own.map(({ details }) => numberOrNull(details[name])),
  }))
  return withSomething({ times: own.map(secondsOf), lines })
}

type Days = MonitorDetail['days']

export function percentiles(days: Days): ChartData {
  const known = days.filter(({ p50_ms: median }) => median !== null)
  const lines = [
    { label: 'Median', colour: colourAt(0), values: known.map((day) => day.p50_ms) },
    { label: '95 %', colour: colourAt(1), values: known.map((day) => day.p95_ms) },
    { label: '99 %', colour: colourAt(2), values: known.map((day) => day.p99_ms) },
  ]
  return withSomething({ times: known.map(dayOf), lines })
}

export function phasesOfDays(days: Days): ChartData {
  const known = days.filter(({ phases }) => Object.values(phases).some((ms) => ms !== null))
  const lines = phaseNames.map((name, index) => ({
    label: phaseLabel(name),
    colour: colourAt(index),
    values: known.map(({ phases }) => phases[name]),
  }))
  return withSomething({ times: known.map(dayOf), lines })
}

/** All values of a chart in a few words. */
export function summaryOf({ times, lines }: ChartData): string {
  if (times.length === 0) return 'nothing yet'
  return lines
    .map(({ label, values }) => {
      const known = values.filter((value) => value !== null)
      return `${label} ${Math.min(...known)} to ${Math.max(...known)} ms`
    })
    .join(', ')
}

function withSomething({ times, lines }: ChartData): ChartData {
  return { times, lines: lines.filter(({ values }) => values.some((value) => value !== null)) }
}

function colourAt(index: number): string {
  return colours[index % colours.length] ?? colours[0]
}

function nameOf(code: string, locations: readonly LocationRecord[]): string {
  return locations.find((location) => location.code === code)?.name ?? code
}

function latencyOf({ status, latency_ms: ms }: ResultRecord): number | null {
  return status === 'down' ? null : ms
}

function secondsOf({ checked_at: at }: ResultRecord): number {
  return Math.floor(Date.parse(at) / 1000)
}

function dayOf({ date }: { date: string }): number {
  return Date.parse(`${date}T00:00:00Z`) / 1000
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
