import { type SingleAlert, endingTypes, eventOf } from '#core/contacts/alerting.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { attemptsPerContact } from './delivery-attempts.ts'
import { isBehind } from './delivery-order.ts'
import { takeSteps } from './escalations.ts'
import { heldUntil, isChosen, remindMinutes } from './held-alerts.ts'
import { nudgeDeliveries } from './nudges.ts'
import { sharesTag } from '#store/tags.ts'
import { parentsUntil } from './parent-waits.ts'

/** An alert to whomever its monitor alerts, as ordered by the transaction in which its occasion is written. */
export type AlertOrder = {
  workspaceId: string
  monitorId: string
  incidentId: string | null
  /** The end of an episode comes after its beginning. */
  episodeId?: string
  alert: SingleAlert
  at: Date
}

/** Longest overdue deliveries looked at in one sweep, and the most nudged: in all, and of one contact. */
const sweepDepth = 20_000
const sweepLimit = 1000
const sweepLimitPerContact = 20

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

/**
 * Adds jobs for deliveries that waited for the end of this one, or of what was in it, and for due ones to its contact.
 * Called after the end is committed: deliveries that were turned away before it are found here, and later ones see the
 * end.
 */
export async function nudgeFollowers(
  { pool }: Database,
  of: { id: string; contactId: string; isBundle: boolean },
): Promise<void> {
  const waiting = await pool.query<{ id: string }>({
    name: 'followers_of_delivery',
    text: followersStatement,
    values: [of.id, of.contactId, attemptsPerContact],
  })
  const behindMembers = of.isBundle
    ? await pool.query<{ id: string }>({ name: 'followers_of_bundle', text: behindStatement, values: [of.id] })
    : { rows: [] }
  await nudgeDeliveries(pool, [...new Set([...waiting.rows, ...behindMembers.rows].map(({ id }) => id))])
}

/** Nudges what is overdue: its job was lost, or its worker died over a minute ago. Returns how many. */
export async function sweepDeliveries({ pool }: Database): Promise<number> {
  const overdue = await pool.query<{ id: string }>({
    name: 'sweep_deliveries',
    text: sweepStatement,
    values: [sweepDepth, sweepLimitPerContact, sweepLimit],
  })
  await nudgeDeliveries(
    pool,
    overdue.rows.map(({ id }) => id),
  )
  return overdue.rows.length
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
  and (monitor.alert_channel_ids is null or channel.id = any(monitor.alert_channel_ids))`

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
      when not wanted.is_escalated then monitor.alert_channel_ids is null or channel.id = any(monitor.alert_channel_ids)
      when wanted.alert ->> 'type' = 'monitor.down' then coalesce(channel.id = any(monitor.alert_channel_ids), false)
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
    -- A policy that was deleted meanwhile has told some contacts, and its end is not for the others.
    policy.id is not null
      or wanted.alert ->> 'type' = 'monitor.up'
      and exists (
        select
        from incident_events as event
        where event.incident_id = wanted.incident_id
          and event.type = 'escalated'
      ) as is_escalated
  from jsonb_to_recordset($1::jsonb)
    as wanted (
      workspace_id uuid, monitor_id uuid, incident_id uuid, episode_id uuid, alert jsonb, event text, at timestamptz
    )
  join monitors as monitor
    on monitor.id = wanted.monitor_id
    and monitor.workspace_id = wanted.workspace_id
  left join lateral (
    select policy.id
    from escalation_policies as policy
    where policy.workspace_id = monitor.workspace_id
      and wanted.alert ->> 'type' in ('monitor.down', 'monitor.up')
      and case
        when monitor.escalation_policy_id is not null then policy.id = monitor.escalation_policy_id
        else policy.is_default or ${sharesTag('policy.tags', 'monitor.tags')}
      end
    -- One chosen by a tag comes before the default.
    order by not ${sharesTag('policy.tags', 'monitor.tags')}, policy.created_at, policy.id
    limit 1
  ) as policy on true
), inserted as (
  insert into deliveries
    (
      id, workspace_id, alert_channel_id, incident_id, episode_id, alert, due_at, held_until, awaits_parents_until,
      after_id, created_at
    )
  select
    gen_random_uuid(), wanted.workspace_id, channel.id, wanted.incident_id, wanted.episode_id, wanted.alert,
    coalesce(parents.until, greatest(now(), held.until)), held.until, parents.until,
    coalesce(earlier.id, beginning.id), wanted.at
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
      coalesce((monitor.alert_rules ->> 'after_minutes')::integer, 0)
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

// The oldest deliveries to the same contact, as many as may be under way at once, without those whose job still waits.
const followersStatement = `
select id
from deliveries
where after_id = $1
  and state = 'pending'
union
select next.id
from (
  select id
  from deliveries as delivery
  where alert_channel_id = $2
    and state = 'pending'
    and due_at <= now()
    and bundle_id is null
    and (claimed_at is null or claimed_at < now() - interval '60 s')
    and not ${isBehind}
  order by due_at
  limit (
    select case when failing_since is null then $3::integer else 1 end
    from alert_channels
    where id = $2
  )
) as next
where not exists (
  select
  from graphile_worker.jobs as job
  where job.key = 'deliver:' || next.id
    and job.locked_at is null
    and job.attempts < job.max_attempts
)`

const behindStatement = `
select follower.id
from deliveries as member
join deliveries as follower on follower.after_id = member.id
where member.bundle_id = $1
  and member.state <> 'pending'
  and follower.state = 'pending'
  and follower.bundle_id is null`

const sweepStatement = `
with overdue as (
  select id, alert_channel_id, due_at
  from deliveries as delivery
  where state = 'pending'
    and due_at < now() - interval '5 s'
    and bundle_id is null
    and (claimed_at is null or claimed_at < now() - interval '60 s')
    and not ${isBehind}
  order by due_at
  limit $1
), placed as (
  select id, due_at, row_number() over (partition by alert_channel_id order by due_at) as place
  from overdue
)
select id
from placed
where place <= $2
order by due_at
limit $3`
