// Reminders of incidents that nobody has acknowledged: a row for each contact that has such a rule.
import type { Transaction } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'
import { nudgeDeliveries } from './nudges.ts'
import { remindMinutes } from './held-alerts.ts'
import { asReminder } from './ordered-alerts.ts'

/** An incident that runs for longer is not a matter of reminding any more. */
export const remindedDays = 7

/**
 * Orders the reminders that are due, `limit` at most, and puts the next ones off by their minutes. None is ordered while
 * an earlier alert of the incident is still on its way to the contact, nor in a maintenance. Returns how many were due.
 */
export async function remind(tx: Transaction, limit: number): Promise<{ due: number; ordered: number }> {
  const { rows } = await tx.client.query<{ due: number; ids: string[] }>({
    name: 'remind_contacts',
    text: remindStatement,
    values: [limit, remindedDays],
  })
  const [{ due, ids } = { due: 0, ids: [] }] = rows
  await nudgeDeliveries(tx.client, ids)
  return { due, ordered: ids.length }
}

// An incident that is ending or being acknowledged at this moment is locked, and left out until that is done.
const remindStatement = `
with due as (
  select
    step.id, step.incident_id, step.alert_channel_id, step.alert, incident.workspace_id,
    ${remindMinutes} as minutes,
    incident.status = 'open' and incident.started_at > now() - $2 * interval '1 day' as is_running,
    channel.enabled
      and channel.confirmed
      and not exists (
        select
        from monitors as m
        where m.id = incident.monitor_id
          and ${isInMaintenance('now()')}
      ) as may_be_told
  from alert_steps as step
  join incidents as incident on incident.id = step.incident_id
  join alert_channels as channel on channel.id = step.alert_channel_id
  join monitors as monitor on monitor.id = incident.monitor_id
  where step.due_at <= now()
    and step.type = 'reminder'
  order by step.due_at, step.id
  limit $1
  for no key update of step, incident skip locked
), over as (
  delete from alert_steps as step
  using due
  where step.id = due.id
    and (due.minutes is null or not due.is_running)
), later as (
  update alert_steps as step
  set due_at = now() + due.minutes * interval '1 minute'
  from due
  where step.id = due.id
    and due.minutes is not null
    and due.is_running
), told as (
  insert into deliveries (id, workspace_id, alert_channel_id, incident_id, alert, due_at, after_id, created_at)
  select
    gen_random_uuid(), due.workspace_id, due.alert_channel_id, due.incident_id,
    ${asReminder('due.alert')},
    now(), earlier.id, now()
  from due
  left join lateral (
    select delivery.id, delivery.state
    from deliveries as delivery
    where delivery.incident_id = due.incident_id
      and delivery.alert_channel_id = due.alert_channel_id
    order by delivery.created_at desc, delivery.id
    limit 1
  ) as earlier on true
  where due.minutes is not null
    and due.is_running
    and due.may_be_told
    and earlier.state is distinct from 'pending'
  returning id
)
select (select count(*) from due)::integer as due, array(select id from told) as ids`
