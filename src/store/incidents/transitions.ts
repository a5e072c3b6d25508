import { randomUUID } from 'node:crypto'
import type { Transaction } from '#store/database/database.ts'
import { dropHeldAlerts } from '#store/contacts/held-alerts.ts'
import { isTold } from '#store/status-pages/page-events.ts'

export type Opening = {
  incidentId: string
  workspaceId: string
  monitorId: string
  monitorName: string
  title: string
  cause: string | null
  at: Date
  locationCode: string | null
}

export type Ending = { incidentId: string; at: Date; message: string }

/** Opens incidents, each with its first event and what status pages tell of it. A monitor that has a running one already is a bug and throws. */
export async function openIncidents({ client }: Transaction, openings: Opening[]): Promise<void> {
  if (openings.length === 0) return
  await client.query(openStatement, [
    openings.map(({ incidentId }) => incidentId),
    openings.map(({ workspaceId }) => workspaceId),
    openings.map(({ monitorId }) => monitorId),
    openings.map(({ monitorName }) => monitorName),
    openings.map(({ title }) => title),
    openings.map(({ cause }) => cause),
    openings.map(({ at }) => at.toISOString()),
    openings.map(() => randomUUID()),
    openings.map(({ locationCode, cause }) => JSON.stringify({ location_code: locationCode, error: cause })),
  ])
}

export type ResolvedIncident = { id: string; title: string; cause: string | null; startedAt: Date; resolvedAt: Date }

/**
 * Resolves incidents that still run, each with its event and what status pages tell of it; gives those it resolved.
 * Alerts that are to be sent are the caller's affair; those that wait for their time are dropped.
 */
export async function resolveIncidents(tx: Transaction, endings: Ending[]): Promise<Map<string, ResolvedIncident>> {
  if (endings.length === 0) return new Map()
  const resolved = await tx.client.query<{
    id: string
    title: string
    cause: string | null
    started_at: Date
    resolved_at: Date
  }>(resolveStatement, [
    endings.map(({ incidentId }) => incidentId),
    endings.map(({ at }) => at.toISOString()),
    endings.map(({ message }) => message),
    endings.map(() => randomUUID()),
  ])
  await dropHeldAlerts(
    tx,
    resolved.rows.map(({ id }) => id),
    'ended',
  )
  return new Map(
    resolved.rows.map(({ id, title, cause, started_at, resolved_at }) => [
      id,
      { id, title, cause, startedAt: started_at, resolvedAt: resolved_at },
    ]),
  )
}

const openStatement = `
with opening as (
  select *
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::uuid[], $9::jsonb[])
    as o (id, workspace_id, monitor_id, monitor_name, title, cause, at, event_id, details)
), opened as (
  insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, cause, started_at)
  select id, workspace_id, monitor_id, monitor_name, 'open', title, cause, at
  from opening
), told as (
  insert into status_events (id, page_id, type, incident_id, at)
  select gen_random_uuid(), placed.page_id, 'opened', opening.id, opening.at
  from opening
  join status_monitors placed on placed.monitor_id = opening.monitor_id
  where ${isTold('placed.page_id')}
)
insert into incident_events (id, incident_id, type, at, message, details)
select event_id, id, 'opened', at, coalesce(cause, title), details
from opening`

const resolveStatement = `
with ending as (
  select *
  from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::uuid[]) as e (id, at, message, event_id)
), resolved as (
  update incidents i
  set status = 'resolved', resolved_at = greatest(i.started_at, ending.at)
  from ending
  where i.id = ending.id
    and i.status <> 'resolved'
  returning i.id, i.monitor_id, i.title, i.cause, i.started_at, i.resolved_at, ending.message, ending.event_id
), events as (
  insert into incident_events (id, incident_id, type, at, message)
  select event_id, id, 'resolved', resolved_at, message
  from resolved
), told as (
  insert into status_events (id, page_id, type, incident_id, at)
  select gen_random_uuid(), placed.page_id, 'resolved', resolved.id, resolved.resolved_at
  from resolved
  join status_monitors placed on placed.monitor_id = resolved.monitor_id
  where ${isTold('placed.page_id')}
)
select id, title, cause, started_at, resolved_at
from resolved`
