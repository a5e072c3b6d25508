// Response times of today in buckets: from `latency_days` for merged checks, from the results for the others. All is read
// in one statement, because merging moves checks from one to the other at any time, and one snapshot counts each of
// them once: what is told of a day never falls.
import { type ResponseBuckets, bucketLatenciesMs, bucketSlots } from '#core/results/response-buckets.ts'
import { addDays, dayOf, startOf } from '#core/language/utc-day.ts'
import { numberArray } from '#store/database/array-literal.ts'
import type { Database } from '#store/database/database.ts'
import { isTimed } from '#store/results/timed-checks.ts'

/**
 * Of the timed checks of the UTC day outside of maintenance, by the monitors' keys. The caller has looked the monitors up
 * in their workspace; one without checks is left out.
 */
export async function readResponseBuckets(
  { pool }: Pick<Database, 'pool'>,
  { monitorKeys, now }: { monitorKeys: readonly number[]; now: Date },
): Promise<Map<number, ResponseBuckets>> {
  if (monitorKeys.length === 0) return new Map()
  const today = dayOf(now)
  // Not a named statement: only with its bounds known PostgreSQL plans for the one day of `results`.
  const found = await pool.query<{ key: number; places: number[]; counts: number[]; sumMs: number }>(statement, [
    numberArray(monitorKeys),
    today,
    startOf(today),
    startOf(addDays(today, 1)),
    numberArray(bucketSlots),
    numberArray(bucketLatenciesMs),
  ])
  return new Map(found.rows.map(({ key, places, counts, sumMs }) => [key, { counts: spread(places, counts), sumMs }]))
}

function spread(places: readonly number[], counts: readonly number[]): number[] {
  const all = Array.from({ length: bucketSlots.length + 1 }, () => 0)
  for (const [at, place] of places.entries()) all[place] = counts[at] ?? 0
  return all
}

const statement = `
with wanted as materialized (
  select w.key, coalesce(r.merged_until, '-infinity') as merged_until
  from unnest($1::bigint[]) as w (key)
  left join result_merges r on r.monitor_key = w.key
), placed as (
  select w.key, width_bucket(told.slot, $5::integer[]) as place, told.checks
  from wanted w
  join latency_days d on d.monitor_key = w.key and d.day = $2::date
  cross join lateral unnest(d.slots, d.counts) as told (slot, checks)
  union all
  select w.key, width_bucket(r.latency_ms, $6::integer[]), 1
  from wanted w
  cross join lateral (
    select latency_ms
    from results
    where monitor_key = w.key
      and round_at >= greatest($3::timestamptz, w.merged_until)
      and round_at >= $3::timestamptz
      and round_at < $4::timestamptz
      and latency_ms is not null
      and ${isTimed}
      and not in_maintenance
    -- Planned for one monitor at a time, so by the index.
    offset 0
  ) as r
), buckets as (
  select key, place, sum(checks) as checks
  from placed
  group by 1, 2
)
select
  b.key::float8 as key, array_agg(b.place order by b.place) as places,
  array_agg(b.checks::integer order by b.place) as counts,
  coalesce((
    select latency_sum_ms
    from uptime_days
    where monitor_key = b.key
      and day = $2::date
  ), 0)::float8 as "sumMs"
from buckets b
group by b.key
order by b.key`
