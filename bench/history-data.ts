import type { PoolClient } from 'pg'
import { mergeHistograms, percentilesOf, slotOf } from '#core/results/latency-histogram.ts'
import { startOfLastDay } from '#core/results/uptime.ts'
import { addDays, dayMs, dayOf, daysFrom, startOf } from '#core/language/utc-day.ts'
import { numberArray } from '#store/database/array-literal.ts'
import type { Database } from '#store/database/database.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'

export const historyDays = 1_095
/** Results are kept for this long. */
export const resultDays = 90
/** Days that have rollups, and the newest of them, whose results are kept as well. */
export type HistorySpan = { days: number; resultDays: number }
const threeYears: HistorySpan = { days: historyDays, resultDays }
/** Different shapes of a day's latencies. */
const shapes = 16
const minuteMs = 60_000
/** Buckets are merged when they have ended for two hours and five minutes. */
const mergeAfterMs = 125 * minuteMs

/**
 * Three years of all monitors unless told, checked every minute from all locations, as compaction leaves them: a day rollup
 * and a latency row for each day; results of 90 days an hour in a row, of the last day a quarter-hour in a row, of the last
 * two hours one by one. A monitor fails for up to an hour on every tenth day, with incident, events and problem, and
 * is slow for some minutes on every fourth. Rows lie in the order in which a running installation writes them.
 */
export async function addYears(database: Database, now: Date, span: HistorySpan = threeYears): Promise<void> {
  for (let back = span.resultDays - 1; back >= 0; back -= 1)
    await createResultPartitions(database, new Date(now.getTime() - back * dayMs))
  await database.transaction(async ({ client }) => {
    await client.query(
      'set local synchronous_commit = off; set local statement_timeout = 0; set local work_mem = 64000',
    )
    await client.query('update monitors set created_at = least(created_at, $1)', [
      startOf(addDays(dayOf(now), -span.days)),
    ])
    await addDayRows(client, now, span)
    await addResultRows(client, now, span)
    await client.query(failuresOf(span))
  })
  await vacuum(database)
}

async function vacuum({ pool }: Database): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('vacuum analyze')
  } finally {
    client.release(true)
  }
}

async function addDayRows(client: PoolClient, now: Date, { days }: HistorySpan): Promise<void> {
  await client.query(temporaryTables)
  const today = dayOf(now)
  await client.query(badTimes, [addDays(today, 1 - days), today])
  for (let shape = 0; shape < shapes; shape += 1) await client.query(shapeRow, shapeValues(shape))
  await client.query(dayRows, [now])
  await client.query(monthRows)
  await client.query(latencyRows, [new Date(now.getTime() - mergeAfterMs)])
}

async function addResultRows(client: PoolClient, now: Date, span: HistorySpan): Promise<void> {
  const quarterMs = 15 * minuteMs
  const mergedUntil = new Date(Math.floor((now.getTime() - mergeAfterMs) / quarterMs) * quarterMs)
  const firstOfQuarters = dayOf(startOfLastDay(now))
  for (const day of daysFrom(addDays(dayOf(now), -span.resultDays), dayOf(mergedUntil))) {
    const isOfHours = day < firstOfQuarters
    const end = new Date(Math.min(startOf(day).getTime() + dayMs, mergedUntil.getTime()))
    await client.query(mergedRows, [day, startOf(day), end, isOfHours ? 60 : 15])
    if (isOfHours) await client.query(rewrittenDay, [day])
  }
  await client.query(singleRows, [mergedUntil, now])
  await client.query(mergeRows, [mergedUntil])
  await client.query(`update monitor_state set current_status = 'up', round_at = $1, last_checked_at = $1`, [now])
}

/** Latencies of a day: most about the same, a tail that reaches ten times as far. */
function shapeValues(shape: number): unknown[] {
  const base = 30 + shape * 15
  const { slots, counts } = mergeHistograms(
    Array.from({ length: 4_320 }, (_, index) => {
      const share = (index + 1) / 4_321
      return { slots: [slotOf(Math.round(base * (1 + 0.25 * -Math.log(share))))], counts: [1] }
    }),
  )
  const { p50_ms, p95_ms, p99_ms } = percentilesOf({ slots, counts })
  return [shape, numberArray(slots), numberArray(counts), numberArray([p50_ms, p95_ms, p99_ms])]
}

/** `bad_from` and `bad_to` are minutes of the day; a day has one bad time at most. */
const temporaryTables = `
create temporary table bad_times (key bigint, day date, bad_from integer, bad_to integer, status "char");
create temporary table latency_shapes (shape integer, slots smallint[], counts integer[], percentiles_ms integer[])`

const badTimes = `
insert into bad_times
select
  m.key, day::date,
  case when chance % 10 = 0 or chance % 4 = 1 then chance / 100 % 1380 end,
  case
    when chance % 10 = 0 then chance / 100 % 1380 + 2 + chance / 7 % 58
    when chance % 4 = 1 then chance / 100 % 1380 + 2 + chance / 7 % 18
  end,
  case when chance % 10 = 0 then 'd' when chance % 4 = 1 then 'g' end
from generate_series($1::date, $2::date, interval '1 day') as day
cross join monitors m
cross join lateral (select abs(hashint8(m.key * 100003 + extract(epoch from day)::bigint / 86400)) / 2 as chance) as of_day
order by 2, 1`

const shapeRow = 'insert into latency_shapes values ($1, $2, $3, $4)'

/** Months that have ended are gathered by monitors, and summed; the days of the others come one by one. */
const inPlace = `
  date_trunc('month', b.day), case when b.day < date_trunc('month', now() - interval '1 day') then b.key end, b.day, b.key`

const dayRows = `
insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
select
  b.key, b.day, good + bad, good, case when b.status = 'd' then bad else 0 end,
  case when b.status = 'g' then bad else 0 end, good * (40 + b.key % 200), good
from bad_times b
cross join lateral (
  select cardinality(m.locations) as locations from monitors m where m.key = b.key
) as chosen
cross join lateral (
  select least(1440, floor(extract(epoch from $1::timestamptz - b.day::timestamptz) / 60)::integer) as minutes
) as passed
cross join lateral (
  select locations * coalesce(least(b.bad_to, minutes) - least(b.bad_from, minutes), 0) as bad
) as failed
cross join lateral (select locations * minutes - bad as good) as succeeded
where good + bad > 0
order by ${inPlace}`

const monthRows = `
insert into uptime_months (monitor_key, month, checks, up, down, restricted, latency_sum_ms, latency_count)
select
  monitor_key, date_trunc('month', day)::date, sum(checks), sum(up), sum(down), sum(restricted), sum(latency_sum_ms),
  sum(latency_count)
from uptime_days
where day < date_trunc('month', now() - interval '1 day')
group by 1, 2
order by 2, 1`

const latencyRows = `
insert into latency_days (monitor_key, day, slots, counts, phase_sums_ms, phase_counts, summary_ms)
select
  b.key, b.day, s.slots, s.counts,
  array[4320 * 2, 4320 * 20, 4320 * 25, 4320 * 70, 4320 * 3], array[4320, 4320, 4320, 4320, 4320],
  case when b.day < ($1::timestamptz)::date then s.percentiles_ms || array[2, 20, 25, 70, 3] end
from bad_times b
join latency_shapes s on s.shape = (b.key + extract(day from b.day)::integer) % ${shapes}
order by ${inPlace}`

// A bucket that is partly bad has two rows: one for its bad checks, one for its good ones.
const mergedRows = `
insert into results (
  monitor_key, round_at, location, status, status_code, latency_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms,
  repeats, last_checked_at, latency_max_ms, latency_sum_ms, latency_count, error
)
select
  b.key, at, l.id, o.status, case when o.status = 'd' then 503 else 200 end, mean, 2, 20, 25, 70, 3,
  o.checks, at + (o.checks - 1) * interval '1 minute', mean * 3, mean * o.checks, o.checks,
  case o.status when 'd' then 'HTTP status 503, expected 200 to 399' when 'g' then 'slower than 2000 ms' end
from bad_times b
join monitors m on m.key = b.key
join locations l on l.code = any(m.locations)
cross join generate_series($2::timestamptz, $3::timestamptz - interval '1 minute', $4::integer * interval '1 minute') as start
cross join lateral (select extract(epoch from start - $2::timestamptz)::integer / 60 as minute) as of_day
cross join lateral (
  select case
    when b.status is null then 0
    else greatest(0, least(b.bad_to, minute + $4::integer) - greatest(b.bad_from, minute))
  end as bad
) as failed
cross join lateral (
  values (b.status, bad, greatest(b.bad_from, minute)),
    ('u', $4::integer - bad, case when bad > 0 and b.bad_from <= minute then minute + bad else minute end)
) as o (status, checks, first)
cross join lateral (
  select $2::timestamptz + o.first * interval '1 minute' + b.key % 60 * interval '1 second' as at, 40 + b.key % 200 as mean
) as row
where b.day = $1::date
  and o.checks > 0
order by b.key, at, l.id`

const rewrittenDay = 'insert into day_rewrites (day, next_key, finished_at) values ($1, null, now())'

const singleRows = `
insert into results (
  monitor_key, round_at, location, status, status_code, latency_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms
)
select
  m.key, at + m.key % 60 * interval '1 second', l.id, 'u', 200, 30 + hashint4(extract(epoch from at)::integer) & 127,
  2, 20, 25, 70, 3
from generate_series($1::timestamptz, $2::timestamptz - interval '1 minute', interval '1 minute') as at
cross join monitors m
join locations l on l.code = any(m.locations)
order by at, m.key, l.id`

const mergeRows = `
insert into result_merges (monitor_key, merged_until, due_at)
select key, $1, $1::timestamptz + interval '140 minutes' from monitors`

/** An incident of every outage, with its events, and a problem of every bad time of the days with results. */
function failuresOf(span: HistorySpan): string {
  return `
create temporary table outages as
select
  gen_random_uuid() as id, key, status, b.day, b.day::timestamptz + bad_from * interval '1 minute' as started_at,
  b.day::timestamptz + bad_to * interval '1 minute' as ended_at
from bad_times b
where b.status is not null
  and b.day < (now() at time zone 'UTC')::date
order by b.day, bad_from;

insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, cause, started_at, resolved_at)
select
  o.id, m.workspace_id, m.id, m.name, 'resolved', m.name || ' is down', 'HTTP status 503, expected 200 to 399',
  o.started_at, o.ended_at
from outages o
join monitors m on m.key = o.key
where o.status = 'd';

insert into incident_events (id, incident_id, type, at, message)
select gen_random_uuid(), o.id, type, o.started_at, 'Of the bench.'
from outages o
cross join unnest('{opened,alert_sent,resolved}'::text[]) as type
where o.status = 'd';

insert into problems (monitor_key, started_at, ended_at, status, error, locations, incident_id)
select
  o.key, o.started_at, o.ended_at, case o.status when 'd' then 'down' else 'degraded' end,
  case o.status when 'd' then 'HTTP status 503, expected 200 to 399' else 'slower than 2000 ms' end,
  m.locations, case o.status when 'd' then o.id end
from outages o
join monitors m on m.key = o.key
where o.day > (now() at time zone 'UTC')::date - ${span.resultDays}`
}
