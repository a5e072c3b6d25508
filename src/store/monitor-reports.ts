import assert from 'node:assert/strict'
import type { IncidentRecord } from '#core/incident.ts'
import type { LatencyDay } from '#core/latency-day.ts'
import { latencyBounds } from '#core/latency-histogram.ts'
import type { ResultRecord } from '#core/result.ts'
import type { DayCounts } from '#core/uptime.ts'
import type { ProblemRecord } from '#core/uptime-bars.ts'
import type { PeriodUnit } from '#core/uptime-history.ts'
import { numberArray } from '#store/array-literal.ts'
import type { Database } from '#store/database.ts'
import { type LatencyRow, mergedLatenciesOf, singleLatenciesOf, toLatencyDay } from '#store/latencies.ts'
import {
  type IncidentRow,
  type IncidentTotals,
  incidentTotalsOf,
  incidentsOf,
  newestIncidentsOf,
  toIncident,
} from '#store/monitor-incidents.ts'
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
  /** Of the whole history. */
  unit: PeriodUnit
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
  /** Since `from`, a day in up to two parts. */
  latencies: LatencyDay[]
  /** Of the bars, oldest first. */
  problems: ProblemRecord[]
  totals: IncidentTotals
  /** The newest 100, newest first. */
  incidents: IncidentRecord[]
  /** The newest 100 of those that were read, newest first: fewer than there are where there are few a day. */
  results: ResultRecord[]
}

export const reportedCount = 100

/** Everything that is said of a monitor's past, as it was at one moment. */
export async function readReports({ planned }: Pick<Database, 'planned'>, request: ReportsRequest): Promise<Reports> {
  const { monitorKey, from, today, unit, lastDaySince, mergedUntil, now, until, workspaceId, monitorId } = request
  const barsSince = new Date(`${from}T00:00:00Z`)
  const singlesSince = mergedUntil !== null && mergedUntil > barsSince ? mergedUntil : barsSince
  const recentSince = singlesSince < lastDaySince ? singlesSince : lastDaySince
  const found = await planned.query<Row>({
    name: 'read_reports',
    text: statement,
    values: [
      monitorKey,
      from,
      today,
      unit,
      lastDaySince,
      recentSince,
      until,
      numberArray(latencyBounds),
      now,
      workspaceId,
      monitorId,
    ],
  })
  const [row] = found.rows
  assert.ok(row)
  return toReports(row, request)
}

type Row = {
  days: DayRow[]
  periods: DayRow[]
  lastDay: [checks: number, up: number, down: number, restricted: number, latencySumMs: number, latencyCount: number]
  merged: LatencyRow[]
  singles: LatencyRow[]
  problems: ProblemRow[]
  totals: IncidentTotals
  incidents: IncidentRow[]
  results: ResultRow[]
}

function toReports(row: Row, ofMonitor: { monitorId: string; kind: string }): Reports {
  const { date: _, ...lastDay } = toDay([0, ...row.lastDay])
  return {
    days: row.days.map(toDay),
    periods: row.periods.map(toDay),
    lastDay,
    latencies: [...row.merged, ...row.singles].map(toLatencyDay),
    problems: row.problems.map(toProblem).toReversed(),
    totals: row.totals,
    incidents: row.incidents.map(toIncident),
    results: row.results.map((result) => toResult(result, ofMonitor)),
  }
}

const monitorKey = '$1'
const from = '$2'
const barsSince = '$2::date::timestamptz'
const ofMonitor = { workspaceId: '$10', monitorId: '$11' }

// What several parts are made of is read once: all incidents, the results of the last day and those not merged yet, of
// which slow monitors have few a day.
const statement = `
with recent as materialized (
  select *
  from results
  where monitor_key = ${monitorKey}
    and round_at >= $6
    and round_at < $7
), of_monitor as materialized (${incidentsOf(ofMonitor)}
)
select
  ${daysOf({ monitorKey, from, to: '$3' })} as days,
  ${periodsOf({ monitorKey, unit: '$4', to: '$3' })} as periods,
  ${countOf({ source: 'recent', since: '$5' })} as "lastDay",
  ${mergedLatenciesOf({ monitorKey, from })} as merged,
  ${singleLatenciesOf({ source: 'recent', monitorKey, from, bounds: '$8' })} as singles,
  ${problemsOf({ monitorKey, since: barsSince })} as problems,
  ${incidentTotalsOf({ source: 'of_monitor', recentSince: barsSince, now: '$9' })} as totals,
  ${newestIncidentsOf({ source: 'of_monitor', limit: reportedCount })} as incidents,
  ${newestResultsOf({ source: 'recent', limit: reportedCount })} as results`
