// Response times of single hours, for as long as they are known: the table `latency_hours`.
import type { LatencyHistogram } from '#core/results/latency-histogram.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { latencyHourDays } from '#core/results/usual.ts'
import { numberArray } from '#store/database/array-literal.ts'
import type { Database, Transaction } from '#store/database/database.ts'

const rowsAtOnce = 1_000

/** What is known of some hours of a monitor: its timed checks, and on how many UTC days they were. */
export type KnownHours = { histogram: LatencyHistogram; days: number }

/**
 * The checks of these hours of the day, of every day from one time to before another, by the monitors' keys. A monitor
 * of which nothing is known is left out. Results that are not merged yet, those of the last two hours and more, are not
 * there.
 */
export async function readHours(
  { pool }: Pick<Database, 'pool'>,
  wanted: { monitorKeys: readonly number[]; hours: readonly number[]; from: Date; until: Date },
): Promise<Map<number, KnownHours>> {
  const { monitorKeys, hours, from, until } = wanted
  if (monitorKeys.length === 0) return new Map()
  const found = await pool.query<{ key: number; slots: number[]; counts: number[]; days: number }>({
    name: 'read_latency_hours',
    text: readStatement,
    values: [numberArray(monitorKeys), from, until, numberArray(hours)],
  })
  return new Map(found.rows.map(({ key, days, ...histogram }) => [key, { histogram, days }]))
}

/** Deletes hours that are older than 35 days; at most 1,000 rows of six hours a call. */
export async function forgetLatencyHours({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const forgotten = await pool.query(forgetStatement, [new Date(now.getTime() - latencyHourDays * dayMs), rowsAtOnce])
  return forgotten.rowCount ?? 0
}

/**
 * Of another target another response time is usual. Results of the former one that are not merged yet are still counted
 * when they are; they are of some hours and of no three days.
 */
export async function forgetUsual({ client }: Transaction, monitorId: string): Promise<void> {
  await client.query('delete from latency_hours where monitor_key = (select key from monitors where id = $1)', [
    monitorId,
  ])
}

/** In which row of `latency_hours` an hour stands. */
export function startOfSixHours(hour: string): string {
  return `date_bin('6 hours', ${hour}, timestamptz 'epoch')`
}

/** How a slot of an hour is written there: 488 slots and six hours fit a smallint. */
export function hourSlot(hour: string, slot: string): string {
  return `(date_part('hour', ${hour} at time zone 'UTC')::integer % 6 * 512 + ${slot})::smallint`
}

/** The checks of one monitor from one time to before another: of each its hour, its slot, and how many there were. */
export function countedHours(names: { monitorKey: string; from: string; until: string }): string {
  const { monitorKey, from, until } = names
  return `(
    select hour, slot, checks
    from (
      select
        h.starts_at + (coded.slot >> 9) * interval '1 hour' as hour, (coded.slot & 511) as slot, coded.checks
      from latency_hours h
      cross join lateral unnest(h.slots, h.counts) as coded (slot, checks)
      where h.monitor_key = ${monitorKey}
        and h.starts_at > ${from}::timestamptz - interval '6 hours'
        and h.starts_at < ${until}::timestamptz
    ) as of_rows
    where hour >= ${from}::timestamptz
      and hour < ${until}::timestamptz
  )`
}

const readStatement = `
with told as materialized (
  select
    h.monitor_key, (h.starts_at at time zone 'UTC')::date as day, (coded.slot & 511) as slot, coded.checks
  from latency_hours h
  cross join lateral unnest(h.slots, h.counts) as coded (slot, checks)
  where h.monitor_key = any($1::bigint[])
    and h.starts_at > $2::timestamptz - interval '6 hours'
    and h.starts_at < $3::timestamptz
    and h.starts_at + (coded.slot >> 9) * interval '1 hour' >= $2::timestamptz
    and h.starts_at + (coded.slot >> 9) * interval '1 hour' < $3::timestamptz
    and (date_part('hour', h.starts_at at time zone 'UTC')::integer + (coded.slot >> 9)) = any($4::integer[])
), slots as (
  select monitor_key, slot, sum(checks)::integer as checks
  from told
  group by 1, 2
), days as (
  select monitor_key, count(distinct day)::integer as days
  from told
  group by 1
)
select
  s.monitor_key::float8 as key, array_agg(s.slot order by s.slot) as slots,
  array_agg(s.checks order by s.slot) as counts, max(d.days) as days
from slots s
join days d using (monitor_key)
group by 1
order by 1`

// The last of a row's six hours ends six hours after it begins.
const forgetStatement = `
delete from latency_hours
where (monitor_key, starts_at) in (
  select monitor_key, starts_at
  from latency_hours
  where starts_at <= $1::timestamptz - interval '6 hours'
  order by starts_at
  limit $2
  for update skip locked
)`
