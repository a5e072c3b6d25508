// Statements that merge results in the two ways there are: in place, and by copying a day; `listResults` shows hours by
// the same parts. Tables are named by `partitionName`, never by a name from outside.
import { hourSlot, startOfSixHours } from './latency-hours.ts'
import { isTimed } from './timed-checks.ts'

/** The order of `latency_days.phase_sums_ms` is the same. */
const phases = ['dns_ms', 'connect_ms', 'tls_ms', 'ttfb_ms', 'transfer_ms'] as const

/**
 * `told` is `taken` with the first and the newest round of the group that a row belongs to, and how many belong to it:
 * with monitor and location, the first round names a group. `taken` has a column `bucket`.
 */
export const told = `
told as materialized (
  select
    *,
    min(round_at) over alike as first_at,
    max(round_at) over alike as newest_at,
    count(*) over alike as rows
  from taken
  window alike as (
    partition by monitor_key, location, bucket, status, status_code, error collate "C", in_maintenance
  )
)`

/**
 * One row a group; test/support/merged-rows.ts says the same, and tests compare the two. A row that is alone in its group stays as it is, single
 * or merged. The statement joins nothing that it makes itself: PostgreSQL has no statistics of such rows and would join
 * thousands by thousands.
 */
export const merged = `
merged as materialized (
  select
    monitor_key, first_at as round_at, location, status, status_code, error, in_maintenance, max(rows) as rows,
    (max(details::text) filter (where round_at = newest_at))::jsonb as details,
    sum(repeats)::integer as repeats,
    max(coalesce(last_checked_at, round_at)) as last_checked_at,
    max(coalesce(latency_max_ms, latency_ms)) as latency_max_ms,
    coalesce(sum(coalesce(latency_sum_ms, latency_ms)), 0)::bigint as latency_sum_ms,
    sum(coalesce(latency_count, (latency_ms is not null)::integer))::integer as latency_count,
    ${phases.map((phase) => `round(sum(${phase}::bigint * repeats) / sum(repeats) filter (where ${phase} is not null))::integer as ${phase}`).join(',\n    ')}
  from told
  group by monitor_key, location, first_at, status, status_code, error, in_maintenance
)`

const meanLatency = 'round(m.latency_sum_ms::numeric / nullif(m.latency_count, 0))::integer'

/** The columns of a row of `results`, by name, of a row `m` of `merged`. */
export const mergedRow = `
  m.monitor_key, m.round_at, m.location, m.status, m.status_code, ${meanLatency} as latency_ms,
  ${phases.map((phase) => `m.${phase}`).join(', ')}, m.repeats,
  ${['last_checked_at', 'latency_max_ms', 'latency_sum_ms', 'latency_count'].map((column) => `case when m.repeats > 1 then m.${column} end as ${column}`).join(',\n  ')},
  m.error, m.details, m.in_maintenance`

/** The answer of core/results/latency-histogram.ts for a slot. */
function middleOf(slot: string): string {
  return `case when ${slot} < 1 then 0 else ($6::integer[])[${slot}] + ($6::integer[])[${slot}] / 50 end`
}

/** The slot that so many percent of a monitor's checks do not exceed, by nearest rank. */
function slotAt(percent: number): string {
  return `min(slot) filter (where passed * 100 >= of_day * ${percent})`
}

/** Means of the phases, of sums and counts that are added up. */
function meansOf(parts: readonly { sums: string; counts: string }[]): string {
  const added = (index: number, member: 'sums' | 'counts'): string =>
    parts.map((part) => `${part[member]}[${index}]`).join(' + ')
  return `array[${eachPhase((index) => `round((${added(index, 'sums')})::numeric / nullif(${added(index, 'counts')}, 0))::integer`)}]`
}

/** Adds the checks of `counted` to what is known of their six hours. */
const countHours = `hours as (
  insert into latency_hours as h (monitor_key, starts_at, slots, counts)
  select
    monitor_key, ${startOfSixHours('hour')} as starts_at,
    array_agg(${hourSlot('hour', 'slot')} order by hour, slot), array_agg(least(checks, 32767)::smallint order by hour, slot)
  from counted
  group by 1, 2
  order by 1, 2
  on conflict (monitor_key, starts_at) do update
  set (slots, counts) = (
    select array_agg(slot order by slot), array_agg(least(checks, 32767)::smallint order by slot)
    from (
      select slot, sum(checks) as checks
      from (
        select * from unnest(h.slots, h.counts)
        union all
        select * from unnest(excluded.slots, excluded.counts)
      ) as both_parts (slot, checks)
      group by 1
    ) as added
  )
)`

/**
 * Adds the checks that are timed among the fresh rows of `taken` to the histograms of their hours, and to the day's
 * histogram and sums. A span that reaches to the end of the day is the last that its day has, and leaves its summary.
 */
const countLatencies = `
counted as (
  select
    monitor_key, date_bin('1 hour', round_at, timestamptz 'epoch') as hour,
    width_bucket(latency_ms, $6::integer[]) as slot, count(*) as checks
  from taken
  where is_fresh
    and ${isTimed}
    and not in_maintenance
    and latency_ms is not null
  group by 1, 2, 3
), ${countHours}, slots as (
  select monitor_key, slot, sum(checks) as checks
  from (
    select monitor_key, slot, checks
    from counted
    union all
    select d.monitor_key, known.slot, known.checks
    from span s
    cross join lateral (
      select *
      from latency_days
      where monitor_key = s.monitor_key
        and day = $7::date
      offset 0
    ) as d
    cross join lateral unnest(d.slots, d.counts) as known (slot, checks)
  ) as both_parts
  group by 1, 2
), histograms as (
  select
    monitor_key, array_agg(slot::smallint order by slot) as slots, array_agg(checks::integer order by slot) as counts
  from slots
  group by 1
), ranked as (
  select
    monitor_key, slot, sum(checks) over (partition by monitor_key order by slot) as passed,
    sum(checks) over (partition by monitor_key) as of_day
  from slots
  where monitor_key in (select monitor_key from span where until_at = ($7::date + 1)::timestamptz)
), percentiles as (
  select monitor_key, array[${[50, 95, 99].map((percent) => middleOf(slotAt(percent))).join(', ')}] as all_three
  from ranked
  group by 1
), phases as (
  select
    monitor_key,
    array[${phases.map((phase) => `coalesce(sum(${phase}), 0)`).join(', ')}] as sums_ms,
    array[${phases.map((phase) => `count(${phase})::integer`).join(', ')}] as counts
  from taken
  where is_fresh
    and ${isTimed}
    and not in_maintenance
  group by 1
), latencies as (
  insert into latency_days as d (monitor_key, day, slots, counts, phase_sums_ms, phase_counts, summary_ms)
  select
    p.monitor_key, $7::date, coalesce(h.slots, '{}'), coalesce(h.counts, '{}'), p.sums_ms, p.counts,
    case when q.all_three is not null then q.all_three || ${meansOf([{ sums: 'p.sums_ms', counts: 'p.counts' }])} end
  from phases p
  left join histograms h on h.monitor_key = p.monitor_key
  left join percentiles q on q.monitor_key = p.monitor_key
  order by 1
  on conflict (monitor_key, day) do update
  set slots = excluded.slots,
    counts = excluded.counts,
    phase_sums_ms = array[${eachPhase((index) => `d.phase_sums_ms[${index}] + excluded.phase_sums_ms[${index}]`)}],
    phase_counts = array[${eachPhase((index) => `d.phase_counts[${index}] + excluded.phase_counts[${index}]`)}],
    summary_ms = case
      when excluded.summary_ms is not null then excluded.summary_ms[1:3] || ${meansOf([
        { sums: 'd.phase_sums_ms', counts: 'd.phase_counts' },
        { sums: 'excluded.phase_sums_ms', counts: 'excluded.phase_counts' },
      ])}
    end
)`

/** The rows of the spans: of each its key, start, fresh and until, in microseconds; $5 is the bucket's length in seconds. */
function takenFrom(table: string): string {
  return `
with span as materialized (
  select
    monitor_key,
    timestamptz 'epoch' + starts * interval '1 microsecond' as starts_at,
    timestamptz 'epoch' + fresh * interval '1 microsecond' as fresh_at,
    timestamptz 'epoch' + until * interval '1 microsecond' as until_at
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as span (monitor_key, starts, fresh, until)
), taken as materialized (
  select
    r.*, r.round_at >= s.fresh_at as is_fresh,
    date_bin(make_interval(secs => $5), r.round_at, timestamptz 'epoch') as bucket
  from span s
  cross join lateral (
    select *, ctid as place
    from ${table}
    where monitor_key = s.monitor_key
      and round_at >= s.starts_at
      and round_at < s.until_at
    -- Planned for one span at a time, so by the index, also while the table has no statistics yet.
    offset 0
  ) as r
)`
}

/**
 * Merges spans in place and counts their fresh results; $6 are the bounds of the histogram, $7 is the table's day.
 * Answers how many rows were read and removed, and how many checks the merged ones stood for before and after.
 */
export function mergeInPlace(table: string): string {
  return `${takenFrom(table)}, ${told}, ${merged}, kept as (
  update ${table} r
  set repeats = m.repeats,
    last_checked_at = m.last_checked_at,
    latency_ms = ${meanLatency},
    latency_max_ms = m.latency_max_ms,
    latency_sum_ms = m.latency_sum_ms,
    latency_count = m.latency_count,
    ${phases.map((phase) => `${phase} = m.${phase}`).join(',\n    ')},
    details = m.details
  from merged m
  where m.rows > 1
    and r.monitor_key = m.monitor_key
    and r.round_at = m.round_at
    and r.location = m.location
  returning r.repeats
), removed as (
  delete from ${table}
  where ctid = any(array(select place from told where round_at <> first_at))
  returning repeats
), ${countLatencies}
select
  (select count(*) from taken)::integer as read,
  (select count(*) from removed)::integer as removed,
  (select coalesce(sum(repeats), 0) from told where rows > 1)::float8 as "checksBefore",
  (select coalesce(sum(repeats), 0) from kept)::float8 as "checksAfter"`
}

/** Counts the fresh results of spans that are to be dropped; the same values. */
export function countInPlace(table: string): string {
  return `${takenFrom(table)}, ${countLatencies}
select count(*)::integer as read
from taken`
}

/**
 * Copies the monitors with keys from $1 to before $2 into the table that will replace theirs: what is merged, merged
 * into hours; what is still single, as it is. Monitors that are gone are left behind.
 */
export function copyMerged({ from, to }: { from: string; to: string }): string {
  return `
with taken as materialized (
  select
    r.*,
    case
      when r.round_at < s.merged_until then date_bin('1 hour', r.round_at, timestamptz 'epoch')
      else r.round_at
    end as bucket
  from ${from} r
  join monitors m on m.key = r.monitor_key and m.key >= $1 and m.key < $2
  left join result_merges s on s.monitor_key = m.key and s.monitor_key >= $1 and s.monitor_key < $2
  where r.monitor_key >= $1
    and r.monitor_key < $2
), ${told}, ${merged}
insert into ${to} (
  monitor_key, round_at, location, status, status_code, latency_ms, ${phases.join(', ')},
  repeats, last_checked_at, latency_max_ms, latency_sum_ms, latency_count, error, details,
  in_maintenance
)
select ${mergedRow}
from merged m
order by 1, 2, 3`
}

/** Rows exist where a copy does not come to the same as its original, for the monitors that there still are. */
export function compareTotals({ from, to }: { from: string; to: string }): string {
  return `
with before as (${totalsOf(from)}), after as (${totalsOf(to)})
select status, to_jsonb(before) as before, to_jsonb(after) as after
from before
full join after using (status)
where to_jsonb(before) is distinct from to_jsonb(after)`
}

function totalsOf(table: string): string {
  return `
  select
    status, sum(repeats) as checks, sum(coalesce(latency_sum_ms, latency_ms)) as latency_sum_ms,
    sum(coalesce(latency_count, (latency_ms is not null)::integer)) as latency_count,
    max(coalesce(latency_max_ms, latency_ms)) as latency_max_ms,
    max(coalesce(last_checked_at, round_at)) as last_checked_at
  from ${table}
  where monitor_key in (select key from monitors)
  group by status
`
}

function eachPhase(expression: (index: number) => string): string {
  return phases.map((_, index) => expression(index + 1)).join(', ')
}
