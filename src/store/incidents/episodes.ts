// Episodes of monitors that are up: which run (`monitor_state`), and what was told of them (`monitor_events`).
import { randomUUID } from 'node:crypto'
import type { EpisodeType as FoldedType, MonitorEvent } from '#core/incidents/episode.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { storable } from '#store/contacts/deliveries.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'

const maxListed = 500
const rowsAtOnce = 1_000
/** What a monitor may be for some time, whatever finds that it is so. */
type EpisodeType = FoldedType | 'unstable'
const columns = {
  degraded: 'degraded_episode',
  slow: 'slow_episode',
  unstable: 'unstable_episode',
} as const satisfies Record<EpisodeType, string>

export type EpisodeBeginning = {
  id: string
  monitorKey: number
  version: number
  startedAt: Date
  at: Date
  message: string
  details: Record<string, unknown>
}

/**
 * Begins episodes of monitors that have none of the type and are not in maintenance, each with its event. Gives the ids
 * of those that began.
 */
export async function beginEpisodes(
  { client }: Transaction,
  type: EpisodeType,
  beginnings: readonly EpisodeBeginning[],
): Promise<Set<string>> {
  if (beginnings.length === 0) return new Set()
  const rows = beginnings.map(({ monitorKey, startedAt, details, ...rest }) => ({
    ...rest,
    monitor_key: monitorKey,
    details: { started_at: startedAt.toISOString(), ...details },
  }))
  const begun = await client.query<{ id: string }>({
    name: `begin_${type}`,
    text: beginStatement(type),
    values: [JSON.stringify(rows, storable)],
  })
  return new Set(begun.rows.map(({ id }) => id))
}

export type EpisodeEnding = { id: string; monitorKey: number; at: Date; message: string; details?: object }
export type EndedEpisode = { id: string; startedAt: Date; endedAt: Date }

/** Ends episodes that still run, each with its event; gives those it ended. */
export async function endEpisodes(
  { client }: Transaction,
  type: EpisodeType,
  endings: readonly EpisodeEnding[],
): Promise<Map<string, EndedEpisode>> {
  if (endings.length === 0) return new Map()
  const rows = endings.map(({ id, monitorKey, at, message, details = {} }) => ({
    episode: id,
    monitor_key: monitorKey,
    at,
    message,
    event_id: randomUUID(),
    details: { episode_id: id, ...details },
  }))
  const ended = await client.query<{ id: string; started_at: Date; ended_at: Date }>({
    name: `end_${type}`,
    text: endStatement(type),
    values: [JSON.stringify(rows, storable)],
  })
  return new Map(ended.rows.map(({ id, started_at: startedAt, ended_at: endedAt }) => [id, { id, startedAt, endedAt }]))
}

/** The newest of a monitor, newest first. */
export async function listMonitorEvents(
  reader: Reader,
  { workspaceId, monitorId, limit }: { workspaceId: string; monitorId: string; limit: number },
): Promise<MonitorEvent[]> {
  const rows = await reader.query
    .selectFrom('monitor_events')
    .innerJoin('monitors', 'monitors.id', 'monitor_events.monitor_id')
    .select(['monitor_events.id', 'type', 'at', 'message', 'details'])
    .where('monitors.workspace_id', '=', workspaceId)
    .where('monitor_id', '=', monitorId)
    .orderBy('at', 'desc')
    .orderBy('monitor_events.id', 'desc')
    .limit(Math.min(limit, maxListed))
    .$castTo<Omit<MonitorEvent, 'at'> & { at: Date }>()
    .execute()
  return rows.map(({ id, type, at, message, details }) => ({ id, type, at: at.toISOString(), message, details }))
}

/** Deletes events of so many days ago, but those of episodes that run; at most 1,000 a call. */
export async function forgetMonitorEvents(
  { pool }: Pick<Database, 'pool'>,
  { now, days }: { now: Date; days: number },
): Promise<number> {
  const forgotten = await pool.query(forgetStatement, [new Date(now.getTime() - days * dayMs), rowsAtOnce])
  return forgotten.rowCount ?? 0
}

function beginStatement(type: EpisodeType): string {
  return `
with begun as (
  update monitor_state s
  set ${columns[type]} = wanted.id
  from jsonb_to_recordset($1::jsonb)
    as wanted (id uuid, monitor_key bigint, version integer, at timestamptz, message text, details jsonb)
  join monitors m on m.key = wanted.monitor_key
  where s.monitor_key = wanted.monitor_key
    and s.version = wanted.version
    and s.${columns[type]} is null
    and not ${isInMaintenance('wanted.at')}
  returning wanted.id, m.id as monitor_id, wanted.at, wanted.message, wanted.details
)
insert into monitor_events (id, monitor_id, type, at, message, details)
select id, monitor_id, '${type}', at, message, details
from begun
returning id`
}

/** The clock of who ends it may lag behind the engine's: none ends before it began. */
function endStatement(type: EpisodeType): string {
  return `
with ended as (
  update monitor_state s
  set ${columns[type]} = null
  from jsonb_to_recordset($1::jsonb)
    as wanted (episode uuid, monitor_key bigint, at timestamptz, message text, event_id uuid, details jsonb)
  join monitors m on m.key = wanted.monitor_key
  left join monitor_events beginning on beginning.id = wanted.episode
  where s.monitor_key = wanted.monitor_key
    and s.${columns[type]} = wanted.episode
  returning
    wanted.episode, m.id as monitor_id, wanted.event_id, wanted.message, wanted.details,
    greatest(wanted.at, beginning.at) as at,
    coalesce((beginning.details ->> 'started_at')::timestamptz, wanted.at) as started_at
), events as (
  insert into monitor_events (id, monitor_id, type, at, message, details)
  select
    event_id, monitor_id, '${type}_ended', at, message,
    jsonb_build_object('started_at', to_char(started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || details
  from ended
)
select episode as id, started_at, at as ended_at
from ended`
}

const forgetStatement = `
delete from monitor_events
where id in (
  select e.id
  from monitor_events e
  where e.at < $1
    and not exists (
      select
      from monitors m
      join monitor_state s on s.monitor_key = m.key
      where m.id = e.monitor_id
        and e.id in (s.degraded_episode, s.slow_episode, s.unstable_episode)
    )
  order by e.at
  limit $2
  for update of e skip locked
)`
