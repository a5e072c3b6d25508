import type { LatencyDay } from '#core/latency-day.ts'
import { dayOfNumber } from '#core/utc-day.ts'

// What the successful checks of each day took: of those that are merged from `latency_days`, of the others from the
// results themselves, so that a day may come in two parts. Both are for one statement, because compaction moves checks
// from here to there at any time: one snapshot counts each of them once.

/** A day as the parts of statements below give it. */
export type LatencyRow = [
  /** Since 1970. */
  day: number,
  slots: number[],
  counts: number[],
  phaseSumsMs: number[],
  phaseCounts: number[],
]

export function toLatencyDay([day, slots, counts, phaseSumsMs, phaseCounts]: LatencyRow): LatencyDay {
  return { date: dayOfNumber(day), histogram: { slots, counts }, phaseSumsMs, phaseCounts }
}

/** Of the merged checks since a day. */
export function mergedLatenciesOf({ monitorKey, from }: { monitorKey: string; from: string }): string {
  return `to_json(array(
  select json_build_array(day - date '1970-01-01', slots, counts, phase_sums_ms, phase_counts)
  from latency_days
  where monitor_key = ${monitorKey}
    and day >= ${from}::date
  order by day
))`
}

/** Of the checks of a day or later that are not merged; `source` are the rows of `results`, `bounds` the slots'. */
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
      and status = 'u'
      and not in_maintenance
    group by 1, 2
  ) as singles
  group by day
  order by day
))`
}
