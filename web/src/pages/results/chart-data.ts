import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import type { LocationRecord } from '../../api/monitors.ts'
import type { Line } from '../../parts/chart/chart.ts'
import { listed } from '../../parts/language.ts'

export type ChartData = {
  /** Seconds since 1970, ascending. */
  times: number[]
  lines: Line[]
  /** How many checks failed, and how many were degraded, for each time. */
  failures: number[]
  degraded: number[]
  /** Times are the beginnings of steps: how long a step is. */
  stepSeconds: number
}

const colours = ['--chart-1', '--chart-2', '--chart-3', '--chart-4', '--chart-5'] as const

type PercentileLine = { name: 'p50_ms' | 'p95_ms' | 'p99_ms'; label: MessageDescriptor; colour: string }

export const percentileLines: readonly PercentileLine[] = [
  { name: 'p50_ms', label: msg`Median`, colour: colours[0] },
  { name: 'p95_ms', label: msg`95 %`, colour: colours[1] },
  { name: 'p99_ms', label: msg`99 %`, colour: colours[2] },
]

/** All values of a chart in a few words. */
export function summaryOf({ times, lines, failures }: Pick<ChartData, 'times' | 'lines' | 'failures'>): string {
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
export function withSomething(lines: readonly Line[]): Line[] {
  return lines.filter(({ values }) => values.some(isKnown))
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
