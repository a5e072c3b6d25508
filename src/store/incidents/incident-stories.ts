import type { IncidentDelivery, IncidentStory, UntoldContact } from '#core/incidents/incident.ts'
import { alertsAll, isNamed } from '#store/contacts/told-contacts.ts'
import type { Database } from '#store/database/database.ts'

// What stands around an incident.

export type Surroundings = {
  monitor: IncidentStory['monitor']
  locationCodes: string[]
  deliveries: IncidentDelivery[]
  untold: UntoldContact[]
}

/** Alerts of an outage that many contacts were told of. */
const maxDeliveries = 500
const maxUntold = 100

/** The caller has looked the incident up in its workspace. */
export async function readSurroundings({ pool }: Pick<Database, 'pool'>, incidentId: string): Promise<Surroundings> {
  const found = await pool.query<{
    monitor: Surroundings['monitor']
    locationCodes: string[] | null
    deliveries: DeliveryRow[]
    untold: UntoldContact[]
  }>(surroundingsStatement, [incidentId])
  const [row] = found.rows
  return {
    monitor: row?.monitor ?? null,
    locationCodes: row?.locationCodes ?? [],
    deliveries: (row?.deliveries ?? []).map(toDelivery),
    untold: row?.untold ?? [],
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
  case
    when m.id is not null then json_build_object(
      'name', m.name, 'kind', m.kind, 'url', m.url, 'interval_seconds', m.interval_seconds
    )
  end as monitor,
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
  )) as deliveries,
  to_json(array(
    select json_build_object(
      'id', channel.id, 'name', channel.name, 'kind', channel.kind,
      'reason', case when channel.confirmed then 'disabled' else 'unconfirmed' end
    )
    from monitors as monitor
    join alert_channels as channel on channel.workspace_id = monitor.workspace_id
    where monitor.id = m.id
      and not (channel.confirmed and channel.enabled)
      and (${isNamed} or ${alertsAll})
      and not exists (select from deliveries d where d.incident_id = i.id and d.alert_channel_id = channel.id)
    order by channel.name, channel.id
    limit ${maxUntold}
  )) as untold
from incidents i
left join monitors m on m.id = i.monitor_id and m.workspace_id = i.workspace_id
where i.id = $1`
