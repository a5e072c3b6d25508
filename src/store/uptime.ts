import assert from 'node:assert/strict'
import type { DayCounts } from '#core/uptime.ts'
import type { ProblemRecord } from '#core/uptime-bars.ts'
import type { PeriodUnit } from '#core/uptime-history.ts'
import type { Database } from '#store/database.ts'

// The callers have looked the monitor up in its workspace: `monitorKey` is nothing a caller can name.

/** A flapping monitor may have thousands; the newest are shown. */
const maxProblems = 1000

/** The days that had checks, oldest first: one row a day, for ever. */
export async function readDays(
  { pool }: Pick<Database, 'pool'>,
  { monitorKey, from, to }: { monitorKey: string; from: string; to: string },
): Promise<DayCounts[]> {
  const found = await pool.query<DayCounts>({
    name: 'read_days',
    text: daysStatement,
    values: [monitorKey, from, to],
  })
  return found.rows
}

/** The sums of whole weeks or months that had checks, named by their first days, oldest first. */
export async function readPeriods(
  { pool }: Pick<Database, 'pool'>,
  { monitorKey, unit, to }: { monitorKey: string; unit: PeriodUnit; to: string },
): Promise<DayCounts[]> {
  const found = await pool.query<DayCounts>({
    name: 'read_periods',
    text: periodsStatement,
    values: [monitorKey, unit, to],
  })
  return found.rows
}

/** What the checks since a time came to, counted from the results themselves. No result is later than `until`. */
export async function countSince(
  { pool }: Pick<Database, 'pool'>,
  { monitorKey, since, until }: { monitorKey: string; since: Date; until: Date },
): Promise<Omit<DayCounts, 'date'>> {
  const found = await pool.query<Omit<DayCounts, 'date'>>({
    name: 'count_results_since',
    text: countStatement,
    values: [monitorKey, since, until],
  })
  const [row] = found.rows
  assert.ok(row)
  return row
}

/** The failures that reach beyond a time, oldest first. */
export async function listProblems(
  { pool }: Pick<Database, 'pool'>,
  { monitorKey, since }: { monitorKey: string; since: Date },
): Promise<ProblemRecord[]> {
  const found = await pool.query<ProblemRow>({
    name: 'list_problems',
    text: problemsStatement,
    values: [monitorKey, since],
  })
  return found.rows.map(toProblem).toReversed()
}

type ProblemRow = {
  started_at: Date
  ended_at: Date | null
  status: ProblemRecord['status']
  error: string | null
  locations: string[]
  incident_id: string | null
}

function toProblem(row: ProblemRow): ProblemRecord {
  return {
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    status: row.status,
    error: row.error,
    location_codes: row.locations,
    incident_id: row.incident_id,
  }
}

const problemsStatement = `
select started_at, ended_at, status, error, locations, incident_id
from problems
where monitor_key = $1
  and (ended_at is null or ended_at > $2 or started_at >= $2)
order by started_at desc
limit ${maxProblems}`

const daysStatement = `
select
  day::text as date, checks, up, down, restricted, latency_sum_ms::float8 as "latencySumMs",
  latency_count as "latencyCount"
from uptime_days
where monitor_key = $1
  and day between $2::date and $3::date
order by day`

// Weeks of PostgreSQL begin on Mondays.
const periodsStatement = `
select
  start::date::text as date, checks::float8, up::float8, down::float8, restricted::float8,
  latency_sum_ms::float8 as "latencySumMs", latency_count::float8 as "latencyCount"
from (
  select
    date_trunc($2, day::timestamp) as start, sum(checks) as checks, sum(up) as up, sum(down) as down,
    sum(restricted) as restricted, sum(latency_sum_ms) as latency_sum_ms, sum(latency_count) as latency_count
  from uptime_days
  where monitor_key = $1
    and day <= $3::date
  group by 1
) as periods
order by start`

// A merged result stands for `repeats` checks and has the exact sum of their latencies; a single one has none.
const countStatement = `
select
  coalesce(sum(repeats), 0)::float8 as checks,
  coalesce(sum(repeats) filter (where status = 'u'), 0)::float8 as up,
  coalesce(sum(repeats) filter (where status = 'd'), 0)::float8 as down,
  coalesce(sum(repeats) filter (where status = 'g'), 0)::float8 as restricted,
  coalesce(sum(coalesce(latency_sum_ms, latency_ms)) filter (where status = 'u'), 0)::float8 as "latencySumMs",
  coalesce(
    sum(coalesce(latency_count, (latency_ms is not null)::integer)) filter (where status = 'u'), 0
  )::float8 as "latencyCount"
from results
where monitor_key = $1
  and round_at >= $2
  and round_at < $3`
