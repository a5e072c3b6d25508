import { type LatencyDay, type LatencyMembers, describeLatencies } from '#core/results/latency-day.ts'
import { dayOfNumber } from '#core/language/utc-day.ts'
import { isTimed } from './timed-checks.ts'

// Response times of the checks of each day that were not down: from `latency_days` for merged checks, from the results for the
// others, so a day may come in two parts. Days that are not wholly merged need both parts in one statement, because
// merging moves checks from one to the other at any time, and one snapshot counts each of them once.

/** A day, counted since 1970, as the parts of statements below give it. */
type CountedRow = [day: number, slots: number[], counts: number[], phaseSumsMs: number[], phaseCounts: number[]]
/** A day that has ended: p50, p95, p99, and the means of the phases. */
type SummedRow = [day: number, summaryMs: (number | null)[]]
export type LatencyRow = CountedRow | SummedRow

/** The figures of each day, from whichever parts it has. */
export function describeRows(rows: readonly LatencyRow[]): Map<string, LatencyMembers> {
  const counted = describeLatencies(rows.filter(isCounted).map(toLatencyDay))
  const summed = rows
    .filter((row) => !isCounted(row))
    .map(([day, told]) => [dayOfNumber(day), membersOf(told)] as const)
  return new Map([...summed, ...counted])
}

function isCounted(row: LatencyRow): row is CountedRow {
  return row.length > 2
}

function toLatencyDay([day, slots, counts, phaseSumsMs, phaseCounts]: CountedRow): LatencyDay {
  return { date: dayOfNumber(day), histogram: { slots, counts }, phaseSumsMs, phaseCounts }
}

function membersOf(told: readonly (number | null)[]): LatencyMembers {
  const [p50 = null, p95 = null, p99 = null, dns = null, connect = null, tls = null, ttfb = null, transfer = null] =
    told
  const phases = { dns_ms: dns, connect_ms: connect, tls_ms: tls, ttfb_ms: ttfb, transfer_ms: transfer }
  return { p50_ms: p50, p95_ms: p95, p99_ms: p99, phases }
}

/** Merged checks since a day, and before another day where one is given. */
export function mergedLatenciesOf(names: { monitorKey: string; from: string; before?: string }): string {
  const { monitorKey, from, before } = names
  return `to_json(array(
  select case
    when summary_ms is null
      then json_build_array(day - date '1970-01-01', slots, counts, phase_sums_ms, phase_counts)
    else json_build_array(day - date '1970-01-01', summary_ms)
  end
  from latency_days
  where monitor_key = ${monitorKey}
    and day >= ${from}::date${before === undefined ? '' : `\n    and day < ${before}::date`}
  order by day
))`
}

/** Checks of a day or later that are not merged; `source` are the rows of `results`, `bounds` the slots'. */
export function singleLatenciesOf(names: { source: string; monitorKey: string; from: string; bounds: string }): string {
  const { source, monitorKey, from, bounds } = names
  return `to_json(array(
  select json_build_array(
    day - date '1970-01-01',
    coalesce(array_agg(slot order by slot) filter (where slot is not null), '{}'),
    coalesce(array_agg(checks order by slot) filter (where slot is not null), '{}'),
    array[sum(dns_ms), sum(connect_ms), sum(tls_ms), sum(ttfb_ms), sum(transfer_ms)],
    array[sum(dns), sum(connect), sum(tls), sum(ttfb), sum(transfer)]
  )
  from (
    select
      (round_at at time zone 'UTC')::date as day,
      width_bucket(latency_ms, ${bounds}::integer[]) as slot,
      count(*) as checks,
      coalesce(sum(dns_ms), 0) as dns_ms, count(dns_ms) as dns,
      coalesce(sum(connect_ms), 0) as connect_ms, count(connect_ms) as connect,
      coalesce(sum(tls_ms), 0) as tls_ms, count(tls_ms) as tls,
      coalesce(sum(ttfb_ms), 0) as ttfb_ms, count(ttfb_ms) as ttfb,
      coalesce(sum(transfer_ms), 0) as transfer_ms, count(transfer_ms) as transfer
    from ${source}
    where round_at >= coalesce((select merged_until from result_merges where monitor_key = ${monitorKey}), '-infinity')
      and round_at >= ${from}::date::timestamptz
      and ${isTimed}
      and not in_maintenance
    group by 1, 2
  ) as singles
  group by day
  order by day
))`
}
