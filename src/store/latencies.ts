import type { LatencyDay } from '#core/latency-day.ts'
import { latencyBounds } from '#core/latency-histogram.ts'
import { numberArray, readNumberArray } from '#store/array-literal.ts'
import type { Database } from '#store/database.ts'

export type LatencyRequest = {
  monitorKey: string
  /** The first UTC day. */
  from: string
  /** Singles before it need not be looked for: `merged_until` as it was at some earlier moment, or the start of `from`. */
  singlesSince: Date
  /** No result is later. */
  until: Date
}

/**
 * What the successful checks of each day took: of those that are merged from `latency_days`, of the others from the
 * results themselves, so that a day may come in two parts. It is one statement because compaction moves checks from
 * here to there at any time: one snapshot counts each of them once.
 */
export async function readLatencies(
  { pool }: Pick<Database, 'pool'>,
  { monitorKey, from, singlesSince, until }: LatencyRequest,
): Promise<LatencyDay[]> {
  const found = await pool.query<LatencyRow>({
    name: 'read_latencies',
    text: latenciesStatement,
    values: [monitorKey, from, singlesSince, until, numberArray(latencyBounds)],
  })
  return found.rows.map(({ date, slots, counts, phaseSumsMs, phaseCounts }) => ({
    date,
    histogram: { slots: readNumberArray(slots), counts: readNumberArray(counts) },
    phaseSumsMs: readNumberArray(phaseSumsMs),
    phaseCounts: readNumberArray(phaseCounts),
  }))
}

type LatencyRow = { date: string; slots: string; counts: string; phaseSumsMs: string; phaseCounts: string }

const latenciesStatement = `
select
  day::text as date, slots::text as slots, counts::text as counts, phase_sums_ms::text as "phaseSumsMs",
  phase_counts::text as "phaseCounts"
from latency_days
where monitor_key = $1
  and day >= $2::date
union all
select
  day::text,
  coalesce(array_agg(slot order by slot) filter (where slot is not null), '{}')::text,
  coalesce(array_agg(checks order by slot) filter (where slot is not null), '{}')::text,
  array[sum(dns_ms), sum(connect_ms), sum(tls_ms), sum(ttfb_ms), sum(transfer_ms)]::text,
  array[sum(dns), sum(connect), sum(tls), sum(ttfb), sum(transfer)]::text
from (
  select
    (round_at at time zone 'UTC')::date as day,
    width_bucket(latency_ms, $5::integer[]) as slot,
    count(*) as checks,
    coalesce(sum(dns_ms), 0) as dns_ms, count(dns_ms) as dns,
    coalesce(sum(connect_ms), 0) as connect_ms, count(connect_ms) as connect,
    coalesce(sum(tls_ms), 0) as tls_ms, count(tls_ms) as tls,
    coalesce(sum(ttfb_ms), 0) as ttfb_ms, count(ttfb_ms) as ttfb,
    coalesce(sum(transfer_ms), 0) as transfer_ms, count(transfer_ms) as transfer
  from results
  where monitor_key = $1
    and round_at >= $3
    and round_at < $4
    and round_at >= coalesce((select merged_until from result_merges where monitor_key = $1), '-infinity')
    and round_at >= $2::date::timestamptz
    and status = 'u'
  group by 1, 2
) as singles
group by day`
