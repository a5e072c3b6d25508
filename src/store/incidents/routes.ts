// The ways that packets took to targets, sealed (docs/evidence.md). They may be lost, and what they belong to may not.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  maxRouteLocations,
  maxRoutesOfIncident,
  maxRoutesOfMonitor,
  maxRoutesOfWorkspaceBytes,
  readRoute,
  type Route,
  routeLeadMs,
} from '#core/incidents/route.ts'
import type { Database } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

export type NewRoute = { monitorId: string; location: string; isFailure: boolean; takenAt: Date; route: Route }

type Pool = Pick<Database, 'pool'>
type Sealing = Pick<Secrets, 'encrypt' | 'decrypt'>

/**
 * Keeps it where the location checks the monitor, which has to keep evidence. One that was taken while the monitor was up
 * takes the place of an older one; one after a failure is kept beside others, with what the way was before.
 */
export async function keepRoute(database: Pool, secrets: Sealing, taken: NewRoute): Promise<void> {
  if (taken.isFailure) await keepOfFailure(database, secrets, taken)
  else await keepWhileUp(database, secrets, taken)
}

async function keepWhileUp({ pool }: Pool, secrets: Sealing, { route, ...taken }: NewRoute): Promise<void> {
  const { monitorId, location, takenAt } = taken
  const id = randomUUID()
  const content = secrets.encrypt(JSON.stringify({ route }), placeOf(id))
  await pool.query(
    `insert into monitor_routes (id, monitor_id, workspace_id, location, is_failure, taken_at, content, bytes)
    select $1::uuid, m.id, m.workspace_id, $3::text, false, $4::timestamptz, $5::bytea, octet_length($5::bytea)
    from monitors m
    where ${isOfLocation}
    on conflict (monitor_id, location) where not is_failure
    do update
    set id = excluded.id, taken_at = excluded.taken_at, content = excluded.content, bytes = excluded.bytes
    where monitor_routes.taken_at <= excluded.taken_at`,
    [id, monitorId, location, takenAt, content],
  )
}

const isOfLocation = `m.id = $2 and m.keep_evidence and $3 = any(m.locations)`

async function keepOfFailure(database: Pool, secrets: Sealing, { route, ...taken }: NewRoute): Promise<void> {
  const { pool } = database
  const { monitorId, location, takenAt } = taken
  const before = await readWhileUp(database, secrets, taken)
  const id = randomUUID()
  const content = secrets.encrypt(JSON.stringify({ route, before }), placeOf(id))
  const kept = await pool.query<{ workspace_id: string }>(
    `insert into monitor_routes (id, monitor_id, workspace_id, location, is_failure, taken_at, content, bytes)
    select $1::uuid, m.id, m.workspace_id, $3::text, true, $4::timestamptz, $5::bytea, octet_length($5::bytea)
    from monitors m
    where ${isOfLocation}
    returning workspace_id`,
    [id, monitorId, location, takenAt, content],
  )
  const [row] = kept.rows
  if (row === undefined) return
  await pool.query(trimMonitorStatement, [monitorId, maxRoutesOfMonitor, trimmedAtOnce])
  await pool.query(trimWorkspaceStatement, [row.workspace_id, maxRoutesOfWorkspaceBytes, trimmedAtOnce])
}

const trimmedAtOnce = 1_000

const trimMonitorStatement = `
delete from monitor_routes
where id in (
  select id
  from monitor_routes
  where monitor_id = $1 and is_failure
  order by taken_at desc, id
  offset $2
  limit $3
)`

/** Two engines may do it at once: what one of them holds, the other leaves. */
const trimWorkspaceStatement = `
delete from monitor_routes
where id in (
  select id
  from monitor_routes
  where id in (
    select id
    from (
      select id, sum(bytes) over (order by taken_at desc, id) as total
      from monitor_routes
      where workspace_id = $1 and is_failure
    ) as summed
    where total > $2
    limit $3
  )
  for update skip locked
)`

export type RouteOfBefore = { takenAt: Date; route: Route }

/** As it is sealed; a later release may add members. */
const contentSchema = z.object({
  route: z.unknown(),
  before: z.object({ taken_at: z.string(), route: z.unknown() }).nullish(),
})

/** As it is sealed beside another one. */
type SealedBefore = { taken_at: string; route: Route } | null

async function readWhileUp(
  { pool }: Pool,
  secrets: Sealing,
  { monitorId, location }: Pick<NewRoute, 'monitorId' | 'location'>,
): Promise<SealedBefore> {
  const found = await pool.query<SealedRow>(
    `select id, location, null as name, is_failure, taken_at, content
    from monitor_routes
    where monitor_id = $1 and location = $2 and not is_failure`,
    [monitorId, location],
  )
  const [kept] = openAll(found.rows, secrets)
  return kept === undefined ? null : { taken_at: kept.takenAt.toISOString(), route: kept.route }
}

/** `locationName` is null for a location that was removed. */
export type KeptRoute = {
  location: string
  locationName: string | null
  isFailure: boolean
  takenAt: Date
  route: Route
  before: RouteOfBefore | null
}

type SealedRow = {
  id: string
  location: string
  name: string | null
  is_failure: boolean
  taken_at: Date
  content: Buffer
}

/**
 * What was taken after the failures of one incident, oldest first: up to its end, and from shortly before it opened, but
 * not from an incident before it. The caller has looked the incident up in its workspace.
 */
export async function readIncidentRoutes(
  { pool }: Pool,
  secrets: Pick<Secrets, 'decrypt'>,
  incidentId: string,
): Promise<KeptRoute[]> {
  const found = await pool.query<SealedRow>(
    `select r.id, r.location, l.name, r.is_failure, r.taken_at, r.content
    from incidents i
    join monitor_routes r on r.monitor_id = i.monitor_id
    left join locations l on l.code = r.location
    where i.id = $1
      and r.is_failure
      and r.taken_at >= i.started_at - $2 * interval '1 millisecond'
      and r.taken_at <= coalesce(i.resolved_at, 'infinity')
      and not exists (
        select
        from incidents earlier
        where earlier.monitor_id = i.monitor_id
          and not earlier.by_hand
          and earlier.started_at < i.started_at
          and earlier.resolved_at >= r.taken_at
      )
    order by r.taken_at, r.location, r.id
    limit $3`,
    [incidentId, routeLeadMs, maxRoutesOfIncident],
  )
  return openAll(found.rows, secrets)
}

/** The newest of each location, in the order of their codes. The caller has looked the monitor up in its workspace. */
export async function readMonitorRoutes(
  { pool }: Pool,
  secrets: Pick<Secrets, 'decrypt'>,
  monitorId: string,
): Promise<KeptRoute[]> {
  const found = await pool.query<SealedRow>(
    `select distinct on (r.location) r.id, r.location, l.name, r.is_failure, r.taken_at, r.content
    from monitor_routes r
    left join locations l on l.code = r.location
    where r.monitor_id = $1
    order by r.location, r.taken_at desc, r.id
    limit $2`,
    [monitorId, maxRouteLocations],
  )
  return openAll(found.rows, secrets)
}

/** What another release sealed in a way that this one does not read is left out. */
function openAll(rows: readonly SealedRow[], secrets: Pick<Secrets, 'decrypt'>): KeptRoute[] {
  return rows.flatMap(({ id, location, name, is_failure: isFailure, taken_at: takenAt, content }) => {
    const opened = contentSchema.parse(JSON.parse(secrets.decrypt(content, placeOf(id))))
    const route = readRoute(opened.route)
    if (route === null) return []
    return [{ location, locationName: name, isFailure, takenAt, route, before: beforeOf(opened.before ?? null) }]
  })
}

function beforeOf(found: { taken_at: string; route?: unknown } | null): RouteOfBefore | null {
  const route = found === null ? null : readRoute(found.route)
  return found === null || route === null ? null : { takenAt: new Date(found.taken_at), route }
}

/** The oldest first, `limit` at most; returns how many. */
export async function forgetRoutes({ pool }: Pool, before: Date, limit: number): Promise<number> {
  const removed = await pool.query(
    `delete from monitor_routes
    where id in (select id from monitor_routes where taken_at < $1 order by taken_at limit $2)`,
    [before, limit],
  )
  return removed.rowCount ?? 0
}

function placeOf(id: string): Place {
  return { column: 'monitor_routes.content', id }
}
