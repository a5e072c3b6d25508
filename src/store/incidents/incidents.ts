import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { oneLine } from '#core/language/one-line.ts'
import type { IncidentEvent, IncidentEventType, IncidentRecord } from '#core/incidents/incident.ts'
import { dropHeldAlerts } from '#store/contacts/held-alerts.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { assigneeOf } from './monitor-incidents.ts'

const maxListed = 500
/** Alerts of a long outage add events; a page of them is bounded like every list. */
const maxEvents = 1000

export type IncidentScope = { workspaceId: string; incidentId: string }

/** The newest 500 of a workspace, newest first. */
export async function listIncidents(reader: Reader, workspaceId: string): Promise<IncidentRecord[]> {
  const rows = await selectIncidents(reader).where('workspace_id', '=', workspaceId).limit(maxListed).execute()
  return rows.map(toIncident)
}

/** The newest incidents of one monitor, newest first. */
export async function listMonitorIncidents(
  reader: Reader,
  request: { workspaceId: string; monitorId: string; limit: number },
): Promise<IncidentRecord[]> {
  const rows = await selectIncidents(reader)
    .where('workspace_id', '=', request.workspaceId)
    .where('monitor_id', '=', request.monitorId)
    .limit(request.limit)
    .execute()
  return rows.map(toIncident)
}

export async function findIncident(reader: Reader, scope: IncidentScope): Promise<IncidentRecord | undefined> {
  const row = await selectIncidents(reader)
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', scope.incidentId)
    .executeTakeFirst()
  return row === undefined ? undefined : toIncident(row)
}

/** Oldest first. The caller has looked the incident up in its workspace. */
export async function listIncidentEvents(reader: Reader, incidentId: string): Promise<IncidentEvent[]> {
  const rows = await reader.query
    .selectFrom('incident_events')
    .select(['id', 'type', 'at', 'message', 'actor', 'details'])
    .where('incident_id', '=', incidentId)
    .orderBy('at')
    .orderBy('position')
    .limit(maxEvents)
    .$castTo<Omit<IncidentEvent, 'at'> & { at: Date }>()
    .execute()
  return rows.map(({ id, type, at, message, actor, details }) => {
    return { id, type, at: at.toISOString(), message, actor, details }
  })
}

export type Acknowledgement = IncidentScope & {
  actor: string
  at: Date
  /** The contact whose link in an alert was used, if it was one. */
  linkOf?: { id: string }
}

/** Acknowledges an open incident, with its event. False when it was not open: then nothing is written. */
export async function acknowledgeIncident(tx: Transaction, acknowledgement: Acknowledgement): Promise<boolean> {
  const { workspaceId, incidentId, actor, at, linkOf } = acknowledgement
  const changed = await tx.query
    .updateTable('incidents')
    .set({ status: 'acknowledged' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', incidentId)
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return false
  const type: IncidentEventType = 'acknowledged'
  const by = linkOf === undefined ? actor : `${oneLine(actor)}, by the link in an alert`
  const details = linkOf === undefined ? {} : { alert_channel_id: linkOf.id, by: 'the link in an alert' }
  await tx.query
    .insertInto('incident_events')
    .values({
      id: randomUUID(),
      incident_id: incidentId,
      type,
      at,
      message: `Acknowledged by ${by}.`,
      actor,
      details: JSON.stringify(details),
    })
    .execute()
  await dropHeldAlerts(tx, [incidentId], 'acknowledged')
  return true
}

const columns = [
  'id',
  'monitor_id',
  'monitor_name',
  'status',
  'title',
  'cause',
  'started_at',
  'resolved_at',
  'by_hand',
] as const

type IncidentRow = Omit<IncidentRecord, 'started_at' | 'resolved_at' | 'assignee'> & {
  started_at: Date
  resolved_at: Date | null
  assignee: readonly [id: string, name: string] | null
}

function selectIncidents(reader: Reader) {
  return reader.query
    .selectFrom('incidents')
    .select(columns)
    .select(sql`${sql.raw(assigneeOf('incidents'))}`.as('assignee'))
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .$castTo<IncidentRow>()
}

function toIncident({ started_at, resolved_at, assignee, by_hand, ...incident }: IncidentRow): IncidentRecord {
  return {
    ...incident,
    started_at: started_at.toISOString(),
    resolved_at: resolved_at?.toISOString() ?? null,
    assignee: assignee === null ? null : { id: assignee[0], name: assignee[1] },
    by_hand,
  }
}
