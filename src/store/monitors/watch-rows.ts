import type { GroupPolicy } from '#core/monitors/group.ts'
import { type CallSchedule, callScheduleOf } from '#core/monitors/call-schedule.ts'
import { callSettledMs } from '#core/monitors/heartbeat.ts'
import { type KindName, passiveKinds, registrationKinds } from '#core/monitors/kind-traits.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { callIntakeGapMs } from './calls.ts'

/** What an engine keeps of a monitor. Rounds in microseconds since 1970. */
export type WatchRow = {
  id: string
  key: number
  partition: number
  kind: KindName
  version: number
  intervalSeconds: number
  timeoutMs: number
  locations: string[]
  failureThreshold: number
  /** Null where a failed round is followed by the next one after the interval. */
  retrySeconds: number | null
  recoveryThreshold: number
  confirmationThreshold: number
  alertDegradedRounds: number | null
  alertSlowFactor: number | null
  alertSlowRounds: number
  status: CurrentStatus
  failures: number
  successes: number
  round: number | null
  incidentId: string | null
  problem: { at: number; status: 'down' | 'degraded'; locations: string[] } | null
  /** The episodes that run. */
  degradedEpisode: string | null
  slowEpisode: string | null
  /** When the next call is missed, in microseconds since 1970; null for kinds that are not called. */
  deadline: number | null
  graceSeconds: number
  /** Null where calls come by the interval, and for kinds that are not called. */
  schedule: CallSchedule | null
  /** Empty unless it is a group. */
  memberIds: string[]
  /** The monitors that it depends on. */
  parentIds: string[]
  /** The end that its checks see, as it is written; milliseconds since 1970, `endMs` null where none is published. */
  expiry: { endMs: number | null; writtenMs: number } | null
}

/** The enabled ones of these monitors that lie in these partitions. */
export async function readWatchRows(
  { pool }: Database,
  { partitions, ids }: { partitions: number[]; ids: string[] },
): Promise<WatchRow[]> {
  const found = await pool.query<WatchColumns>(
    `${selectWatched('monitors')}
    where m.partition = any($2::smallint[])
      and m.status = 'enabled'
      and m.id = any($3::uuid[])`,
    [registrationKinds, partitions, ids],
  )
  return found.rows.map(watchRowOf)
}

/** So many rows cost an engine's thread some 20 ms, during which no round of its other monitors begins. */
export const watchRowsAtOnce = 2_000

/** The last row of a page: the next one begins behind it. */
export type WatchPlace = Pick<WatchRow, 'partition' | 'key'>

/**
 * The enabled monitors of these partitions, page by page, in the order of partitions and keys. A page with fewer than
 * `watchRowsAtOnce` rows is the last one.
 */
export async function readWatchPage(
  { pool }: Database,
  { partitions, after }: { partitions: number[]; after: WatchPlace | null },
): Promise<WatchRow[]> {
  const found = await pool.query<WatchColumns>(
    // Limited before anything is joined, so that a page costs what its rows do.
    selectWatched(`(
      select *
      from monitors
      where partition = any($2::smallint[])
        and status = 'enabled'
        and (partition, key) > ($3::smallint, $4::bigint)
      order by partition, key
      limit ${watchRowsAtOnce}
    )`) + ' order by m.partition, m.key',
    [registrationKinds, partitions, after?.partition ?? -1, after?.key ?? 0],
  )
  return found.rows.map(watchRowOf)
}

/** Number of enabled monitors and sum of their versions, by partition: equal sums mean that nothing was missed. */
export async function readWatchSums(
  { pool }: Database,
  partitions: number[],
): Promise<Map<number, { count: number; versions: number }>> {
  const sums = await pool.query<{ partition: number; count: number; versions: number }>(
    `select partition, count(*)::integer as count, sum(version)::float8 as versions
    from monitors
    where partition = any($1::smallint[])
      and status = 'enabled'
    group by partition`,
    [partitions],
  )
  return new Map(sums.rows.map(({ partition, count, versions }) => [partition, { count, versions }]))
}

export type Deadlines = {
  /** As the table has them now, by the monitors' keys: they are put off while no process takes calls. */
  deadlines: Map<number, number | null>
  /**
   * Every call that came before this moment is stored, or its deadline was put off, as all processes say that take calls;
   * microseconds since 1970. -Infinity while no process takes calls, Infinity where none ever did.
   */
  callsSettledUntil: number
}

export async function readDeadlines({ pool }: Database, keys: number[]): Promise<Deadlines> {
  const found = await pool.query<{ key: number; deadline: number | null; settled_until: number }>(
    `select
      monitor_key::float8 as key, (extract(epoch from deadline_at) * 1000000)::float8 as deadline,
      ${callsSettledUntil} as settled_until
    from monitor_state
    where monitor_key = any($1::bigint[])`,
    [keys],
  )
  return {
    deadlines: new Map(found.rows.map(({ key, deadline }) => [key, deadline])),
    callsSettledUntil: found.rows[0]?.settled_until ?? -Infinity,
  }
}

/** SQL of `Deadlines.callsSettledUntil`. */
export const callsSettledUntil = `(
  select case
    when count(*) = 0 then 'infinity'
    else coalesce(
      extract(epoch from min(least(seen_at, now())) filter (where seen_at > now() - ${callIntakeGapMs} * interval '1 ms'))
        * 1000000 - ${callSettledMs} * 1000,
      '-infinity'
    )
  end::float8
  from intakes
)`

/** How the enabled members of groups stand, with the groups' policies, by the groups' keys. */
export async function readMembers({ pool }: Database, groupKeys: number[]): Promise<Map<number, GroupMembers>> {
  const found = await pool.query<{ key: number; policy: GroupPolicy; statuses: CurrentStatus[] }>(
    `select
      g.key::float8 as key, g.check_options ->> 'group_policy' as policy,
      array(
        select s.current_status
        from monitors m
        join monitor_state s on s.monitor_key = m.key
        where m.id in (select jsonb_array_elements_text(g.check_options -> 'member_ids')::uuid)
          and m.workspace_id = g.workspace_id
          and m.status = 'enabled'
      ) as statuses
    from monitors g
    where g.key = any($1::bigint[])`,
    [groupKeys],
  )
  return new Map(found.rows.map(({ key, policy, statuses }) => [key, { policy, statuses }]))
}

export type GroupMembers = { policy: GroupPolicy; statuses: CurrentStatus[] }

/** What an incident and its alert say of a monitor. */
export type MonitorFace = {
  id: string
  key: number
  workspaceId: string
  name: string
  kind: KindName
  url: string | null
}

export async function readFaces({ client }: Transaction, keys: number[]): Promise<Map<number, MonitorFace>> {
  if (keys.length === 0) return new Map()
  const found = await client.query<{
    id: string
    key: number
    workspace_id: string
    name: string
    kind: KindName
    url: string | null
  }>('select id, key::float8 as key, workspace_id, name, kind, url from monitors where key = any($1::bigint[])', [keys])
  return new Map(
    found.rows.map(({ id, key, workspace_id, name, kind, url }) => [
      key,
      { id, key, workspaceId: workspace_id, name, kind, url },
    ]),
  )
}

/** The key of a monitor that exists, whatever its status: late results of a paused one still count. */
export type MonitorKey = {
  key: number
  /** Null for kinds that no location checks. */
  checkedFrom: string[] | null
}

export async function readMonitorKeys({ pool }: Database, ids: string[]): Promise<Map<string, MonitorKey>> {
  const found = await pool.query<MonitorKey & { id: string }>(
    `select
      id, key::float8 as key,
      case when kind <> all($2) then locations end as "checkedFrom"
    from monitors
    where id = any($1::uuid[])`,
    [ids, passiveKinds],
  )
  return new Map(found.rows.map(({ id, key, checkedFrom }) => [id, { key, checkedFrom }]))
}

/** Of these monitors, in SQL; $1: the kinds whose end is that of a registration. */
const selectWatched = (monitors: string): string => `
select
  m.id, m.key::float8 as key, m.partition, m.kind, m.version, m.interval_seconds, m.timeout_ms, m.locations,
  m.failure_threshold, m.retry_interval_seconds, m.recovery_threshold, m.confirmation_threshold, m.alert_degraded_rounds,
  m.alert_slow_factor, m.alert_slow_rounds,
  s.current_status, s.consecutive_failures, s.consecutive_successes,
  (extract(epoch from s.round_at) * 1000000)::float8 as round,
  s.incident_id, s.degraded_episode, s.slow_episode,
  (extract(epoch from s.deadline_at) * 1000000)::float8 as deadline,
  coalesce(m.heartbeat_grace_seconds, 0) as grace_seconds,
  case when m.kind = 'heartbeat' then m.check_options end as call_options,
  case when m.kind = 'group' then array(select jsonb_array_elements_text(m.check_options -> 'member_ids')) end as member_ids,
  m.depends_on,
  (extract(epoch from p.started_at) * 1000000)::float8 as problem_at,
  p.status as problem_status, p.locations as problem_locations,
  (extract(epoch from e.expires_at) * 1000)::float8 as expiry_ms,
  (extract(epoch from e.seen_at) * 1000)::float8 as expiry_written_ms
from ${monitors} as m
join monitor_state s on s.monitor_key = m.key
left join problems p on p.monitor_key = m.key and p.started_at = s.problem_at
left join monitor_expiries e on e.monitor_key = m.key
  and e.target_version = m.target_version
  and e.subject = case when m.kind = any($1) then 'domain' else 'certificate' end`

type WatchColumns = {
  id: string
  key: number
  partition: number
  kind: KindName
  version: number
  interval_seconds: number
  timeout_ms: number
  locations: string[]
  failure_threshold: number
  retry_interval_seconds: number | null
  recovery_threshold: number
  confirmation_threshold: number
  alert_degraded_rounds: number | null
  alert_slow_factor: number | null
  alert_slow_rounds: number
  current_status: CurrentStatus
  consecutive_failures: number
  consecutive_successes: number
  round: number | null
  incident_id: string | null
  degraded_episode: string | null
  slow_episode: string | null
  problem_at: number | null
  problem_status: 'down' | 'degraded' | null
  problem_locations: string[] | null
  deadline: number | null
  grace_seconds: number
  call_options: Record<string, unknown> | null
  member_ids: string[] | null
  depends_on: string[]
  expiry_ms: number | null
  expiry_written_ms: number | null
}

function watchRowOf(row: WatchColumns): WatchRow {
  const { problem_at: at, problem_status: status, problem_locations: locations } = row
  const { expiry_ms: endMs, expiry_written_ms: writtenMs } = row
  return {
    id: row.id,
    key: row.key,
    partition: row.partition,
    kind: row.kind,
    version: row.version,
    intervalSeconds: row.interval_seconds,
    timeoutMs: row.timeout_ms,
    locations: row.locations,
    failureThreshold: row.failure_threshold,
    retrySeconds: row.retry_interval_seconds,
    recoveryThreshold: row.recovery_threshold,
    confirmationThreshold: row.confirmation_threshold,
    alertDegradedRounds: row.alert_degraded_rounds,
    alertSlowFactor: row.alert_slow_factor,
    alertSlowRounds: row.alert_slow_rounds,
    status: row.current_status,
    failures: row.consecutive_failures,
    successes: row.consecutive_successes,
    round: row.round,
    incidentId: row.incident_id,
    degradedEpisode: row.degraded_episode,
    slowEpisode: row.slow_episode,
    deadline: row.deadline,
    graceSeconds: row.grace_seconds,
    schedule: row.call_options === null ? null : callScheduleOf(row.call_options),
    memberIds: row.member_ids ?? [],
    parentIds: row.depends_on,
    problem: at === null || status === null || locations === null ? null : { at, status, locations },
    expiry: writtenMs === null ? null : { endMs, writtenMs },
  }
}
