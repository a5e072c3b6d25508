import type { Transaction } from '#store/database/database.ts'
import { remindMinutes } from './held-alerts.ts'
import { parentsUntil } from './parent-waits.ts'

/**
 * Writes a delivery of the alert that a step carries for each of these contacts, and their reminders; the caller nudges
 * them. A contact that was told before is reminded. Returns the ids of the deliveries that wait for no parents.
 */
export async function orderAlerts(
  { client }: Transaction,
  { stepId, contactIds }: { stepId: string; contactIds: readonly string[] },
): Promise<string[]> {
  if (contactIds.length === 0) return []
  const { rows } = await client.query<{ id: string }>({
    name: 'order_alerts',
    text: orderStatement,
    values: [stepId, contactIds],
  })
  return rows.map(({ id }) => id)
}

/** SQL of the alert `given` as a reminder of this moment. */
export const asReminder = (given: string): string => `${given} || jsonb_build_object(
  'type', 'monitor.reminder',
  'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
)`

// None while an earlier alert of the incident is on its way to the contact: it is about to be told.
const orderStatement = `
with told as (
  insert into deliveries
    (id, workspace_id, alert_channel_id, incident_id, alert, due_at, awaits_parents_until, after_id, created_at)
  select
    gen_random_uuid(), incident.workspace_id, channel.id, incident.id,
    case when earlier.id is null then step.alert else ${asReminder('step.alert')} end,
    coalesce(parents.until, now()), parents.until, earlier.id, now()
  from alert_steps as step
  join incidents as incident on incident.id = step.incident_id
  join alert_channels as channel
    on channel.id = any($2::uuid[])
    and channel.workspace_id = incident.workspace_id
  left join lateral (
    select delivery.id, delivery.state
    from deliveries as delivery
    where delivery.incident_id = incident.id
      and delivery.alert_channel_id = channel.id
      and delivery.state <> 'dropped'
    order by delivery.created_at desc, delivery.id
    limit 1
  ) as earlier on true
  left join lateral (
    select ${parentsUntil('now()')} as until
    from monitors as monitor
    where monitor.id = incident.monitor_id
      and earlier.id is null
  ) as parents on true
  where step.id = $1
    and earlier.state is distinct from 'pending'
  returning id, alert_channel_id, incident_id, alert, due_at, awaits_parents_until
), reminders as (
  insert into alert_steps (incident_id, type, alert_channel_id, alert, due_at)
  select told.incident_id, 'reminder', channel.id, told.alert, told.due_at + minutes * interval '1 minute'
  from told
  join alert_channels as channel on channel.id = told.alert_channel_id
  join monitors as monitor on monitor.id = (told.alert #>> '{data,monitor,id}')::uuid
  cross join lateral (select ${remindMinutes} as minutes) as rule
  where told.alert ->> 'type' = 'monitor.down'
    and minutes is not null
)
select id
from told
where awaits_parents_until is null`
