import { type SingleAlert, endingTypes, eventOf } from '#core/contacts/alerting.ts'
import type { Transaction } from '#store/database/database.ts'
import { takeSteps } from './escalations.ts'
import { heldUntil, isChosen, remindMinutes } from './held-alerts.ts'
import { policyOfMonitor } from './monitor-policy.ts'
import { nudgeDeliveries } from './nudges.ts'
import { parentsUntil } from './parent-waits.ts'
import { alertsAll, isNamed } from './told-contacts.ts'

/** An alert to whomever its monitor alerts, as ordered by the transaction in which its occasion is written. */
export type AlertOrder = {
  workspaceId: string
  monitorId: string
  incidentId: string | null
  /** The end of an episode comes after its beginning. */
  episodeId?: string
  /** The only contacts that are told, where it is not the monitor that says who. */
  contactIds?: readonly string[]
  /** An outage is told once it has lasted so long, whatever the rules say beside it. */
  holdMinutes?: number
  /** An end is told only to contacts that were told of the outage. */
  isForTold?: boolean
  alert: SingleAlert
  at: Date
}

/**
 * Writes a delivery for every enabled and confirmed contact of each order's monitor, and the jobs that nudge them:
 * at most four statements for any number of orders. A recovery is put behind the same contact's down alert of its
 * incident, also when both come in one call, and a down alert behind the recovery from the monitor's incident before.
 * The rules of contact and monitor leave alerts out, and put down alerts off.
 */
export async function enqueueAlerts(transaction: Transaction, orders: readonly AlertOrder[]): Promise<void> {
  const endings = orders.filter(({ alert }) => endingTypes.includes(alert.type))
  const others = orders.filter(({ alert }) => !endingTypes.includes(alert.type))
  for (const part of [others, endings]) {
    if (part.length === 0) continue
    const { deliveries, steps } = await insertDeliveries(transaction, part)
    await nudgeDeliveries(transaction.client, deliveries)
    if (steps.length > 0) await takeSteps(transaction, { limit: steps.length, ids: steps })
  }
}

/** The deliveries that were written, and the first steps of policies that are due. */
type Inserted = { deliveries: string[]; steps: string[] }

async function insertDeliveries(transaction: Transaction, orders: readonly AlertOrder[]): Promise<Inserted> {
  const inserted = await transaction.client.query<{ id: string; is_step: boolean }>({
    name: 'insert_deliveries',
    text: insertStatement,
    values: [JSON.stringify(orders.map(asRecord), storable)],
  })
  const idsOf = (isStep: boolean): string[] =>
    inserted.rows.flatMap(({ id, is_step: is }) => (is === isStep ? [id] : []))
  return { deliveries: idsOf(false), steps: idsOf(true) }
}

function asRecord(order: AlertOrder): Record<string, unknown> {
  return {
    workspace_id: order.workspaceId,
    monitor_id: order.monitorId,
    incident_id: order.incidentId,
    episode_id: order.episodeId ?? null,
    alert: order.alert,
    event: eventOf(order.alert.type),
    contact_ids: order.contactIds ?? null,
    hold_minutes: order.holdMinutes ?? null,
    is_for_told: order.isForTold ?? false,
    at: order.at,
  }
}

/** The text of a target's answer may hold a NUL or half of a surrogate pair; jsonb takes neither. */
export function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}

/** The condition by which a contact of the workspace is alerted of a monitor. */
export const isAlerted = `
  channel.workspace_id = monitor.workspace_id
  and channel.enabled
  and channel.confirmed
  and (${alertsAll} or ${isNamed})`

/**
 * Contacts that are alerted of `wanted`. Where a policy escalates, an outage is told at once only to contacts that the
 * monitor names, and its end to those that were told.
 */
const isToldNow = `
    channel.workspace_id = monitor.workspace_id
    and channel.enabled
    and channel.confirmed
    and ${isChosen('wanted.event')}
    and case
      when wanted.contact_ids is not null then channel.id = any(wanted.contact_ids)
      when wanted.alert ->> 'type' = 'monitor.unstable_ended' then exists (
        select
        from deliveries as told
        where told.episode_id = wanted.episode_id
          and told.alert_channel_id = channel.id
      )
      when not wanted.is_escalated then wanted.alerts_all or ${isNamed}
      when wanted.alert ->> 'type' = 'monitor.down' then ${isNamed}
      else exists (
        select
        from deliveries as told
        where told.incident_id = wanted.incident_id
          and told.alert_channel_id = channel.id
      )
    end`

const insertStatement = `
with wanted as materialized (
  select
    wanted.*,
    policy.id as policy_id,
    ${alertsAll} as alerts_all,
    -- An outage ends with the policy with which it began, or without one, whatever the monitor has by then.
    case wanted.alert ->> 'type'
      when 'monitor.down' then policy.id is not null
      when 'monitor.up' then wanted.is_for_told or exists (
        select
        from incident_events as event
        where event.incident_id = wanted.incident_id
          and event.type = 'escalated'
      )
      else false
    end as is_escalated
  from jsonb_to_recordset($1::jsonb)
    as wanted (
      workspace_id uuid, monitor_id uuid, incident_id uuid, episode_id uuid, alert jsonb, event text, at timestamptz,
      contact_ids uuid[], hold_minutes integer, is_for_told boolean
    )
  join monitors as monitor
    on monitor.id = wanted.monitor_id
    and monitor.workspace_id = wanted.workspace_id
  left join lateral ${policyOfMonitor} as policy
    on wanted.alert ->> 'type' = 'monitor.down'
    -- Of an incident that was made by hand for these contacts, a policy tells no others.
    and wanted.contact_ids is null
), inserted as (
  insert into deliveries
    (
      id, workspace_id, alert_channel_id, incident_id, episode_id, alert, due_at, held_until, awaits_parents_until,
      after_id, created_at
    )
  select
    gen_random_uuid(), wanted.workspace_id, channel.id, wanted.incident_id, wanted.episode_id, wanted.alert,
    coalesce(parents.until, greatest(now(), held.until)), held.until, parents.until,
    coalesce(earlier.id, beginning.id, newest.id), wanted.at
  from wanted
  join monitors as monitor on monitor.id = wanted.monitor_id
  join alert_channels as channel on ${isToldNow}
  cross join lateral (select ${heldUntil} as until) as held
  cross join lateral (
    select case when wanted.alert ->> 'type' = 'monitor.down' then ${parentsUntil('greatest(now(), held.until)')} end as until
  ) as parents
  left join lateral (
    select wanted.incident_id as id, array['monitor.down', 'monitor.reminder'] as types
    where wanted.alert ->> 'type' = 'monitor.up'
    union all
    (
      select previous.id, array['monitor.up']
      from incidents as previous
      where wanted.alert ->> 'type' = 'monitor.down'
        and previous.monitor_id = wanted.monitor_id
        and previous.id <> wanted.incident_id
      order by previous.started_at desc, previous.id
      limit 1
    )
  ) as before on true
  left join lateral (
    select delivery.id, delivery.state
    from deliveries as delivery
    where delivery.incident_id = before.id
      and delivery.alert_channel_id = channel.id
      and delivery.alert ->> 'type' = any(before.types)
    -- What was dropped says only that the contact was not told, where nothing else was sent.
    order by delivery.state = 'dropped', delivery.created_at desc, delivery.id
    limit 1
  ) as earlier on true
  left join lateral (
    select delivery.id
    from deliveries as delivery
    where delivery.episode_id = wanted.episode_id
      and delivery.alert_channel_id = channel.id
    order by delivery.created_at desc, delivery.id
    limit 1
  ) as beginning on true
  -- What was told of single outages comes before the alert that stands for the next ones.
  left join lateral (
    select delivery.id
    from incidents as outage
    join deliveries as delivery
      on delivery.incident_id = outage.id
      and delivery.alert_channel_id = channel.id
      and delivery.state <> 'dropped'
    where wanted.alert ->> 'type' = 'monitor.unstable'
      and outage.monitor_id = wanted.monitor_id
    order by outage.started_at desc, delivery.created_at desc, delivery.id
    limit 1
  ) as newest on true
  -- A contact that was not told of an outage is not told of its end.
  where not (wanted.alert ->> 'type' = 'monitor.up' and earlier.state is not distinct from 'dropped')
  returning id, alert_channel_id, incident_id, alert, due_at, awaits_parents_until
), reminders as (
  insert into alert_steps (incident_id, type, alert_channel_id, alert, due_at)
  select inserted.incident_id, 'reminder', channel.id, inserted.alert, inserted.due_at + minutes * interval '1 minute'
  from inserted
  join alert_channels as channel on channel.id = inserted.alert_channel_id
  join monitors as monitor on monitor.id = (inserted.alert #>> '{data,monitor,id}')::uuid
  cross join lateral (select ${remindMinutes} as minutes) as rule
  where inserted.alert ->> 'type' = 'monitor.down'
    and inserted.incident_id is not null
    and minutes is not null
), begun as (
  insert into alert_steps (incident_id, type, policy_id, alert, due_at, awaits_parents_until)
  select
    wanted.incident_id, 'escalation', policy.id, wanted.alert, coalesce(parents.until, first.due_at), parents.until
  from wanted
  join monitors as monitor on monitor.id = wanted.monitor_id
  join escalation_policies as policy on policy.id = wanted.policy_id
  cross join lateral (
    select wanted.at + interval '1 minute' * (
      greatest((monitor.alert_rules ->> 'after_minutes')::integer, wanted.hold_minutes, 0)
      + (policy.steps -> 0 ->> 'after_minutes')::integer
    ) as due_at
  ) as first
  cross join lateral (select ${parentsUntil('greatest(now(), first.due_at)')} as until) as parents
  where wanted.alert ->> 'type' = 'monitor.down'
    and wanted.incident_id is not null
    and coalesce(monitor.alert_rules -> 'events' ? 'down', true)
  returning id, due_at
)
select id, false as is_step
from inserted
where awaits_parents_until is null
union all
select id, true
from begun
where due_at <= now()`
