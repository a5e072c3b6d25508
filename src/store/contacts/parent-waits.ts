// Alerts of outages that wait for what becomes of the monitors that theirs depends on.
import {
  areParentsWell,
  decideAlert,
  type Parents,
  parentWaitMs,
  type Told,
  type WaitingAlert,
  withheldEvent,
} from '#core/contacts/parent-outages.ts'
import type { Transaction } from '#store/database/database.ts'
import { hasParents, readParentStates } from '#store/monitors/parents.ts'
import { nudgeDeliveries } from './nudges.ts'

/** SQL of when an alert of `monitor` leaves that is due at `due`, whatever its parents do; null where it has none. */
export function parentsUntil(due: string): string {
  return `case when ${hasParents('monitor')} then ${due} + interval '${parentWaitMs} ms' end`
}

/** What a look decided, and where the next one goes on; null when it saw all. */
export type Look = { left: number; withheld: number; next: Place | null }
/** In the order of their times. */
export type Place = { until: Date; id: string }

/** Decides about `limit` alerts that wait, behind `after`. Other processes may do so at the same time. */
export async function decideWaiting(
  tx: Transaction,
  { limit, after }: { limit: number; after: Place | null },
): Promise<Look> {
  const rows = await readWaiting(tx, { limit, after })
  if (rows.length === 0) return { left: 0, withheld: 0, next: null }
  const byId = await readParentStates(tx, parentIdsOf(rows))
  const parents = { byId, toldOf: await readTold(tx, byId, rows) }
  const leaving: string[] = []
  const withheld: Withheld[] = []
  for (const row of rows) {
    const decision = decideAlert(waitingOf(row), parents, row.now_ms)
    if (decision.type === 'leave') leaving.push(row.id)
    if (decision.type === 'withhold') withheld.push({ row, by: decision.by })
  }
  const left = await release(tx, leaving)
  await nudgeDeliveries(tx.client, left)
  const last = rows.length === limit ? rows.at(-1) : undefined
  const next = last === undefined ? null : { until: last.until, id: last.id }
  return { left: left.length, withheld: await withhold(tx, withheld), next }
}

/** Lets the first steps of policies come that wait for no parent any more: `limit` at most are looked at. */
export async function decideWaitingSteps(tx: Transaction, limit: number): Promise<void> {
  const { rows } = await tx.client.query<StepRow>({ name: 'waiting_steps', text: stepsStatement, values: [limit] })
  if (rows.length === 0) return
  const byId = await readParentStates(tx, parentIdsOf(rows))
  const due = rows.filter((row) => areParentsWell({ parentIds: row.depends_on, startedAtMs: row.started_ms }, byId))
  if (due.length === 0) return
  await tx.client.query({
    name: 'release_steps',
    text: `update alert_steps
    set due_at = awaits_parents_until - interval '${parentWaitMs} ms', awaits_parents_until = null
    where id = any($1::uuid[])
      and awaits_parents_until is not null`,
    values: [due.map(({ id }) => id)],
  })
}

/** Which of these contacts a parent's outage keeps from being told of an incident by a step of a policy. */
export async function listReached(
  tx: Transaction,
  { incidentId, contactIds }: { incidentId: string; contactIds: readonly string[] },
): Promise<string[]> {
  const { rows } = await tx.client.query<StepRow>({
    name: 'parents_of_incident',
    text: incidentStatement,
    values: [incidentId],
  })
  const [row] = rows
  if (row === undefined || contactIds.length === 0) return []
  const byId = await readParentStates(tx, row.depends_on)
  const toldOf = await readTold(
    tx,
    byId,
    contactIds.map((id) => ({ contact_id: id })),
  )
  const own = { judgedAtMs: row.started_ms, hasFailed: true }
  return contactIds.filter((contactId) => {
    const of = { contactId, parentIds: row.depends_on, startedAtMs: row.started_ms, untilMs: 0, own }
    return decideAlert({ ...of, parentRecoveredAtMs: null }, { byId, toldOf }, row.started_ms).type === 'withhold'
  })
}

type WaitingRow = {
  id: string
  contact_id: string
  name: string
  kind: string
  incident_id: string
  depends_on: string[]
  started_ms: number
  until: Date
  recovered_ms: number | null
  round_ms: number
  has_failed: boolean
  now_ms: number
}

type StepRow = { id: string; depends_on: string[]; started_ms: number }
type Withheld = { row: WaitingRow; by: { incidentId: string; name: string } }

async function readWaiting(
  { client }: Transaction,
  { limit, after }: { limit: number; after: Place | null },
): Promise<WaitingRow[]> {
  const { rows } = await client.query<WaitingRow>({
    name: 'waiting_alerts',
    text: waitingStatement,
    values: [limit, after?.until ?? null, after?.id ?? null],
  })
  return rows
}

function parentIdsOf(rows: readonly { depends_on: string[] }[]): string[] {
  return [...new Set(rows.flatMap(({ depends_on: ids }) => ids))]
}

function waitingOf(row: WaitingRow): WaitingAlert {
  return {
    contactId: row.contact_id,
    parentIds: row.depends_on,
    startedAtMs: row.started_ms,
    untilMs: row.until.getTime(),
    parentRecoveredAtMs: row.recovered_ms,
    own: { judgedAtMs: row.round_ms, hasFailed: row.has_failed },
  }
}

/** What became of the alerts of parents that are down, for these contacts. */
async function readTold(
  { client }: Transaction,
  byId: Parents['byId'],
  rows: readonly { contact_id: string }[],
): Promise<Parents['toldOf']> {
  const incidentIds = [...byId.values()].flatMap(({ incidentId }) => (incidentId === null ? [] : [incidentId]))
  const contactIds = [...new Set(rows.map(({ contact_id: id }) => id))]
  if (incidentIds.length === 0) return () => 'untold'
  const { rows: told } = await client.query<{ key: string; told: Told }>({
    name: 'told_of_parents',
    text: toldStatement,
    values: [incidentIds, contactIds],
  })
  const known = new Map(told.map(({ key, told: state }) => [key, state]))
  return (incidentId, contactId) => known.get(`${incidentId}/${contactId}`) ?? 'untold'
}

async function release({ client }: Transaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await client.query<{ id: string }>({ name: 'release_alerts', text: releaseStatement, values: [ids] })
  return rows.map(({ id }) => id)
}

async function withhold({ client }: Transaction, withheld: readonly Withheld[]): Promise<number> {
  if (withheld.length === 0) return 0
  const events = withheld.map(({ row, by }) => withheldEvent({ ...row, id: row.contact_id }, by))
  const kept = await client.query({
    name: 'withhold_by_parents',
    text: withholdStatement,
    values: [
      withheld.map(({ row }) => row.id),
      withheld.map(({ by }) => by.incidentId),
      events.map(({ message }) => message),
      events.map(({ details }) => JSON.stringify(details)),
    ],
  })
  return kept.rowCount ?? 0
}

const msOf = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`

// What rules hold back waits for parents once they let it leave.
const waitingStatement = `
select
  delivery.id, channel.id as contact_id, channel.name, channel.kind, delivery.incident_id,
  coalesce(monitor.depends_on, '{}') as depends_on,
  ${msOf('incident.started_at')} as started_ms,
  delivery.awaits_parents_until as until,
  ${msOf('delivery.parent_recovered_at')} as recovered_ms,
  coalesce(${msOf('state.round_at')}, 0) as round_ms,
  coalesce(state.consecutive_failures, 0) > 0 as has_failed,
  ${msOf('now()')} as now_ms
from deliveries as delivery
join alert_channels as channel on channel.id = delivery.alert_channel_id
join incidents as incident on incident.id = delivery.incident_id
left join monitors as monitor on monitor.id = incident.monitor_id
left join monitor_state as state on state.monitor_key = monitor.key
where delivery.state = 'pending'
  and delivery.awaits_parents_until is not null
  and (delivery.held_until is null or delivery.held_until <= now())
  and ($2::timestamptz is null or (delivery.awaits_parents_until, delivery.id) > ($2, $3::uuid))
order by delivery.awaits_parents_until, delivery.id
limit $1`

// A contact that was told that a parent is unstable was told of each of its outages.
const toldStatement = `
with alerts as (
  select incident_id, alert_channel_id, state, withheld_by, attempt, claimed_at
  from deliveries
  where incident_id = any($1::uuid[])
    and alert_channel_id = any($2::uuid[])
    and alert ->> 'type' in ('monitor.down', 'monitor.reminder')
  union all
  select incident.id, delivery.alert_channel_id, delivery.state, null, delivery.attempt, delivery.claimed_at
  from incidents as incident
  join monitors as monitor on monitor.id = incident.monitor_id
  join monitor_state as state on state.monitor_key = monitor.key
  join deliveries as delivery on delivery.episode_id = state.unstable_episode
  where incident.id = any($1::uuid[])
    and delivery.alert_channel_id = any($2::uuid[])
)
select
  incident_id || '/' || alert_channel_id as key,
  case
    when bool_or(state = 'delivered') then 'reached'
    when bool_or(
      state = 'pending'
      and withheld_by is null
      and (attempt = 0 or attempt = 1 and claimed_at is not null)
    ) then 'under_way'
    else 'untold'
  end as told
from alerts
group by incident_id, alert_channel_id`

// Rows that another process decides about, or ends, at this moment are passed over. The age of what was kept back counts from now, as it does behind rules.
const releaseStatement = `
update deliveries
set awaits_parents_until = null, parent_recovered_at = null, due_at = now(),
  held_until = case when parent_recovered_at is null then held_until else now() end
where id in (
  select id
  from deliveries
  where id = any($1::uuid[])
    and state = 'pending'
    and awaits_parents_until is not null
  order by id
  for no key update skip locked
)
returning id`

// `due_at` has to be some time, and it is none that comes.
const withholdStatement = `
with given as (
  select *
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[]) as given (id, incident_id, message, details)
), locked as (
  select id
  from deliveries
  where id = any($1::uuid[])
    and state = 'pending'
    and awaits_parents_until is not null
  order by id
  for no key update skip locked
), withheld as (
  update deliveries as delivery
  set awaits_parents_until = null, parent_recovered_at = null, withheld_by = given.incident_id,
    due_at = now() + interval '100 years'
  from given
  join locked on locked.id = given.id
  where delivery.id = given.id
  returning delivery.incident_id, given.message, given.details
)
insert into incident_events (id, incident_id, type, at, message, details)
select gen_random_uuid(), incident_id, 'alert_withheld', now(), message, details
from withheld`

const stepsStatement = `
select step.id, coalesce(monitor.depends_on, '{}') as depends_on, ${msOf('incident.started_at')} as started_ms
from alert_steps as step
join incidents as incident on incident.id = step.incident_id
left join monitors as monitor on monitor.id = incident.monitor_id
where step.awaits_parents_until is not null
order by step.awaits_parents_until, step.id
limit $1`

const incidentStatement = `
select incident.id, monitor.depends_on, ${msOf('incident.started_at')} as started_ms
from incidents as incident
join monitors as monitor on monitor.id = incident.monitor_id
where incident.id = $1
  and monitor.depends_on <> '{}'`
