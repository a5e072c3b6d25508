import assert from 'node:assert/strict'
import type { IncidentRecord } from '#core/incidents/incident.ts'
import type { LatencyMembers } from '#core/results/latency-day.ts'
import { latencyBounds } from '#core/results/latency-histogram.ts'
import type { ResultRecord } from '#core/results/result.ts'
import type { DayCounts } from '#core/results/uptime.ts'
import type { ProblemRecord } from '#core/results/uptime-bars.ts'
import { periodStarts, periodUnit } from '#core/results/uptime-history.ts'
import { dayOf, daysFrom, startOf } from '#core/language/utc-day.ts'
import { numberArray } from '#store/database/array-literal.ts'
import type { Database } from '#store/database/database.ts'
import { isMissingTable } from '#store/database/database-failures.ts'
import { type LatencyRow, describeRows, mergedLatenciesOf, singleLatenciesOf } from '#store/results/latencies.ts'
import {
  type IncidentRow,
  type IncidentTotals,
  incidentTotalsOf,
  incidentsOf,
  newestIncidentsOf,
  toIncident,
} from '#store/incidents/monitor-incidents.ts'
import type { ReportBounds } from './report-bounds.ts'
import { partitionName } from '#store/results/result-partitions.ts'
import { type ResultRow, newestResultsOf, toResult } from '#store/results/results.ts'
import {
  type DayRow,
  type ProblemRow,
  countOf,
  daysOf,
  periodsOf,
  problemsOf,
  toDay,
  toProblem,
} from '#store/results/uptime.ts'

export type ReportsRequest = {
  workspaceId: string
  monitorId: string
  /** The first day of the bars, and today. */
  from: string
  today: string
  /** Where `lastDay` begins. */
  lastDaySince: Date
  now: Date
  /** No result is later. */
  until: Date
}

/** `mergedUntil` as it was at some earlier moment; null before the first merge. */
type Known = { past: Pick<ReportBounds, 'monitorKey' | 'kind' | 'createdAt' | 'since' | 'mergedUntil'> }

export type Reports = {
  /** The days since `from`, and the whole history in periods, as far as they had checks, oldest first. */
  days: DayCounts[]
  periods: DayCounts[]
  lastDay: Omit<DayCounts, 'date'>
  /** By day since `from`; days without response times are missing. */
  latencies: Map<string, LatencyMembers>
  /** The failures of the days of the bars, oldest first. */
  problems: ProblemRecord[]
  totals: IncidentTotals
  /** The newest 100, newest first. */
  incidents: IncidentRecord[]
  /** Newest first, at most 100. */
  results: ResultRecord[]
  /** Where a monitor has few results a day, older ones may exist that were not read. */
  mayHaveOlder: boolean
}

export const reportedCount = 100
/** A statement names at most so many tables of days; of more days it reads `results` instead. */
const maxNamedDays = 7
/** PostgreSQL says when a monitor was made, and an engine when it was checked. */
const clocksApartMs = 3_600_000

/**
 * A monitor's whole past, read by two statements side by side. The one on recent results reads everything that
 * compaction may move meanwhile, so that each check is counted once: before its first day every check is merged. That
 * day follows from what `finding` finds; the statement begins without it, because most monitors are merged within a
 * day.
 */
export async function readReports(source: Source, request: ReportsRequest, finding: Promise<Known>): Promise<Reports> {
  const [recent, past, known] = await Promise.all([
    readRecent(source, request, finding),
    finding.then((found) => readPast(source, request, found)),
    finding,
  ])
  const { date: _, ...lastDay } = toDay([0, ...recent.lastDay])
  const days = past.days.map(toDay)
  const named = { monitorId: request.monitorId, kind: known.past.kind }
  return {
    days,
    // A history of up to 90 days is shown in days.
    periods: past.periods.length === 0 ? days : past.periods.map(toDay),
    lastDay,
    latencies: describeRows([...past.latencies, ...recent.merged, ...recent.singles]),
    problems: past.problems.map(toProblem).toReversed(),
    totals: past.totals,
    incidents: past.incidents.map(toIncident),
    results: recent.results.map((result) => toResult(result, named)),
    mayHaveOlder: firstCheckOf(known.past) < request.lastDaySince,
  }
}

type Source = Pick<Database, 'planned'>

/** Reads the results of the last day, and of the days that are not wholly merged. */
async function readRecent(source: Source, request: ReportsRequest, finding: Promise<Known>): Promise<RecentRow> {
  const { lastDaySince } = request
  const [{ past }, lastDay] = await Promise.all([finding, readRecentSince(source, request, lastDaySince)])
  const since = firstUnmerged(request, past)
  const isAll = [since, firstUnmerged(request, { ...past, mergedUntil: lastDay.mergedUntil })].every(
    (first) => first >= lastDaySince,
  )
  return isAll ? lastDay : readRecentSince(source, request, since)
}

async function readRecentSince({ planned }: Source, request: ReportsRequest, since: Date): Promise<RecentRow> {
  const { workspaceId, monitorId, from, lastDaySince, until } = request
  const first = dayOf(since)
  const values = [workspaceId, monitorId, from, lastDaySince, since, until, numberArray(latencyBounds), first]
  const read = async (statement: { name: string; text: string }): Promise<RecentRow> =>
    (await planned.query<RecentRow>({ ...statement, values })).rows[0] ?? assert.fail()
  const days = daysFrom(first, dayOf(until))
  if (days.length > maxNamedDays) return read(recentOfAnyDays)
  return read(recentOf(days)).catch((error: unknown) => {
    if (isMissingTable(error)) return read(recentOfAnyDays)
    throw error
  })
}

/** Days with their latencies once they are merged, periods, failures and incidents. */
async function readPast({ planned }: Source, request: ReportsRequest, { past }: Known): Promise<PastRow> {
  const { from, today, now, workspaceId, monitorId } = request
  const { monitorKey, since } = past
  const unit = since === null ? 'day' : periodUnit(since, today)
  const months = since !== null && unit === 'month' ? periodStarts(unit, { since, today }) : []
  const unmerged = dayOf(firstUnmerged(request, past))
  const values = [monitorKey, from, today, unit, months, now, workspaceId, monitorId, unmerged]
  const found = await planned.query<PastRow>({ name: 'read_past_reports', text: pastStatement, values })
  return found.rows[0] ?? assert.fail()
}

/** From when on a check of the bars, or of the last day, may be single. A monitor has none from before it was made. */
function firstUnmerged({ from, lastDaySince }: ReportsRequest, bounds: Bounds): Date {
  const first = Math.max(startOf(from).getTime(), firstCheckOf(bounds).getTime(), bounds.mergedUntil?.getTime() ?? 0)
  return new Date(Math.min(first, lastDaySince.getTime()))
}

/** No check of a monitor is earlier. */
function firstCheckOf({ createdAt }: Pick<ReportBounds, 'createdAt'>): Date {
  return new Date(createdAt.getTime() - clocksApartMs)
}

type Bounds = Pick<ReportBounds, 'createdAt' | 'mergedUntil'>

type RecentRow = {
  mergedUntil: Date | null
  lastDay: [checks: number, up: number, down: number, restricted: number, latencySumMs: number, latencyCount: number]
  merged: LatencyRow[]
  singles: LatencyRow[]
  results: ResultRow[]
}

type PastRow = {
  days: DayRow[]
  periods: DayRow[]
  latencies: LatencyRow[]
  problems: ProblemRow[]
  totals: IncidentTotals
  incidents: IncidentRow[]
}

/**
 * By the names of the days' tables, which are made a week ahead and kept for two days and more: a statement on
 * `results` locks every day's table when it begins, and is planned anew, for all of them, whenever one is rewritten.
 */
function recentOf(days: readonly string[]): { name: string; text: string } {
  return { name: `read_recent_reports_${days[0]}_${days.at(-1)}`, text: recentStatement(days.map(partitionName)) }
}

// What several parts are made of is read once: the results of the last day and those not merged yet, of which slow
// monitors have few a day. The newest are read again, by the index, since hardly any column of theirs is of use elsewhere.
function recentStatement(tables: readonly string[]): string {
  const monitorKey = '(select key from monitor)'
  const ofMonitor = `monitor_key = ${monitorKey} and round_at >= $5 and round_at < $6`
  return `
with monitor as materialized (
  select key from monitors where workspace_id = $1 and id = $2
), recent as materialized (${tables
    .map(
      (table) => `
  select
    round_at, in_maintenance, status, latency_ms, repeats, latency_sum_ms, latency_count,
    dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms
  from ${table}
  where ${ofMonitor}`,
    )
    .join('\n  union all')}
)
select
  (select merged_until from result_merges where monitor_key = ${monitorKey}) as "mergedUntil",
  ${countOf({ source: 'recent', since: '$4' })} as "lastDay",
  ${mergedLatenciesOf({ monitorKey, from: '$8' })} as merged,
  ${singleLatenciesOf({ source: 'recent', monitorKey, from: '$3', bounds: '$7' })} as singles,
  ${newestResultsOf({ sources: tables.map((table) => `${table} where ${ofMonitor}`), limit: reportedCount })} as results`
}

const recentOfAnyDays = { name: 'read_recent_reports', text: recentStatement(['results']) }

const monitorKey = '$1'
const from = '$2'
const barsSince = '$2::date::timestamptz'

const pastStatement = `
with of_monitor as materialized (${incidentsOf({ workspaceId: '$7', monitorId: '$8' })})
select
  ${daysOf({ monitorKey, from, to: '$3' })} as days,
  ${periodsOf({ monitorKey, unit: '$4', months: '$5', to: '$3' })} as periods,
  ${mergedLatenciesOf({ monitorKey, from, before: '$9' })} as latencies,
  ${problemsOf({ monitorKey, since: barsSince })} as problems,
  ${incidentTotalsOf({ source: 'of_monitor', recentSince: barsSince, now: '$6' })} as totals,
  ${newestIncidentsOf({ source: 'of_monitor', limit: reportedCount })} as incidents`
