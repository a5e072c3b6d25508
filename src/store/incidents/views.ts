// What locations saw in short, sealed (docs/evidence.md, "Why locations disagree"). Like evidence it is written beside
// results and incidents, and may be lost.
import { randomUUID } from 'node:crypto'
import { maxViewsOfMonitor, maxViewsOfWorkspaceBytes, readView, type View } from '#core/incidents/view.ts'
import { numberArray, textArray } from '#store/database/array-literal.ts'
import type { Database } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

/** What one location saw in one round. */
export type NewView = {
  monitorId: string
  /** Null for the newest of the location; otherwise what it saw when this incident began. */
  incidentId: string | null
  location: string
  /** Microseconds since 1970. */
  round: number
  /** Of the monitor. */
  version: number
  view: View
}

/**
 * Keeps the newest of each location that was down, and of each that was not; and of an incident the first of each
 * location. Then the oldest of a workspace go that has too much. The list has no two of the same monitor, incident,
 * location and side.
 */
export async function keepViews(
  { pool }: Pick<Database, 'pool'>,
  secrets: Pick<Secrets, 'encrypt'>,
  list: readonly NewView[],
): Promise<void> {
  const newest = list.filter(({ incidentId }) => incidentId === null)
  const ofIncidents = list.filter(({ incidentId }) => incidentId !== null)
  if (newest.length > 0) await pool.query(newestStatement, parametersOf(newest, secrets))
  if (ofIncidents.length > 0)
    await pool.query(incidentStatement, [
      ...parametersOf(ofIncidents, secrets),
      textArray(ofIncidents.map(({ incidentId }) => incidentId ?? '')),
    ])
  const monitorIds = [...new Set(list.map(({ monitorId }) => monitorId))]
  if (monitorIds.length > 0)
    await pool.query(trimStatement, [textArray(monitorIds), maxViewsOfWorkspaceBytes, trimmedAtOnce])
}

function parametersOf(list: readonly NewView[], secrets: Pick<Secrets, 'encrypt'>): unknown[] {
  const rows = list.map((each) => {
    const id = randomUUID()
    return { ...each, id, content: secrets.encrypt(JSON.stringify(each.view), placeOf(id)) }
  })
  return [
    textArray(rows.map(({ id }) => id)),
    textArray(rows.map(({ monitorId }) => monitorId)),
    textArray(rows.map(({ location }) => location)),
    numberArray(rows.map(({ view }) => (view.status === 'down' ? 1 : 0))),
    numberArray(rows.map(({ version }) => version)),
    numberArray(rows.map(({ round }) => round)),
    rows.map(({ content }) => content),
  ]
}

/** In one order, so that two engines do not wait for each other. */
const newestStatement = `
insert into location_views (id, monitor_id, workspace_id, location, is_down, version, round_at, content, bytes)
select
  g.id, m.id, m.workspace_id, g.location, g.is_down = 1, g.version,
  timestamptz 'epoch' + g.round * interval '1 microsecond', g.content, octet_length(g.content)
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::integer[], $6::bigint[], $7::bytea[])
  as g (id, monitor_id, location, is_down, version, round, content)
join monitors m on m.id = g.monitor_id
order by m.id, g.location, g.is_down
on conflict (monitor_id, location, is_down) where incident_id is null do update
set id = excluded.id, version = excluded.version, round_at = excluded.round_at, content = excluded.content,
  bytes = excluded.bytes, kept_at = now()
where location_views.round_at < excluded.round_at`

const incidentStatement = `
insert into location_views (
  id, monitor_id, incident_id, workspace_id, location, is_down, version, round_at, content, bytes
)
select
  g.id, m.id, i.id, i.workspace_id, g.location, g.is_down = 1, g.version,
  timestamptz 'epoch' + g.round * interval '1 microsecond', g.content, octet_length(g.content)
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::integer[], $6::bigint[], $7::bytea[], $8::uuid[])
  as g (id, monitor_id, location, is_down, version, round, content, incident_id)
join monitors m on m.id = g.monitor_id
join incidents i on i.id = g.incident_id
order by i.id, g.location
on conflict (incident_id, location) where incident_id is not null do nothing`

const trimmedAtOnce = 1_000

/** Two engines may do it at once: what one of them holds, the other leaves. */
const trimStatement = `
delete from location_views
where id in (
  select id
  from location_views
  where id in (
    select id
    from (
      select id, sum(bytes) over (partition by workspace_id order by kept_at desc, id) as total
      from location_views
      where workspace_id in (select workspace_id from monitors where id = any($1::uuid[]))
    ) as summed
    where total > $2
    limit $3
  )
  for update skip locked
)`

export type KeptView = {
  location: string
  /** Null for a location that was removed. */
  locationName: string | null
  at: Date
  view: View
}

/**
 * Of a monitor, as it is set up now, or of the beginning of one of its incidents; in the order of locations. The caller
 * has looked the monitor up in its workspace.
 */
export async function readViews(
  { pool }: Pick<Database, 'pool'>,
  secrets: Pick<Secrets, 'decrypt'>,
  { monitorId, incidentId = null }: { monitorId: string; incidentId?: string | null },
): Promise<KeptView[]> {
  const found = await pool.query<{
    id: string
    location: string
    name: string | null
    round_at: Date
    content: Buffer
  }>(
    `select v.id, v.location, l.name, v.round_at, v.content
    from location_views v
    join monitors m on m.id = v.monitor_id
    left join locations l on l.code = v.location
    left join incidents i on i.id = v.incident_id
    where v.monitor_id = $1
      and v.incident_id is not distinct from $2
      and ($2::uuid is not null or v.version = m.version)
      and (i.id is null or v.round_at <= i.started_at + (2 * m.interval_seconds + 600) * interval '1 second')
    order by v.location, v.is_down
    limit $3`,
    [monitorId, incidentId, maxViewsOfMonitor],
  )
  return found.rows.flatMap(({ id, location, name, round_at: at, content }) => {
    const opened: unknown = JSON.parse(secrets.decrypt(content, placeOf(id)))
    const view = readView(opened)
    return view === null ? [] : [{ location, locationName: name, at, view }]
  })
}

/** The oldest first, `limit` at most; returns how many. */
export async function forgetViews({ pool }: Pick<Database, 'pool'>, before: Date, limit: number): Promise<number> {
  const removed = await pool.query(
    `delete from location_views
    where id in (select id from location_views where kept_at < $1 order by kept_at limit $2)`,
    [before, limit],
  )
  return removed.rowCount ?? 0
}

function placeOf(id: string): Place {
  return { column: 'location_views.content', id }
}
