// The reports of a monitor worked out from every single check, with nothing of core: what the API's answers must equal.
import type { ResultRow } from './merged-rows.ts'

/** A check that knows whether its response time belongs to the figures. */
export type NaiveCheck = ResultRow & { isTimed: boolean }
type Checks = readonly NaiveCheck[]

/**
 * Figures of response times leave out checks that were down. Before the UTC day on which slow answers began to count,
 * they leave out degraded checks as well.
 */
export function naiveChecks(checks: readonly ResultRow[], slowAnswersSince: string): NaiveCheck[] {
  return checks.map((check) => {
    const isSlow = check.status === 'g'
    const isTimed = check.status !== 'd' && !(isSlow && dateOf(check) < slowAnswersSince)
    return { ...check, isTimed }
  })
}

const dayMs = 86_400_000
const quarterHourMs = 900_000

/** Of a monitor that was made on an earlier day than that of its first check. */
export function naiveUptime(checks: Checks, now: Date) {
  const since = naiveSince(checks)
  const lastDay = checks.filter(
    (check) => msOf(check) >= Math.floor(now.getTime() / quarterHourMs) * quarterHourMs - dayMs,
  )
  const lastDays = (count: number): Checks =>
    checks.filter((check) => dateOf(check) > isoDay(now.getTime() - count * dayMs))
  return {
    day: naivePercent(lastDay),
    week: naivePercent(lastDays(7)),
    month: naivePercent(lastDays(30)),
    average_latency_ms: latencyOf(lastDay),
    watched_since: since === null ? null : `${since}T00:00:00.000Z`,
  }
}

/**
 * The latencies of one location over the last hours, by the beginning of the step. The newest step is the current one.
 */
export function naiveResponses(checks: Checks, shown: NaiveSpan) {
  return naiveSteps(checks, shown).map(({ at, ofStep }) => {
    const latencies = timedLatencies(ofStep)
    return {
      at,
      checks: ofStep.length,
      failed: withStatus(ofStep, 'd'),
      degraded: withStatus(ofStep, 'g'),
      in_maintenance: ofStep.filter(({ inMaintenance }) => inMaintenance).length,
      latency_ms: meanOf(latencies),
      slowest_ms: latencies.length === 0 ? null : Math.max(...latencies),
      phases: naivePhases(ofStep),
    }
  })
}

/** The same of all locations together: of the checks with a response time alone, and with percentiles. */
export function naiveSharedSteps(checks: Checks, shown: NaiveSpan) {
  const timed = checks.filter((check) => timedLatencies([check]).length > 0)
  return naiveSteps(timed, shown).map(({ at, ofStep }) => ({
    at,
    checks: ofStep.length,
    latency_ms: latencyOf(ofStep),
    slowest_ms: Math.max(...timedLatencies(ofStep)),
    p50_ms: naivePercentile(ofStep, 50),
    p95_ms: naivePercentile(ofStep, 95),
    p99_ms: naivePercentile(ofStep, 99),
  }))
}

type NaiveSpan = { now: Date; hours: number; stepMs: number }

function naiveSteps(checks: Checks, { now, hours, stepMs }: NaiveSpan): { at: string; ofStep: NaiveCheck[] }[] {
  const stepOf = (ms: number): number => Math.floor(ms / stepMs)
  const first = stepOf(now.getTime()) - (hours * 3_600_000) / stepMs
  const shown = checks.filter((check) => stepOf(msOf(check)) >= first && stepOf(msOf(check)) <= stepOf(now.getTime()))
  return [...Map.groupBy(shown, (check) => stepOf(msOf(check)))]
    .toSorted(([one], [other]) => one - other)
    .map(([step, ofStep]) => ({ at: new Date(step * stepMs).toISOString(), ofStep }))
}

function timedLatencies(checks: Checks): number[] {
  return checks.flatMap(({ isTimed, latencyMs }) => (isTimed && latencyMs !== null ? [latencyMs] : []))
}

/** The checks of each UTC day. */
export function naiveDays(checks: Checks): Map<string, NaiveCheck[]> {
  return Map.groupBy(checks, dateOf)
}

/** One UptimeDay of the day's checks. */
export function naiveDay(ofDay: Checks, date: string) {
  return { date, ...countsOf(ofDay), restricted: withStatus(ofDay, 'g'), latency_ms: latencyOf(ofDay) }
}

/** A percentile by nearest rank. */
export function naivePercentile(ofDay: Checks, percent: number): number | null {
  const latencies = timedLatencies(ofDay).toSorted((one, other) => one - other)
  return latencies[Math.ceil((latencies.length * percent) / 100) - 1] ?? null
}

export function naivePhases(ofDay: Checks): (number | null)[] {
  const timed = ofDay.filter(({ isTimed }) => isTimed)
  return [0, 1, 2, 3, 4].map((phase) => meanOf(timed.map(({ phasesMs }) => phasesMs[phase] ?? null)))
}

export function naiveSince(checks: Checks): string | null {
  return checks.length === 0 ? null : isoDay(Math.min(...checks.map(msOf)))
}

/** All UTC days from one to the other. */
export function naiveDates(from: string, to: string): string[] {
  const dates: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) dates.push(isoDay(at))
  return dates
}

export function naiveAllTime(checks: Checks, now: Date) {
  const since = naiveSince(checks)
  if (since === null) return { unit: 'day', since, periods: [] }
  const dates = naiveDates(since, isoDay(now.getTime()))
  const starts = {
    day: (date: string): string => date,
    week: (date: string): string => isoDay(Date.parse(date) - ((new Date(date).getUTCDay() + 6) % 7) * dayMs),
    month: (date: string): string => `${date.slice(0, 7)}-01`,
  }
  const unit = (['day', 'week', 'month'] as const).find(
    (one) => one === 'month' || new Set(dates.map((date) => starts[one](date))).size <= 90,
  )
  const startOf = starts[unit ?? 'month']
  const byPeriod = Map.groupBy(checks, (check) => startOf(dateOf(check)))
  const periods = Array.from(Map.groupBy(dates, startOf), ([from, ofPeriod]) => {
    const inPeriod = byPeriod.get(from) ?? []
    const { checks: count, up, down } = countsOf(inPeriod)
    return { from, to: ofPeriod.at(-1), checks: count, up, down, latency_ms: latencyOf(inPeriod) }
  })
  return { unit, since, periods }
}

function countsOf(checks: Checks): { checks: number; up: number; down: number } {
  return { checks: checks.length, up: withStatus(checks, 'u'), down: withStatus(checks, 'd') }
}

function withStatus(checks: Checks, status: string): number {
  return checks.filter((check) => check.status === status).length
}

export function naivePercent(checks: Checks): number | null {
  if (checks.length === 0) return null
  return Math.round((100_000 * (checks.length - withStatus(checks, 'd'))) / checks.length) / 1000
}

function latencyOf(checks: Checks): number | null {
  return meanOf(checks.filter(({ isTimed }) => isTimed).map(({ latencyMs }) => latencyMs))
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.round(known.reduce((sum, value) => sum + value, 0) / known.length)
}

function msOf({ round }: ResultRow): number {
  return round / 1000
}

function dateOf(check: ResultRow): string {
  return isoDay(msOf(check))
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
