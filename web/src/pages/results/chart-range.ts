import type { ResponseHours, ResultRecord } from '../../api/monitors.ts'

/** A time between two moments, as ISO 8601 writes them. */
export type Chosen = { since: string; until: string }

/** The time that a chart shows: so many hours until now, or one that its reader has chosen. */
export type ChartRange = ResponseHours | Chosen

/** What the address of a monitor's page says: its tab, and what the chart or the list of results shows. */
export type MonitorSearch = Partial<Chosen> & {
  tab?: string
  range?: ResponseHours
  /** Of results: the state and the location that alone are listed. */
  status?: ResultStatus
  location?: string
}
type ResultStatus = ResultRecord['status']

const statuses = ['down', 'degraded', 'up'] as const satisfies readonly ResultStatus[]

export const hourMs = 3_600_000
export const ranges = ['1', '24', '168', '720', '2160', '8760'] as const satisfies readonly ResponseHours[]

export function readMonitorSearch({ tab, range, since, until, ...rest }: Record<string, unknown>): MonitorSearch {
  const hours = ranges.find((each) => each === String(range))
  const status = statuses.find((each) => each === rest['status'])
  const { location } = rest
  return {
    ...(typeof tab === 'string' && tab !== '' ? { tab } : {}),
    ...(hours === undefined ? {} : { range: hours }),
    ...(status === undefined ? {} : { status }),
    ...(typeof location === 'string' && location !== '' ? { location } : {}),
    ...readChosen({ since, until }),
  }
}

/** The UTC day, week or month that a bar stands for. */
export function timeOfBar(date: string, unit: 'day' | 'week' | 'month'): Chosen {
  const begin = new Date(`${date}T00:00:00Z`)
  const end = new Date(begin)
  if (unit === 'month') end.setUTCMonth(end.getUTCMonth() + 1, 1)
  else end.setUTCDate(end.getUTCDate() + (unit === 'week' ? 7 : 1))
  return { since: begin.toISOString(), until: end.toISOString() }
}

/** The same length of time so many times later, or earlier. */
export function moved({ since, until }: Chosen, times: number): Chosen {
  const [from, to] = [Date.parse(since), Date.parse(until)]
  const by = times * (to - from)
  return { since: isoOf(from + by), until: isoOf(to + by) }
}

/** Both ends of a time, or null where they are none. */
export function readChosen({ since, until }: Record<string, unknown>): Chosen | null {
  if (typeof since !== 'string' || typeof until !== 'string') return null
  const [from, to] = [Date.parse(since), Date.parse(until)]
  if (Number.isNaN(from) || Number.isNaN(to) || to <= from) return null
  return { since: isoOf(from), until: isoOf(to) }
}

export function isChosen(range: ChartRange): range is Chosen {
  return typeof range === 'object'
}

/** Of what a chart asked for seconds, as it tells what was dragged over. */
export function chosenOf({ from, to }: { from: number; to: number }): Chosen {
  return { since: isoOf(from * 1000), until: isoOf(to * 1000) }
}

/** Those that the history fills, and the first that it does not: longer ones would show nothing more. */
export function offeredRanges(watchedSinceMs: number | null, now: number): ResponseHours[] {
  const watchedMs = watchedSinceMs === null ? 0 : now - watchedSinceMs
  return ranges.filter((_, index) => index === 0 || watchedMs >= Number(ranges[index - 1]) * hourMs)
}

/** A day, once the monitor has been watched for more than an hour: in a longer one the first checks are a single point. */
export function usualRange(offered: readonly ResponseHours[]): ResponseHours {
  return offered.includes('24') ? '24' : '1'
}

/** Percentiles are kept of whole hours: of a time that is told in shorter steps there are none. */
export function hasPercentiles(range: ChartRange, now: number): boolean {
  if (!isChosen(range)) return Number(range) >= 168
  const [since, until] = [Date.parse(range.since), Date.parse(range.until)]
  return now - since > 24 * hourMs || until - since > 45 * hourMs
}

/** Three times as long, with the present time in its middle, and not beyond now. */
export function wider({ since, until }: Chosen, now: number): Chosen {
  const [from, to] = [Date.parse(since), Date.parse(until)]
  const end = Math.min(now, to + (to - from))
  return { since: isoOf(Math.max(end - 3 * (to - from), end - 366 * 24 * hourMs)), until: isoOf(end) }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
