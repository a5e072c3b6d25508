import { sql } from 'kysely'
import type { StatusAlert } from '#core/contacts/alerting.ts'
import type { IncidentRecord } from '#core/incidents/incident.ts'
import type { KindName } from '#core/monitors/kind-traits.ts'
import type { Reader } from '#store/database/database.ts'
import { type IncidentScope, findIncident } from '#store/incidents/incidents.ts'

type Wanted = { type: StatusAlert['type']; now: Date }

/**
 * The alert of an incident as it was told; where none was, or it is kept no more, what the incident itself tells. Null
 * where there is no such incident. One that still runs is taken to end now.
 */
export async function findPastAlert(reader: Reader, scope: IncidentScope, wanted: Wanted): Promise<StatusAlert | null> {
  const incident = await findIncident(reader, scope)
  if (incident === undefined) return null
  return (
    (await findTold(reader, scope, wanted.type)) ?? composed(incident, await kindOf(reader, scope, incident), wanted)
  )
}

async function findTold(
  { query }: Reader,
  { workspaceId, incidentId }: IncidentScope,
  type: StatusAlert['type'],
): Promise<StatusAlert | null> {
  const told = await query
    .selectFrom('deliveries')
    .select(sql<StatusAlert>`alert`.as('alert'))
    .where('incident_id', '=', incidentId)
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`alert ->> 'type' = ${type}`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return told?.alert ?? null
}

async function kindOf(
  { query }: Reader,
  { workspaceId }: IncidentScope,
  { monitor_id: id }: IncidentRecord,
): Promise<KindName> {
  const monitor = await query
    .selectFrom('monitors')
    .select(sql<KindName>`kind`.as('kind'))
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return monitor?.kind ?? 'http'
}

/** What answered, and where, is not kept with an incident. */
function composed(incident: IncidentRecord, kind: KindName, { type, now }: Wanted): StatusAlert {
  const { id, monitor_id: monitorId, monitor_name: name, title, cause, started_at: from } = incident
  const isUp = type === 'monitor.up'
  const until = isUp ? (incident.resolved_at ?? now.toISOString()) : null
  const status = isUp ? 'up' : 'down'
  return {
    type,
    timestamp: until ?? from,
    data: {
      monitor: { id: monitorId, name, kind, url: null, current_status: status },
      incident: { id, status: isUp ? 'resolved' : 'open', title, cause, started_at: from, resolved_at: until },
      result: { status, status_code: null, latency_ms: null, location_code: '', error: isUp ? null : cause },
    },
  }
}
