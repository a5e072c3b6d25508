// What contacts were told of maintenance that is under way.
import type { MaintenanceAlert } from '#core/contacts/alerting.ts'
import { statefulKindNames } from '#core/contacts/contact-kinds.ts'
import { storable } from '#store/contacts/deliveries.ts'
import { isChosen } from '#store/contacts/held-alerts.ts'
import { nudgeDeliveries } from '#store/contacts/nudges.ts'
import { alertsAll, isNamed } from '#store/contacts/told-contacts.ts'
import { textArray } from '#store/database/array-literal.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { coversMonitor, longestDays } from './maintenance-cover.ts'

/** A window that has come under way, once for each contact that is to be told. */
export type BegunMaintenance = {
  id: string
  windowId: string
  name: string
  startsAt: Date
  endsAt: Date
  contactId: string
  workspaceId: string
  /** Those of the monitors that it covers of which the contact is alerted. */
  total: number
  names: string[]
}

type Look = { now: Date; limit: number }

/**
 * Takes windows that are under way and were not told yet: `taken` counts them, also those that are for no contact. Times
 * of a window that touch or overlap are one. What another process takes at the same moment is left to it.
 */
export async function beginMaintenance(
  { client }: Transaction,
  { now, limit }: Look,
): Promise<{ taken: number; begun: BegunMaintenance[] }> {
  const { rows } = await client.query<{ id: string }>({
    name: 'begin_maintenance',
    text: beginStatement,
    values: [now, limit],
  })
  if (rows.length === 0) return { taken: 0, begun: [] }
  const found = await client.query<BegunMaintenance>({
    name: 'begun_maintenance',
    text: begunStatement,
    values: [rows.map(({ id }) => id)],
  })
  return { taken: rows.length, begun: found.rows }
}

export type MaintenanceOrder = Pick<BegunMaintenance, 'contactId' | 'workspaceId'> & {
  alert: MaintenanceAlert
  at: Date
}

/** Writes a delivery for each, and the jobs that nudge them. */
export async function tellBegun({ client }: Transaction, orders: readonly MaintenanceOrder[]): Promise<void> {
  if (orders.length === 0) return
  const { rows } = await client.query<{ id: string }>({
    name: 'tell_begun_maintenance',
    text: tellBegunStatement,
    values: [
      JSON.stringify(
        orders.map(({ contactId, workspaceId, alert, at }) => ({
          contact_id: contactId,
          workspace_id: workspaceId,
          alert,
          at,
        })),
        storable,
      ),
    ],
  })
  await nudgeDeliveries(
    client,
    rows.map(({ id }) => id),
  )
}

/** Puts down ends that were put off, so that they are known of a window that is deleted. */
export async function followExtended({ pool }: Pick<Database, 'pool'>, now: Date): Promise<void> {
  await pool.query({ name: 'follow_extended_maintenance', text: extendStatement, values: [now] })
}

/**
 * Ends what is not under way any more, and tells the contacts that were told that it began. What waits for the end of
 * their quiet hours is dropped, and they are not told the end either. Returns how many ended.
 */
export async function endMaintenance({ client }: Transaction, { now, limit }: Look): Promise<number> {
  const { rows } = await client.query<{ id: string; ended_at: Date }>({
    name: 'end_maintenance',
    text: endStatement,
    values: [now, limit],
  })
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await client.query({ name: 'drop_held_maintenance', text: dropStatement, values: [ids] })
  const told = await client.query<{ id: string }>({
    name: 'tell_ended_maintenance',
    text: tellEndedStatement,
    values: [ids, rows.map((row) => row.ended_at.toISOString()), now, now.toISOString()],
  })
  await nudgeDeliveries(
    client,
    told.rows.map(({ id }) => id),
  )
  return rows.length
}

/** Removes at most `limit` that ended before `before`; returns how many. */
export async function forgetTold({ pool }: Pick<Database, 'pool'>, before: Date, limit: number): Promise<number> {
  const removed = await pool.query(
    'delete from told_maintenance where id in (select id from told_maintenance where ended_at < $1 limit $2)',
    [before, limit],
  )
  return removed.rowCount ?? 0
}

/** The times of maintenance that fulfil a condition, those that touch or overlap as one: the one with `moment` in it. */
function wholeTime(condition: string, moment: string): string {
  return `(
    select run
    from unnest((
      select range_agg(tstzrange(o.starts_at, o.ends_at))
      from maintenance_occurrences as o
      where ${condition}
    )) as run
    where run @> ${moment}
  )`
}

// A process whose clock is late must not begin what another has ended.
const beginStatement = `
with due as materialized (
  select distinct on (w.id) w.id, w.key, o.starts_at
  from maintenance_occurrences as o
  join maintenance_windows as w on w.key = o.window_key
  where tstzrange(o.starts_at, o.ends_at) @> $1::timestamptz
    and not exists (
      select
      from told_maintenance as told
      where told.window_id = w.id
        and coalesce(told.ended_at, 'infinity') >= o.ends_at
    )
  order by w.id, o.starts_at
  limit $2
)
insert into told_maintenance (id, window_id, starts_at, ends_at)
select gen_random_uuid(), due.id, due.starts_at, upper(whole.run)
from due
cross join lateral ${wholeTime('o.window_key = due.key and o.ends_at > $1', '$1::timestamptz')} as whole
on conflict (window_id) where ended_at is null do nothing
returning id`

const begunStatement = `
select
  told.id, w.id as "windowId", w.name, told.starts_at as "startsAt", told.ends_at as "endsAt",
  channel.id as "contactId", channel.workspace_id as "workspaceId", covered.total, covered.names
from told_maintenance as told
join maintenance_windows as w on w.id = told.window_id
join alert_channels as channel on channel.workspace_id = w.workspace_id
cross join lateral (
  select count(*)::integer as total, (array_agg(monitor.name order by monitor.name, monitor.id))[1:20] as names
  from (select m.* from monitors as m where m.workspace_id = w.workspace_id and ${coversMonitor('w')}) as monitor
  where (${alertsAll} or ${isNamed})
    and ${isChosen(`'maintenance'`)}
) as covered
where told.id = any($1::uuid[])
  and channel.enabled
  and channel.confirmed
  and channel.alert_rules -> 'events' ? 'maintenance'
  and channel.kind <> all('${textArray(statefulKindNames)}')
  and covered.total > 0
order by told.id, channel.id`

const tellBegunStatement = `
insert into deliveries (id, workspace_id, alert_channel_id, episode_id, alert, due_at, created_at)
select
  gen_random_uuid(), wanted.workspace_id, wanted.contact_id, (wanted.alert #>> '{data,episode,id}')::uuid, wanted.alert,
  now(), wanted.at
from jsonb_to_recordset($1::jsonb) as wanted (contact_id uuid, workspace_id uuid, alert jsonb, at timestamptz)
join alert_channels as channel on channel.id = wanted.contact_id
returning id`

const extendStatement = `
update told_maintenance as told
set ends_at = o.ends_at
from maintenance_windows as w
join maintenance_occurrences as o on o.window_key = w.key
where told.ended_at is null
  and w.id = told.window_id
  and tstzrange(o.starts_at, o.ends_at) @> $1::timestamptz
  and o.ends_at > told.ends_at`

// Where the time itself is gone, with its window or because it was planned anew, it is over now.
const endStatement = `
with over as (
  select told.id, coalesce(upper(whole.run), least($1, told.ends_at)) as ended_at
  from told_maintenance as told
  left join maintenance_windows as w on w.id = told.window_id
  left join lateral ${wholeTime(
    `o.window_key = w.key
      and o.starts_at <= $1
      and o.starts_at > told.starts_at - interval '${longestDays} days'`,
    'told.starts_at',
  )} as whole on true
  where told.ended_at is null
    and coalesce(upper(whole.run) <= $1, true)
  order by told.id
  limit $2
  for update of told skip locked
)
update told_maintenance as told
set ended_at = over.ended_at
from over
where told.id = over.id
returning told.id, told.ended_at`

const dropStatement = `
update deliveries
set state = 'dropped', ended_at = now()
where id in (
  select id
  from deliveries
  where episode_id = any($1::uuid[])
    and state = 'pending'
    and attempt = 0
    and held_until > now()
  -- In the order in which a bundle locks what is in it.
  order by id
  for no key update
)`

// A contact that is locked is being deleted.
const tellEndedStatement = `
with ended as (
  select *
  from unnest($1::uuid[], $2::text[]) as ended (id, at)
), told as materialized (
  select beginning.id, beginning.workspace_id, beginning.alert_channel_id, beginning.episode_id, beginning.alert, ended.at
  from ended
  join deliveries as beginning on beginning.episode_id = ended.id
  join alert_channels as channel on channel.id = beginning.alert_channel_id
  where beginning.state <> 'dropped'
    and channel.enabled
    and channel.confirmed
    and channel.alert_rules -> 'events' ? 'maintenance'
  for key share of channel skip locked
)
insert into deliveries (id, workspace_id, alert_channel_id, episode_id, alert, due_at, after_id, created_at)
select
  gen_random_uuid(), told.workspace_id, told.alert_channel_id, told.episode_id,
  jsonb_build_object(
    'type', 'maintenance.ended',
    'timestamp', $4::text,
    'data', told.alert -> 'data' || jsonb_build_object(
      'maintenance', told.alert #> '{data,maintenance}' || jsonb_build_object('ends_at', told.at),
      'episode', told.alert #> '{data,episode}' || jsonb_build_object('ended_at', told.at)
    )
  ),
  now(), told.id, $3
from told
returning id`
