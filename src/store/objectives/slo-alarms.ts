import type { SloAlert } from '#core/contacts/alerting.ts'
import type { PolicyRecord } from '#core/contacts/escalation.ts'
import type { AlarmReason } from '#core/objectives/alarm.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { storable } from '#store/contacts/deliveries.ts'
import { nudgeDeliveries } from '#store/contacts/nudges.ts'
import { columns, type SloRow, type StoredSlo, toSlo } from './slos.ts'

/** Takes objectives that are to be looked at, so that no other process does at the same time: the longest ago first. */
export async function claimSlos(
  { pool }: Pick<Database, 'pool'>,
  { now, before, limit }: { now: Date; before: Date; limit: number },
): Promise<StoredSlo[]> {
  const { rows } = await pool.query<SloRow>({ name: 'claim_slos', text: claimStatement, values: [now, before, limit] })
  return rows.map(toSlo)
}

/** Null where it recovered. */
export type NextAlarm = { id: string; reason: AlarmReason } | null

/**
 * One of a process that knows what was told; false where another process was quicker. An alarm that begins has the steps
 * of the policy, and what is over has none.
 */
export async function changeAlarm(
  { client }: Transaction,
  { slo, next, policy, at }: { slo: StoredSlo; next: NextAlarm; policy: PolicyRecord | null; at: Date },
): Promise<boolean> {
  const changed = await client.query({
    name: 'change_alarm',
    text: changeStatement,
    values: [
      slo.id,
      slo.alarm?.id ?? null,
      slo.alarm?.reason ?? null,
      next?.reason ?? null,
      next?.id ?? null,
      at,
      policy?.id ?? null,
      policy?.steps[0]?.after_minutes ?? 0,
    ],
  })
  return changed.rowCount === 1
}

/** False where there is no alarm that a person has yet to acknowledge. No more of its steps are taken. */
export async function acknowledgeAlarm(
  { client }: Transaction,
  { workspaceId, id, actor, at }: { workspaceId: string; id: string; actor: string; at: Date },
): Promise<boolean> {
  const acknowledged = await client.query({
    name: 'acknowledge_alarm',
    text: acknowledgeStatement,
    values: [workspaceId, id, at, actor],
  })
  return acknowledged.rowCount === 1
}

/**
 * Who is told. `chosen`: whom the objective names, or all. `told`: who was told of the alarm before, and these. `only`:
 * these, unless an alert of the alarm is on its way to them.
 */
export type Told = { who: 'chosen' } | { who: 'told' | 'only'; contactIds: readonly string[] }

/** Writes a delivery for each contact that wants it, behind what it was told of the alarm before, and nudges them. */
export async function tellAlarm(
  { client }: Transaction,
  { slo, alert, told, at }: { slo: StoredSlo; alert: SloAlert; told: Told; at: Date },
): Promise<void> {
  const contactIds = told.who === 'chosen' ? slo.alert_channel_ids : told.contactIds
  const { rows } = await client.query<{ id: string }>({
    name: 'tell_alarm',
    text: tellStatement,
    values: [slo.workspaceId, JSON.stringify(alert, storable), alert.data.episode.id, contactIds, at, told.who],
  })
  await nudgeDeliveries(
    client,
    rows.map(({ id }) => id),
  )
}

const claimStatement = `
update slos
set checked_at = $1
where id in (
  select id
  from slos
  where (alerts or alarm is not null)
    and (checked_at is null or checked_at < $2)
  order by checked_at nulls first
  limit $3
  for update skip locked
)
returning ${columns.join(', ')}`

const changeStatement = `
update slos
set alarm = $4,
  alarm_id = $5,
  alarm_at = case when $5::uuid is null then null else coalesce(alarm_at, $6) end,
  alarm_acknowledged_at = case when alarm_id = $5 then alarm_acknowledged_at end,
  alarm_acknowledged_by = case when alarm_id = $5 then alarm_acknowledged_by end,
  alarm_policy_id = case when alarm_id = $5 then alarm_policy_id when $5 is not null then $7::uuid end,
  alarm_step = case when alarm_id = $5 then alarm_step else 0 end,
  alarm_turn = case when alarm_id = $5 then alarm_turn else 0 end,
  alarm_step_at = case
    when alarm_id = $5 then alarm_step_at
    when $5 is not null and $7::uuid is not null then $6 + $8 * interval '1 minute'
  end
where id = $1
  and alarm_id is not distinct from $2
  and alarm is not distinct from $3
  and (alerts or $4::text is null)`

const acknowledgeStatement = `
with acknowledged as (
  update slos
  set alarm_acknowledged_at = $3, alarm_acknowledged_by = $4, alarm_step_at = null
  where workspace_id = $1
    and id = $2
    and alarm is not null
    and alarm_acknowledged_at is null
  returning alarm_id
), waiting as materialized (
  -- Quiet hours keep these back.
  select id
  from deliveries
  where episode_id = (select alarm_id from acknowledged)
    and state = 'pending'
    and attempt = 0
    and held_until > now()
  -- In the order in which a bundle locks what is in it.
  order by id
  for no key update
), dropped as (
  update deliveries
  set state = 'dropped', ended_at = now()
  where id in (select id from waiting)
)
select
from acknowledged`

// Where none of the contacts is left that it names, all are told, as of a monitor.
const tellStatement = `
with told as (
  insert into deliveries (id, workspace_id, alert_channel_id, episode_id, alert, due_at, after_id, created_at)
  select gen_random_uuid(), channel.workspace_id, channel.id, $3, $2::jsonb, now(), earlier.id, $5
  from alert_channels as channel
  left join lateral (
    select delivery.id, delivery.state
    from deliveries as delivery
    where delivery.episode_id = $3
      and delivery.alert_channel_id = channel.id
      and delivery.state <> 'dropped'
    order by delivery.created_at desc, delivery.id
    limit 1
  ) as earlier on true
  where channel.workspace_id = $1
    and channel.enabled
    and channel.confirmed
    and coalesce(channel.alert_rules -> 'events' ? 'slo', true)
    and case $6::text
      when 'told' then earlier.id is not null or channel.id = any($4)
      when 'only' then channel.id = any($4) and earlier.state is distinct from 'pending'
      else
        $4::uuid[] is null
        or channel.id = any($4)
        or cardinality($4) > 0
        and not exists (select from alert_channels as named where named.workspace_id = $1 and named.id = any($4))
    end
  returning id
)
select id
from told`
