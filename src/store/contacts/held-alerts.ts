// Alerts that the rules of people keep back: by the contact, and by the monitor.
import { namedEvents } from '#core/contacts/alert-events.ts'
import { type DropReason, droppedEvent } from '#core/contacts/delivery-events.ts'
import { bundleType } from '#core/contacts/alerting.ts'
import { textArray } from '#store/database/array-literal.ts'
import type { Transaction } from '#store/database/database.ts'
import { dissolveBundle, postponeMembers } from './bundle-members.ts'
import type { ClaimedDelivery } from './delivery-attempts.ts'
import { parentsUntil } from './parent-waits.ts'

/** Until when the alert `wanted` of `monitor` to `channel` waits by their rules; null where it waits for none. */
export const heldUntil = `case
  when wanted.alert ->> 'type' = 'monitor.down'
  then wanted.at + interval '1 minute' * nullif(greatest(
    (channel.alert_rules ->> 'after_minutes')::integer,
    (monitor.alert_rules ->> 'after_minutes')::integer,
    wanted.hold_minutes
  ), 0)
end`

/** Minutes between reminders by the rules of `channel` and `monitor`, the longer ones; null where there are none. */
export const remindMinutes = `greatest(
  (channel.alert_rules ->> 'remind_every_minutes')::integer,
  (monitor.alert_rules ->> 'remind_every_minutes')::integer
)`

/** Whether `channel` and `monitor` both choose an event, given as SQL. A test is null: no event, and sent in any case. */
export function isChosen(event: string): string {
  return `(
  ${event} is null
  or (
    coalesce(channel.alert_rules -> 'events' ? ${event}, ${event} <> all('${textArray(namedEvents)}'))
    and coalesce(monitor.alert_rules -> 'events' ? ${event}, true)
  )
)`
}

/**
 * Ends what waits to tell these incidents and was never attempted, with an event for each contact that is not told at
 * all: its recovery tells it nothing either. There are no more reminders and no more steps of a policy. One that took no
 * step leaves an event, by which the recovery is for no contact, whatever policy the monitor has by then.
 */
export async function dropHeldAlerts(
  { client }: Transaction,
  incidentIds: readonly string[],
  reason: DropReason,
): Promise<void> {
  if (incidentIds.length === 0) return
  const dropped = await client.query<Dropped>({
    name: 'drop_held_alerts',
    text: dropStatement,
    values: [incidentIds, beforeFirstStep[reason]],
  })
  const untold = dropped.rows.filter(({ type }) => type === 'monitor.down')
  if (untold.length === 0) return
  const events = untold.map((row) => droppedEvent({ ...row, id: row.contact_id }, reason))
  await client.query({
    name: 'tell_dropped_alerts',
    text: tellStatement,
    values: [
      untold.map(({ incident_id: id }) => id),
      events.map(({ message }) => message),
      events.map(({ details }) => JSON.stringify(details)),
    ],
  })
}

/**
 * Puts a claimed alert off until its rules let it leave, as if it had not been claimed. Then it waits for parents again.
 * A bundle that was not tried yet is taken apart, so that what is over by then is dropped. Returns the deliveries that
 * wait for their time alone: what decides about parents nudges the others.
 */
export async function holdDelivery(
  tx: Transaction,
  { id, attempt, alert }: Pick<ClaimedDelivery, 'id' | 'attempt' | 'alert'>,
  until: Date,
): Promise<string[]> {
  if (alert.type === bundleType && attempt === 1) return dissolveBundle(tx, id, until)
  const { rows } = await tx.client.query<{ awaits: boolean }>({
    name: 'hold_delivery',
    text: holdStatement,
    values: [id, attempt, until],
  })
  if (alert.type === bundleType) await postponeMembers(tx, id)
  return rows[0]?.awaits === true ? [] : [id]
}

const beforeFirstStep: Readonly<Record<DropReason, string>> = {
  ended: 'The outage ended before the first step of',
  acknowledged: 'A person acknowledged the outage before the first step of',
}

const holdStatement = `
with parents as (
  select ${parentsUntil('$3::timestamptz')} as until
  from deliveries as delivery
  join monitors as monitor
    on monitor.id = (delivery.alert #>> '{data,monitor,id}')::uuid
    and monitor.workspace_id = delivery.workspace_id
  where delivery.id = $1
    and delivery.alert ->> 'type' = 'monitor.down'
    and delivery.incident_id is not null
)
update deliveries
set due_at = coalesce((select until from parents), $3), awaits_parents_until = (select until from parents),
  held_until = $3, claimed_at = null, attempt = attempt - 1
where id = $1
  and attempt = $2
  and state = 'pending'
returning awaits_parents_until is not null as awaits`

type Dropped = { incident_id: string; contact_id: string; name: string; kind: string; type: string }

const dropStatement = `
with removed as (
  delete from alert_steps
  where incident_id = any($1::uuid[])
  returning incident_id, type, policy_id, ended_policy
), never_begun as (
  insert into incident_events (id, incident_id, type, at, message, details)
  select
    gen_random_uuid(), removed.incident_id, 'escalated', now(),
    $2::text || coalesce(' “' || coalesce(policy.name, removed.ended_policy) || '”', ' the escalation policy') || '.',
    jsonb_build_object('policy_id', removed.policy_id)
  from removed
  left join escalation_policies as policy on policy.id = removed.policy_id
  where removed.type = 'escalation'
    and not exists (
      select
      from incident_events as event
      where event.incident_id = removed.incident_id
        and event.type = 'escalated'
    )
), waiting as materialized (
  select id
  from deliveries as delivery
  where delivery.incident_id = any($1::uuid[])
    and delivery.state = 'pending'
    and delivery.attempt = 0
    and (
      delivery.alert ->> 'type' = 'monitor.down'
        and (
          delivery.held_until > now()
          or delivery.awaits_parents_until is not null
          or delivery.withheld_by is not null
        )
      or delivery.alert ->> 'type' = 'monitor.reminder'
    )
  -- In the order in which a bundle locks what is in it.
  order by id
  for no key update
)
update deliveries as delivery
set state = 'dropped', ended_at = now()
from waiting, alert_channels as channel
where delivery.id = waiting.id
  and channel.id = delivery.alert_channel_id
returning delivery.incident_id, channel.id as contact_id, channel.name, channel.kind, delivery.alert ->> 'type' as type`

const tellStatement = `
insert into incident_events (id, incident_id, type, at, message, details)
select gen_random_uuid(), incident_id, 'alert_dropped', now(), message, details
from unnest($1::uuid[], $2::text[], $3::jsonb[]) as told (incident_id, message, details)`
