import type { MonitorPast, PeriodCounts } from '#core/reports/report-readings.ts'
import type { PeriodParts, ReportPeriod } from '#core/reports/report-period.ts'
import type { ReportContent } from '#core/reports/report-content.ts'
import type { Database } from '#store/database/database.ts'
import { coverTimes } from '#store/maintenance/maintenance-cover.ts'
import { isTimed } from '#store/results/timed-checks.ts'

type Source = Pick<Database, 'pool'>

/** What the checks of these monitors in a period count, by key; none of monitors without checks. */
export async function readPeriodCounts(
  { pool }: Source,
  { keys, parts }: { keys: readonly string[]; parts: PeriodParts },
): Promise<Map<string, PeriodCounts>> {
  const [head, tail] = parts.hours
  const found = await pool.query<CountsRow>({
    name: 'report_counts',
    text: countsStatement,
    values: [
      keys,
      parts.days.from,
      parts.days.to,
      head?.from ?? null,
      head?.until ?? null,
      tail?.from ?? null,
      tail?.until ?? null,
    ],
  })
  return new Map(
    found.rows.map(({ key, checks, down, latencySumMs, latencyCount }) => [
      key,
      {
        checks: Number(checks),
        down: Number(down),
        latencySumMs: Number(latencySumMs),
        latencyCount: Number(latencyCount),
      },
    ]),
  )
}

type CountsRow = { key: string; checks: string; down: string; latencySumMs: string; latencyCount: string }

/** Rows of `results` from one time to another; a merged one stands for several checks and counts where it begins. */
function hoursOf(from: string, until: string): string {
  return `
    select
      repeats,
      case when status = 'd' then repeats else 0 end,
      case when ${isTimed} then coalesce(latency_sum_ms, latency_ms) end,
      case when ${isTimed} then coalesce(latency_count, (latency_ms is not null)::integer) end
    from results
    where monitor_key = m.key
      and round_at >= ${from}::timestamptz
      and round_at < ${until}::timestamptz
      and not in_maintenance`
}

const countsStatement = `
select
  m.key::text as key,
  counted.checks, counted.down,
  coalesce(counted.latency_sum_ms, 0) as "latencySumMs",
  coalesce(counted.latency_count, 0) as "latencyCount"
from unnest($1::bigint[]) as m (key)
cross join lateral (
  select
    sum(checks) as checks, sum(down) as down, sum(latency_sum_ms) as latency_sum_ms, sum(latency_count) as latency_count
  from (
    select checks, down, latency_sum_ms, latency_count
    from uptime_days
    where monitor_key = m.key
      and day between $2::date and $3::date
    union all
    ${hoursOf('$4', '$5')}
    union all
    ${hoursOf('$6', '$7')}
  ) as parts
) as counted
where counted.checks > 0`

export type Outages = {
  /** By the monitor's id. */
  byMonitor: Map<string, Pick<MonitorPast, 'downtimeSeconds' | 'incidents'>>
  longest: ReportContent['incidents']
  inMaintenance: number
  acknowledged: { count: number; meanSeconds: number | null }
  meanSecondsToRecover: number | null
}

export type OutagesRequest = { workspaceId: string; keys: readonly string[]; period: ReportPeriod; longest: number }

/** The incidents of these monitors that ran in a period. */
export async function readOutages({ pool }: Source, request: OutagesRequest): Promise<Outages> {
  const { workspaceId, keys, period, longest } = request
  const found = await pool.query<OutagesRow>({
    name: 'report_outages',
    text: outagesStatement,
    values: [keys, workspaceId, period.from, period.until, longest],
  })
  const { monitors = [], incidents = [], totals = noTotals } = found.rows[0] ?? {}
  return {
    byMonitor: new Map(
      monitors.map(([id, seconds, count]) => [id, { downtimeSeconds: Math.round(seconds), incidents: count }]),
    ),
    longest: incidents.map(({ id, monitor_id, monitor_name, cause, started_at, resolved_at, downtime_seconds }) => ({
      id,
      monitor_id,
      monitor_name,
      cause,
      started_at: new Date(started_at).toISOString(),
      resolved_at: resolved_at === null ? null : new Date(resolved_at).toISOString(),
      downtime_seconds: Math.round(downtime_seconds),
    })),
    inMaintenance: totals.in_maintenance,
    acknowledged: { count: totals.acknowledged, meanSeconds: rounded(totals.to_acknowledge) },
    meanSecondsToRecover: rounded(totals.to_recover),
  }
}

function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds)
}

type Totals = {
  in_maintenance: number
  acknowledged: number
  to_acknowledge: number | null
  to_recover: number | null
}
type OutagesRow = {
  monitors: [id: string, seconds: number, count: number][]
  incidents: ReportContent['incidents']
  totals: Totals
}

const noTotals: Totals = { in_maintenance: 0, acknowledged: 0, to_acknowledge: null, to_recover: null }

// Times of maintenance are taken out of what they cover. An incident that lies wholly in them counts for nothing.
const outagesStatement = `
with excluded as (
  select m.key, range_agg(tstzrange(greatest(o.starts_at, cover.since), least(o.ends_at, cover.until))) as times
  from monitors m
  join maintenance_windows w on w.workspace_id = $2 and w.excludes_uptime
  cross join lateral ${coverTimes('w')} as cover
  join maintenance_occurrences o on o.window_key = w.key
    and o.starts_at < least($4, cover.until)
    and o.ends_at > greatest($3, cover.since)
  where m.key = any($1::bigint[])
  group by m.key
), running as (
  select
    i.id, i.monitor_id, i.monitor_name, i.cause, i.started_at, i.resolved_at,
    coalesce(e.times, '{}'::tstzmultirange) as times,
    greatest(i.started_at, $3::timestamptz) as counted_from,
    least(coalesce(i.resolved_at, $4::timestamptz), $4::timestamptz) as counted_until
  from monitors m
  join incidents i on i.monitor_id = m.id and i.workspace_id = $2
  left join excluded e on e.key = m.key
  where m.key = any($1::bigint[])
    and not i.by_hand
    and i.started_at < $4
    and (i.resolved_at is null or i.resolved_at > $3)
), counted as materialized (
  select
    running.*,
    coalesce((
      select sum(extract(epoch from upper(span) - lower(span)))
      from unnest(tstzmultirange(tstzrange(counted_from, greatest(counted_from, counted_until))) - times) as span
    ), 0)::float8 as seconds,
    times @> tstzrange(counted_from, greatest(counted_from, counted_until), '[]') as is_left_out
  from running
), told as (
  select * from counted where not is_left_out
)
select
  coalesce((
    select json_agg(json_build_array(monitor_id, seconds, incidents))
    from (select monitor_id, sum(seconds) as seconds, count(*) as incidents from told group by monitor_id) as sums
  ), '[]') as monitors,
  to_json(array(
    select json_build_object(
      'id', id, 'monitor_id', monitor_id, 'monitor_name', monitor_name, 'cause', cause, 'started_at', started_at,
      'resolved_at', resolved_at, 'downtime_seconds', seconds
    )
    from told
    order by seconds desc, started_at, id
    limit $5
  )) as incidents,
  (
    select json_build_object(
      'in_maintenance', (select count(*) from counted where is_left_out),
      'acknowledged', count(acknowledged.at),
      'to_acknowledge', avg(extract(epoch from acknowledged.at - started_at)),
      'to_recover', avg(extract(epoch from resolved_at - started_at)) filter (where resolved_at < $4)
    )
    from told
    left join lateral (
      select min(at) as at
      from incident_events
      where incident_id = told.id
        and type = 'acknowledged'
        and told.started_at >= $3
    ) as acknowledged on true
  ) as totals`
