import assert from 'node:assert/strict'
import type { IncidentRecord } from '#core/incident.ts'
import type { LatencyMembers } from '#core/latency-day.ts'
import { latencyBounds } from '#core/latency-histogram.ts'
import type { ResultRecord } from '#core/result.ts'
import type { DayCounts } from '#core/uptime.ts'
import type { ProblemRecord } from '#core/uptime-bars.ts'
import { periodStarts, periodUnit } from '#core/uptime-history.ts'
import { dayOf, daysFrom, latest } from '#core/utc-day.ts'
import { numberArray } from '#store/array-literal.ts'
import type { Database } from '#store/database.ts'
import { isMissingTable } from '#store/failures.ts'
import { type LatencyRow, describeRows, mergedLatenciesOf, singleLatenciesOf } from '#store/latencies.ts'
import {
  type IncidentRow,
  type IncidentTotals,
  incidentTotalsOf,
  incidentsOf,
  newestIncidentsOf,
  toIncident,
} from '#store/monitor-incidents.ts'
import { partitionName } from '#store/result-partitions.ts'
import { type ResultRow, newestResultsOf, toResult } from '#store/results.ts'
import {
  type DayRow,
  type ProblemRow,
  countOf,
  daysOf,
  periodsOf,
  problemsOf,
  toDay,
  toProblem,
} from '#store/uptime.ts'

export type ReportsRequest = {
  workspaceId: string
  monitorId: string
  monitorKey: string
  kind: string
  /** The first day of the bars, and today. */
  from: string
  today: string
  /** The first day of the whole history; null while there is none. */
  since: string | null
  /** Where `lastDay` begins. */
  lastDaySince: Date
  /** As it was at some earlier moment; null before the first merge. */
  mergedUntil: Date | null
  now: Date
  /** No result is later. */
  until: Date
}

export type Reports = {
  /** Since `from`, and the whole history in periods; those that had checks, oldest first. */
  days: DayCounts[]
  periods: DayCounts[]
  lastDay: Omit<DayCounts, 'date'>
  /** Of the days since `from` that have any. */
  latencies: Map<string, LatencyMembers>
  /** Of the bars, oldest first. */
  problems: ProblemRecord[]
  totals: IncidentTotals
  /** The newest 100, newest first. */
  incidents: IncidentRecord[]
  /** The newest 100 of those that were read, newest first: fewer than there are where there are few a day. */
  results: ResultRecord[]
}

export const reportedCount = 100

/**
 * Everything that is said of a monitor's past, by two statements side by side. What compaction moves lies in one of them,
 * as it was at one moment: on the days before `mergedUntil` no check is single any more.
 */
export async function readReports(source: Pick<Database, 'planned'>, request: ReportsRequest): Promise<Reports> {
  const [recent, past] = await Promise.all([readRecent(source, request), readPast(source, request)])
  const { date: _, ...lastDay } = toDay([0, ...recent.lastDay])
  const days = past.days.map(toDay)
  return {
    days,
    // A history of up to 90 days is shown in days.
    periods: past.periods.length === 0 ? days : past.periods.map(toDay),
    lastDay,
    latencies: describeRows([...past.latencies, ...recent.merged, ...recent.singles]),
    problems: past.problems.map(toProblem).toReversed(),
    totals: past.totals,
    incidents: past.incidents.map(toIncident),
    results: recent.results.map((result) => toResult(result, request)),
  }
}

/** Of the last day's results, and of the days that are not wholly merged. */
async function readRecent({ planned }: Pick<Database, 'planned'>, request: ReportsRequest): Promise<RecentRow> {
  const { monitorKey, from, lastDaySince, mergedUntil, until } = request
  const barsSince = new Date(`${from}T00:00:00Z`)
  const singlesSince = mergedUntil !== null && mergedUntil > barsSince ? mergedUntil : barsSince
  const recentSince = singlesSince < lastDaySince ? singlesSince : lastDaySince
  const bounds = numberArray(latencyBounds)
  const values = [monitorKey, from, lastDaySince, recentSince, until, bounds, firstUnmergedDay(request)]
  const read = async (statement: { name: string; text: string }): Promise<RecentRow> =>
    (await planned.query<RecentRow>({ ...statement, values })).rows[0] ?? assert.fail()
  const first = dayOf(lastDaySince)
  if (dayOf(recentSince) < first) return read(recentOfAnyDays)
  return read(recentOf(first, dayOf(until))).catch((error: unknown) => {
    if (isMissingTable(error)) return read(recentOfAnyDays)
    throw error
  })
}

/** Days with their latencies once they are merged, periods, failures and incidents. */
async function readPast({ planned }: Pick<Database, 'planned'>, request: ReportsRequest): Promise<PastRow> {
  const { monitorKey, from, today, since, now, workspaceId, monitorId } = request
  const unit = since === null ? 'day' : periodUnit(since, today)
  const months = since !== null && unit === 'month' ? periodStarts(unit, { since, today }) : []
  const values = [monitorKey, from, today, unit, months, now, workspaceId, monitorId, firstUnmergedDay(request)]
  const found = await planned.query<PastRow>({ name: 'read_past_reports', text: pastStatement, values })
  return found.rows[0] ?? assert.fail()
}

/** Of the bars' days the first that may have single checks. */
function firstUnmergedDay({ from, mergedUntil }: ReportsRequest): string {
  return mergedUntil === null ? from : latest(from, dayOf(mergedUntil))
}

type RecentRow = {
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

const monitorKey = '$1'
const from = '$2'
const barsSince = '$2::date::timestamptz'

/**
 * By the names of the days' tables, which are made a week ahead and kept for two days and more: a statement on `results`
 * locks every day's table when it begins, and is planned anew, for all of them, whenever one is rewritten.
 */
function recentOf(first: string, last: string): { name: string; text: string } {
  const tables = daysFrom(first, last).map(partitionName)
  return { name: `read_recent_reports_${first}_${last}`, text: recentStatement(tables) }
}

// What several parts are made of is read once: the results of the last day and those not merged yet, of which slow
// monitors have few a day. What most parts ask of a result comes first: all columns before are unpacked with it.
function recentStatement(tables: readonly string[]): string {
  return `
with recent as materialized (${tables.map(recentFrom).join('\n  union all')}
)
select
  ${countOf({ source: 'recent', since: '$3' })} as "lastDay",
  ${mergedLatenciesOf({ monitorKey, from: '$7' })} as merged,
  ${singleLatenciesOf({ source: 'recent', monitorKey, from, bounds: '$6' })} as singles,
  ${newestResultsOf({ source: 'recent', limit: reportedCount })} as results`
}

function recentFrom(table: string): string {
  return `
  select
    round_at, in_maintenance, status, latency_ms, repeats, latency_sum_ms, latency_count,
    dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms,
    location, status_code, last_checked_at, latency_max_ms, error, details
  from ${table}
  where monitor_key = ${monitorKey}
    and round_at >= $4
    and round_at < $5`
}

const recentOfAnyDays = { name: 'read_recent_reports', text: recentStatement(['results']) }

const pastStatement = `
with of_monitor as materialized (${incidentsOf({ workspaceId: '$7', monitorId: '$8' })})
select
  ${daysOf({ monitorKey, from, to: '$3' })} as days,
  ${periodsOf({ monitorKey, unit: '$4', months: '$5', to: '$3' })} as periods,
  ${mergedLatenciesOf({ monitorKey, from, before: '$9' })} as latencies,
  ${problemsOf({ monitorKey, since: barsSince })} as problems,
  ${incidentTotalsOf({ source: 'of_monitor', recentSince: barsSince, now: '$6' })} as totals,
  ${newestIncidentsOf({ source: 'of_monitor', limit: reportedCount })} as incidents`
