import type { IncidentDelivery, IncidentRecord } from '#core/incidents/incident.ts'
import type { Database } from '#store/database/database.ts'
import { type IncidentRow, newestIncidentsOf, toIncident } from './monitor-incidents.ts'

// A workspace's incidents page by page, and what stands around one of them.

export type IncidentPage = { incidents: IncidentRecord[]; nextCursor: string | null }

export type PageRequest = {
  workspaceId: string
  /** Null for all. */
  status: IncidentRecord['status'] | null
  /** The last incident of the page before; null for the newest. One that is gone leads to an empty page. */
  after: string | null
  limit: number
}

/** Newest first. */
export async function pageIncidents(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, status, after, limit }: PageRequest,
): Promise<IncidentPage> {
  const found = await pool.query<{ incidents: IncidentRow[] }>(pageStatement, [workspaceId, status, after, limit + 1])
  const rows = found.rows[0]?.incidents ?? []
  const incidents = rows.slice(0, limit).map(toIncident)
  return { incidents, nextCursor: rows.length > limit ? (incidents.at(-1)?.id ?? null) : null }
}

const pageStatement = `
with of_workspace as (
  select *
  from incidents
  where workspace_id = $1
    and ($2::text is null or status = $2)
    and (
      $3::uuid is null
      or exists (
        select
        from incidents last
        where last.id = $3
          and last.workspace_id = $1
          and (incidents.started_at < last.started_at or incidents.started_at = last.started_at and incidents.id > last.id)
      )
    )
  order by started_at desc, id
  limit $4
)
select ${newestIncidentsOf({ source: 'of_workspace', limit: '$4' })} as incidents`

export type Surroundings = {
  monitor: { name: string; kind: string; url: string | null } | null
  locationCodes: string[]
  deliveries: IncidentDelivery[]
}

/** Alerts of an outage that many contacts were told of. */
const maxDeliveries = 500

/** The caller has looked the incident up in its workspace. */
export async function readSurroundings({ pool }: Pick<Database, 'pool'>, incidentId: string): Promise<Surroundings> {
  const found = await pool.query<{
    monitor: Surroundings['monitor']
    locationCodes: string[] | null
    deliveries: DeliveryRow[]
  }>(surroundingsStatement, [incidentId])
  const [row] = found.rows
  return {
    monitor: row?.monitor ?? null,
    locationCodes: row?.locationCodes ?? [],
    deliveries: (row?.deliveries ?? []).map(toDelivery),
  }
}

type DeliveryRow = Omit<IncidentDelivery, 'created_at' | 'ended_at' | 'next_attempt_at'> & {
  created_at: string
  ended_at: string | null
  /** Null while nothing says when. */
  due_at: string | null
}

function toDelivery({ created_at, ended_at, due_at, ...delivery }: DeliveryRow): IncidentDelivery {
  return {
    ...delivery,
    created_at: new Date(created_at).toISOString(),
    ended_at: ended_at === null ? null : new Date(ended_at).toISOString(),
    next_attempt_at: delivery.state === 'pending' && due_at !== null ? new Date(due_at).toISOString() : null,
  }
}

const surroundingsStatement = `
select
  case when m.id is not null then json_build_object('name', m.name, 'kind', m.kind, 'url', m.url) end as monitor,
  (
    select p.locations
    from problems p
    where p.monitor_key = m.key
      and p.incident_id = i.id
    order by p.started_at
    limit 1
  ) as "locationCodes",
  to_json(array(
    select json_build_object(
      'id', d.id, 'contact_name', c.name, 'contact_kind', c.kind, 'type', d.alert ->> 'type', 'state', d.state,
      'attempts', d.attempt, 'error', d.error, 'status_code', d.status_code, 'created_at', d.created_at,
      'ended_at', d.ended_at, 'due_at', case when d.withheld_by is null then d.due_at end
    )
    from deliveries d
    join alert_channels c on c.id = d.alert_channel_id
    where d.incident_id = i.id
    order by d.created_at, d.id
    limit ${maxDeliveries}
  )) as deliveries
from incidents i
left join monitors m on m.id = i.monitor_id and m.workspace_id = i.workspace_id
where i.id = $1`
