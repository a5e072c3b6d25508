// From what was read of a period to what its report says.
import { averageLatency, uptimePercent, watchedSince } from '#core/results/uptime.ts'
import { mergeHistograms, percentilesOf } from '#core/results/latency-histogram.ts'
import { type ReportContent, type ReportTotals, type ReportedMonitor, most } from './report-content.ts'
import { type ReportPeriod, periodAfter, periodBefore } from './report-period.ts'
import { notesOf } from './report-notes.ts'
import type { MonitorPast, MonitorReading, ReportReadings, SlowReading } from './report-readings.ts'

export type ReportFrame = {
  report: { id: string; name: string; objective: number }
  period: ReportPeriod
  now: Date
}

/** The monitors whose response times are asked for next, those that are told as the slowest. */
export function slowestOf(monitors: readonly MonitorReading[]): MonitorReading[] {
  return monitors
    .filter(({ past }) => past.counts.latencyCount > 0)
    .toSorted((one, other) => meanOf(other) - meanOf(one))
    .slice(0, most.slowest)
}

function meanOf({ past: { counts } }: MonitorReading): number {
  return counts.latencySumMs / counts.latencyCount
}

export function computeReport(
  { report, period, now }: ReportFrame,
  readings: ReportReadings,
  slow: readonly SlowReading[],
): ReportContent {
  const { objective } = report
  const told = readings.monitors.map((monitor) => toReported(monitor, { objective, period })).toSorted(worstFirst)
  const totals = totalsOf(readings.monitors.map(({ past }) => past))
  const { workspace, incidents, expiring, expiring_count, findings, exposures, acknowledged } = readings
  return {
    report: { id: report.id, name: report.name },
    workspace,
    period: toShown(period, now),
    generated_at: now.toISOString(),
    objective,
    totals: { ...totals, met: isMet(totals.uptime, objective) },
    previous: totalsOf(readings.monitors.map(({ previous }) => previous)),
    monitor_count: readings.monitors.length + readings.leftOut,
    missed_count: told.filter(({ met }) => met === false).length,
    monitors: told.slice(0, most.monitors),
    acknowledged_count: acknowledged.count,
    mean_seconds_to_acknowledge: acknowledged.meanSeconds,
    mean_seconds_to_recover: readings.meanSecondsToRecover,
    incidents,
    slowest: toSlowest(readings.monitors, slow),
    expiring_count,
    expiring,
    findings,
    exposures,
    notes: notesOf(readings, { told, period }),
  }
}

function toShown(period: ReportPeriod, now: Date): ReportContent['period'] {
  const { key, type, timeZone, firstDay, lastDay, from, until } = period
  const next = periodAfter(period)
  return {
    key,
    type,
    time_zone: timeZone,
    first_day: firstDay,
    last_day: lastDay,
    starts_at: from.toISOString(),
    ends_at: until.toISOString(),
    previous_key: periodBefore(period).key,
    next_key: next.until <= now ? next.key : null,
  }
}

/**
 * Each monitor weighs the same, however often it is checked
 * (docs/decisions/reports.md, "The mean of the monitors").
 */
function totalsOf(pasts: readonly MonitorPast[]): ReportTotals {
  const shares = pasts.flatMap(({ counts: { checks, down } }) => (checks === 0 ? [] : (checks - down) / checks))
  const sum = shares.reduce((total, share) => total + share, 0)
  return {
    uptime: shares.length === 0 ? null : Math.round((100_000 * sum) / shares.length) / 1000,
    downtime_seconds: pasts.reduce((total, { downtimeSeconds }) => total + downtimeSeconds, 0),
    incidents: pasts.reduce((total, { incidents }) => total + incidents, 0),
  }
}

function toReported(
  { id, name, createdAt, since, past, previous }: MonitorReading,
  { objective, period }: { objective: number; period: ReportPeriod },
): ReportedMonitor {
  const uptime = uptimePercent(past.counts)
  const watched = watchedSince({ createdAt, since })
  return {
    id,
    name,
    uptime,
    met: isMet(uptime, objective),
    previous_uptime: uptimePercent(previous.counts),
    downtime_seconds: past.downtimeSeconds,
    incidents: past.incidents,
    measured_since: watched !== null && watched > period.from ? watched.toISOString() : null,
  }
}

/** What is compared is what is shown, so that no report calls 99.9 a miss of 99.9. */
function isMet(uptime: number | null, objective: number): boolean | null {
  return uptime === null ? null : uptime >= objective
}

/** The lowest uptime first; monitors of which nothing is known come last. */
function worstFirst(one: ReportedMonitor, other: ReportedMonitor): number {
  const [rank, otherRank] = [one.uptime ?? Infinity, other.uptime ?? Infinity]
  if (rank !== otherRank) return rank - otherRank
  return other.downtime_seconds - one.downtime_seconds || one.name.localeCompare(other.name)
}

function toSlowest(monitors: readonly MonitorReading[], slow: readonly SlowReading[]): ReportContent['slowest'] {
  const byId = new Map(slow.map((reading) => [reading.id, reading]))
  return slowestOf(monitors).map(({ id, name, past, previous }) => {
    const { days = [], previousDays = [] } = byId.get(id) ?? {}
    return {
      id,
      name,
      latency_ms: averageLatency({ ...past.counts, up: 0, restricted: 0 }) ?? 0,
      p95_ms: percentilesOf(mergeHistograms(days)).p95_ms,
      previous_latency_ms: averageLatency({ ...previous.counts, up: 0, restricted: 0 }),
      previous_p95_ms: percentilesOf(mergeHistograms(previousDays)).p95_ms,
    }
  })
}
