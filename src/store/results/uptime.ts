import type { DayCounts } from '#core/results/uptime.ts'
import type { ProblemRecord } from '#core/results/uptime-bars.ts'
import { dayOfNumber } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { isTimed } from './timed-checks.ts'

// The callers have looked the monitor up in its workspace: `monitorKey` is nothing a caller can name.

/** A flapping monitor may have thousands; the newest are shown. */
const maxProblems = 1000

/** The days that had checks, oldest first: one row a day, for ever. */
export async function readDays(
  { planned }: Pick<Database, 'planned'>,
  { monitorKey, from, to }: { monitorKey: string; from: string; to: string },
): Promise<DayCounts[]> {
  const found = await planned.query<{ days: DayRow[] }>({
    name: 'read_days',
    text: `select ${daysOf({ monitorKey: '$1', from: '$2', to: '$3' })} as days`,
    values: [monitorKey, from, to],
  })
  return (found.rows[0]?.days ?? []).map(toDay)
}

/** A day as the statements below give it: numbers alone, of which a thousand are read in no time. */
export type DayRow = [
  /** Since 1970. */
  day: number,
  checks: number,
  up: number,
  down: number,
  restricted: number,
  latencySumMs: number,
  latencyCount: number,
]

export function toDay([day, checks, up, down, restricted, latencySumMs, latencyCount]: DayRow): DayCounts {
  return { date: dayOfNumber(day), checks, up, down, restricted, latencySumMs, latencyCount }
}

/** A problem as the statement below gives it, times in ISO 8601 to the microsecond. */
export type ProblemRow = [
  startedAt: string,
  endedAt: string | null,
  status: ProblemRecord['status'],
  error: string | null,
  locations: string[],
  incidentId: string | null,
]

export function toProblem([startedAt, endedAt, status, error, locations, incidentId]: ProblemRow): ProblemRecord {
  return {
    started_at: new Date(startedAt).toISOString(),
    ended_at: endedAt === null ? null : new Date(endedAt).toISOString(),
    status,
    error,
    location_codes: locations,
    incident_id: incidentId,
  }
}

// From here on: parts of statements, with the placeholders of their values.

/** The days that had checks, oldest first, as `DayRow`s. */
export function daysOf({ monitorKey, from, to }: { monitorKey: string; from: string; to: string }): string {
  return `to_json(array(
  select array[${dayNumber('day')}, checks, up, down, restricted, latency_sum_ms, latency_count]
  from uptime_days
  where monitor_key = ${monitorKey}
    and day between ${from}::date and ${to}::date
  order by day
))`
}

/**
 * The sums of whole weeks that had checks, named by their Mondays, or of calendar months, named by their first days, as
 * `DayRow`s, oldest first; nothing for days. `months` are the first days of all months of the history.
 */
export function periodsOf(names: { monitorKey: string; unit: string; months: string; to: string }): string {
  const { monitorKey, unit, to } = names
  return `case ${unit} when 'week' then to_json(array(
  select array[
    ${dayNumber(monday)}, sum(checks), sum(up), sum(down), sum(restricted), sum(latency_sum_ms)::bigint, sum(latency_count)
  ]
  from uptime_days
  where monitor_key = ${monitorKey}
    and day <= ${to}::date
  group by ${monday}
  order by ${monday}
)) when 'month' then to_json(array(
  select array[${dayNumber('month')}, checks, up, down, restricted, latency_sum_ms, latency_count]
  from (${monthSums(names)}) as sums
  order by month
)) else '[]'::json end`
}

const monday = "date_trunc('week', day::timestamp)::date"

/**
 * The sums of the calendar months that had checks up to a day. Ended months are read as sums, which are written when
 * their days are gathered; a month without a sum, such as the current one, is summed from its days.
 */
export function monthSums({ monitorKey, months, to }: { monitorKey: string; months: string; to: string }): string {
  return `
  select month, checks, up, down, restricted, latency_sum_ms, latency_count
  from uptime_months
  where monitor_key = ${monitorKey}
  union all
  select unsummed.month, sums.*
  from unnest(${months}::date[]) as unsummed (month)
  cross join lateral (
    select sum(checks), sum(up), sum(down), sum(restricted), sum(latency_sum_ms)::bigint, sum(latency_count)
    from uptime_days
    where monitor_key = ${monitorKey}
      and day >= unsummed.month
      and day < unsummed.month + interval '1 month'
      and day <= ${to}::date
  ) as sums (checks, up, down, restricted, latency_sum_ms, latency_count)
  where unsummed.month <> all (array(select month from uptime_months where monitor_key = ${monitorKey}))
    and sums.checks is not null`
}

/**
 * The counts of checks since a time, from rows of `results`, without a day. A merged result stands for `repeats` checks
 * and has the exact sum of their latencies; a single one has none.
 */
export function countOf({ source, since }: { source: string; since: string }): string {
  return `(
  select json_build_array(
    coalesce(sum(repeats), 0),
    coalesce(sum(repeats) filter (where status = 'u'), 0),
    coalesce(sum(repeats) filter (where status = 'd'), 0),
    coalesce(sum(repeats) filter (where status = 'g'), 0),
    coalesce(sum(coalesce(latency_sum_ms, latency_ms)) filter (where ${isTimed}), 0),
    coalesce(sum(coalesce(latency_count, (latency_ms is not null)::integer)) filter (where ${isTimed}), 0)
  )
  from ${source}
  where round_at >= ${since}
    and not in_maintenance
)`
}

/** The failures that reach beyond a time, as `ProblemRow`s, newest first. */
export function problemsOf({ monitorKey, since }: { monitorKey: string; since: string }): string {
  return `to_json(array(
  select json_build_array(started_at, ended_at, status, error, locations, incident_id)
  from problems
  where monitor_key = ${monitorKey}
    and (ended_at is null or ended_at > ${since} or started_at >= ${since})
  order by started_at desc
  limit ${maxProblems}
))`
}

function dayNumber(day: string): string {
  return `${day} - date '1970-01-01'`
}
