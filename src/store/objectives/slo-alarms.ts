import type { SloAlert } from '#core/contacts/alerting.ts'
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

/** One of a process that knows what was told; false where another process was quicker. */
export async function changeAlarm(
  { client }: Transaction,
  { slo, next, at }: { slo: StoredSlo; next: NextAlarm; at: Date },
): Promise<boolean> {
  const changed = await client.query({
    name: 'change_alarm',
    text: changeStatement,
    values: [slo.id, slo.alarm?.id ?? null, slo.alarm?.reason ?? null, next?.reason ?? null, next?.id ?? null, at],
  })
  return changed.rowCount === 1
}

/**
 * Writes a delivery for each contact that the objective chooses, and nudges them. What is over is told to those that
 * were told of it, behind what they were told.
 */
export async function tellAlarm(
  { client }: Transaction,
  { slo, alert, at }: { slo: StoredSlo; alert: SloAlert; at: Date },
): Promise<number> {
  const { rows } = await client.query<{ id: string }>({
    name: 'tell_alarm',
    text: tellStatement,
    values: [slo.workspaceId, JSON.stringify(alert, storable), alert.data.episode.id, slo.alert_channel_ids, at],
  })
  await nudgeDeliveries(
    client,
    rows.map(({ id }) => id),
  )
  return rows.length
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
  alarm_at = case when $5::uuid is null then null else coalesce(alarm_at, $6) end
where id = $1
  and alarm_id is not distinct from $2
  and alarm is not distinct from $3
  and (alerts or $4::text is null)`

// Where none of the contacts is left that it names, all are told, as of a monitor.
const tellStatement = `
with told as (
  insert into deliveries (id, workspace_id, alert_channel_id, episode_id, alert, due_at, after_id, created_at)
  select gen_random_uuid(), channel.workspace_id, channel.id, $3, $2::jsonb, now(), earlier.id, $5
  from alert_channels as channel
  left join lateral (
    select delivery.id
    from deliveries as delivery
    where delivery.episode_id = $3
      and delivery.alert_channel_id = channel.id
    order by delivery.created_at desc, delivery.id
    limit 1
  ) as earlier on true
  where channel.workspace_id = $1
    and channel.enabled
    and channel.confirmed
    and coalesce(channel.alert_rules -> 'events' ? 'slo', true)
    and case
      when $2::jsonb ->> 'type' = 'slo.recovered' then earlier.id is not null
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
