import { plural, t } from '@lingui/core/macro'
import type { LocationRecord, MonitorDetail } from '../../api/monitors.ts'
import { listed } from '../../parts/language.ts'
import type { Line } from '../../parts/line-chart.tsx'
import { phaseLabel, phaseNames } from './details.ts'

export type ChartData = {
  /** Seconds since 1970, ascending. */
  times: number[]
  lines: Line[]
  /** How many checks failed, for each time. */
  failures?: number[]
  /** Where times are the beginnings of steps: how long a step is. */
  stepSeconds?: number
}

const colours = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5'] as const

type Days = MonitorDetail['days']

export function percentiles(days: Days): ChartData {
  const known = days.filter(({ p50_ms: median }) => median !== null)
  const lines = [
    { label: t`Median`, colour: colourAt(0), values: known.map((day) => day.p50_ms) },
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
export function summaryOf({ times, lines, failures = [] }: ChartData): string {
  if (times.length === 0) return t`nothing yet`
  const words = lines.map(({ label, values }) => {
    const known = values.filter(isKnown)
    const [least, most] = [Math.min(...known), Math.max(...known)]
    return t`${label} ${least} to ${most} ms`
  })
  const failed = failures.reduce((sum, count) => sum + count, 0)
  return listed(failed === 0 ? words : [...words, plural(failed, { one: '# failed check', other: '# failed checks' })])
}

/** Without the lines that have no value at all. */
export function withSomething({ times, lines }: ChartData): ChartData {
  return { times, lines: lines.filter(({ values }) => values.some(isKnown)) }
}

function isKnown(value: number | null | undefined): value is number {
  return typeof value === 'number'
}

export function colourAt(index: number): string {
  return colours[index % colours.length] ?? colours[0]
}

export function nameOf(code: string, locations: readonly LocationRecord[]): string {
  return locations.find((location) => location.code === code)?.name ?? code
}

function dayOf({ date }: { date: string }): number {
  return Date.parse(`${date}T00:00:00Z`) / 1000
}
