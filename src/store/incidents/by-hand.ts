import type { AlertMonitor } from '#core/contacts/alerting.ts'
import { byHandAlert } from '#core/incidents/by-hand.ts'
import { oneLine } from '#core/language/one-line.ts'
import { enqueueAlerts } from '#store/contacts/deliveries.ts'
import { dropHeldAlerts } from '#store/contacts/held-alerts.ts'
import type { Transaction } from '#store/database/database.ts'
import type { IncidentScope } from './incidents.ts'

export type NewIncident = IncidentScope & {
  monitorId: string
  title: string
  cause: string | null
  /** The only contacts that are told; null where the monitor says who. */
  contactIds: readonly string[] | null
  actor: string
  at: Date
}

/** Null, and nothing written, where the workspace does not have the monitor. */
export async function openByHand(tx: Transaction, opening: NewIncident): Promise<{ monitorName: string } | null> {
  const { workspaceId, incidentId, monitorId, title, cause, contactIds, actor, at } = opening
  const monitor = await readMonitor(tx, { workspaceId, monitorId })
  if (monitor === null) return null
  await tx.client.query({
    name: 'open_by_hand',
    text: openStatement,
    values: [incidentId, workspaceId, monitorId, monitor.name, title, cause, at, actor],
  })
  const incident = {
    id: incidentId,
    status: 'open',
    title,
    cause,
    started_at: at.toISOString(),
    resolved_at: null,
  } as const
  const alert = byHandAlert('monitor.down', incident, monitor)
  const chosen = contactIds === null ? {} : { contactIds }
  await enqueueAlerts(tx, [{ workspaceId, monitorId, incidentId, alert, at, ...chosen }])
  return { monitorName: monitor.name }
}

/** How many of the workspace run. The caller holds the workspace. */
export async function countRunningByHand({ client }: Transaction, workspaceId: string): Promise<number> {
  const counted = await client.query<{ count: number }>({
    name: 'count_running_by_hand',
    text: `select count(*)::integer as count
    from incidents
    where workspace_id = $1
      and status <> 'resolved'
      and by_hand`,
    values: [workspaceId],
  })
  return counted.rows[0]?.count ?? 0
}

/**
 * Resolves an incident that was made by hand, with its event, and tells those who were told of it. False where it is
 * resolved already: then nothing is written.
 */
export async function resolveByHand(
  tx: Transaction,
  { workspaceId, incidentId, actor, at }: IncidentScope & { actor: string; at: Date },
): Promise<boolean> {
  const { rows } = await tx.client.query<Resolved>({
    name: 'resolve_by_hand',
    text: resolveStatement,
    values: [incidentId, workspaceId, at, actor, `Resolved by ${oneLine(actor)}.`],
  })
  const [row] = rows
  if (row === undefined) return false
  await dropHeldAlerts(tx, [incidentId], 'ended')
  const { monitor_id: monitorId, title, cause } = row
  const monitor = await readMonitor(tx, { workspaceId, monitorId })
  if (monitor === null) return true
  const times = { started_at: row.started_at.toISOString(), resolved_at: row.resolved_at.toISOString() }
  const alert = byHandAlert('monitor.up', { id: incidentId, status: 'resolved', title, cause, ...times }, monitor)
  await enqueueAlerts(tx, [{ workspaceId, monitorId, incidentId, alert, at: row.resolved_at, isForTold: true }])
  return true
}

type Resolved = { monitor_id: string; title: string; cause: string | null; started_at: Date; resolved_at: Date }

async function readMonitor(
  { client }: Transaction,
  { workspaceId, monitorId }: { workspaceId: string; monitorId: string },
): Promise<AlertMonitor | null> {
  const found = await client.query<AlertMonitor>({
    name: 'monitor_of_incident_by_hand',
    text: `select m.id, m.name, m.kind, m.url, s.current_status
    from monitors m
    join monitor_state s on s.monitor_key = m.key
    where m.id = $1
      and m.workspace_id = $2`,
    values: [monitorId, workspaceId],
  })
  return found.rows[0] ?? null
}

const openStatement = `
with opened as (
  insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, cause, started_at, by_hand)
  values ($1, $2, $3, $4, 'open', $5, $6, $7, true)
  returning id, title, cause, started_at
)
insert into incident_events (id, incident_id, type, at, message, actor, details)
select gen_random_uuid(), id, 'opened', started_at, coalesce(cause, title), $8, '{"by_hand": true}'
from opened`

const resolveStatement = `
with resolved as (
  update incidents
  set status = 'resolved', resolved_at = greatest(started_at, $3)
  where id = $1
    and workspace_id = $2
    and by_hand
    and status <> 'resolved'
  returning id, monitor_id, title, cause, started_at, resolved_at
), event as (
  insert into incident_events (id, incident_id, type, at, message, actor)
  select gen_random_uuid(), id, 'resolved', resolved_at, $5, $4
  from resolved
)
select monitor_id, title, cause, started_at, resolved_at
from resolved`
