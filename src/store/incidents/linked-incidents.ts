// Incidents as the links in alerts name them.
import type { IncidentRecord } from '#core/incidents/incident.ts'
import type { Database, Transaction } from '#store/database/database.ts'

export type LinkedIncident = {
  incidentId: string
  workspaceId: string
  monitorName: string
  status: IncidentRecord['status']
  resolvedAt: Date | null
  /** The newest acknowledgement; `actor` is its name. */
  acknowledged: { actor: string | null; at: Date } | null
  contact: { id: string; name: string; kind: string }
}

export type IncidentLink = { incidentId: string; contact: { id: string; addressNumber: number } }

/**
 * The incident, if its workspace still has the contact and is open itself, and the contact gets alerts with such links
 * at the address that the link was sent to. The signed link stands for the workspace.
 */
export async function findLinkedIncident(
  client: Database['pool'] | Transaction['client'],
  { incidentId, contact }: IncidentLink,
): Promise<LinkedIncident | null> {
  const { rows } = await client.query<Row>({
    name: 'find_linked_incident',
    text: findStatement,
    values: [incidentId, contact.id, contact.addressNumber],
  })
  const [row] = rows
  if (row === undefined) return null
  const { acknowledged_by: actor, acknowledged_at: at } = row
  return {
    incidentId,
    workspaceId: row.workspace_id,
    monitorName: row.monitor_name,
    status: row.status,
    resolvedAt: row.resolved_at,
    acknowledged: at === null ? null : { actor, at },
    contact: { id: contact.id, name: row.name, kind: row.kind },
  }
}

type Row = {
  workspace_id: string
  monitor_name: string
  status: IncidentRecord['status']
  resolved_at: Date | null
  acknowledged_by: string | null
  acknowledged_at: Date | null
  name: string
  kind: string
}

const findStatement = `
select
  incident.workspace_id,
  incident.monitor_name,
  incident.status,
  incident.resolved_at,
  event.actor as acknowledged_by,
  event.at as acknowledged_at,
  channel.name,
  channel.kind
from incidents as incident
join workspaces as workspace on workspace.id = incident.workspace_id
join alert_channels as channel on channel.workspace_id = incident.workspace_id
left join lateral (
  select actor, at
  from incident_events
  where incident_id = incident.id
    and type = 'acknowledged'
  order by position desc
  limit 1
) as event on true
where incident.id = $1
  and channel.id = $2
  and channel.address_number = $3
  and channel.enabled
  and channel.confirmed
  and (channel.alert_rules ->> 'acknowledge_link')::boolean
  and workspace.closed_at is null`
