// Deliveries that leave with another one, their bundle, and end with it.
import { type BundleAlert, type FindingAlert, bundleType, endingTypes } from '#core/contacts/alerting.ts'
import type { DeliveryEvent } from '#core/contacts/delivery-events.ts'
import { textArray } from '#store/database/array-literal.ts'
import type { Transaction } from '#store/database/database.ts'
import { nudgeDeliveries } from './nudges.ts'
import { parentsUntil } from './parent-waits.ts'

type Client = Pick<Transaction, 'client'>

/** More than any message names. */
const maxTold = 50

export type Gathered = { alert: BundleAlert; members: number }

type GivenBundle = { id: string; attempt: number; alert: BundleAlert; contactId: string; seconds: number }

/**
 * What a bundle tells, in the transaction that claims it and holds its contact. The first attempt fixes that, and begins
 * another wait. Null where no bundle is left to send: nothing is in it any more, or a single alert, which then leaves as
 * what it is.
 */
export async function gatherBundle(tx: Client, { id, attempt, alert, ...of }: GivenBundle): Promise<Gathered | null> {
  const members = await holdMembers(tx, id)
  if (attempt > 1) {
    await countAttempt(tx, id, attempt)
    return { alert, members: members.length }
  }
  const [only] = members
  if (only !== undefined) await beginWait(tx, of)
  if (members.length > 1) return { alert: await composeBundle(tx, id), members: members.length }
  await tx.client.query({ name: 'remove_bundle', text: 'delete from deliveries where id = $1', values: [id] })
  if (only !== undefined) await release(tx, only)
  return null
}

/** Alerts to the contact that come within so many seconds wait for each other. */
export async function beginWait({ client }: Client, of: { contactId: string; seconds: number }): Promise<void> {
  await client.query({
    name: 'begin_bundle_wait',
    text: `update alert_channels set bundle_until = now() + $2 * interval '1 s' where id = $1`,
    values: [of.contactId, of.seconds],
  })
}

/** Locked in one order, in which all that lock several deliveries do it. */
async function holdMembers({ client }: Client, id: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: 'hold_bundle_members',
    text: `select id
    from deliveries
    where bundle_id = $1
      and state = 'pending'
    order by id
    for no key update`,
    values: [id],
  })
  return rows.map((row) => row.id)
}

async function countAttempt({ client }: Client, id: string, attempt: number): Promise<void> {
  await client.query({
    name: 'count_bundle_attempt',
    text: `update deliveries set attempt = $2 where bundle_id = $1 and state = 'pending'`,
    values: [id, attempt],
  })
}

async function composeBundle({ client }: Client, id: string): Promise<BundleAlert> {
  const { rows } = await client.query<{ alert: BundleAlert }>({
    name: 'compose_bundle',
    text: composeStatement,
    values: [id, maxTold],
  })
  const [row] = rows
  if (row === undefined) throw new Error('A bundle that is claimed is gone.')
  return row.alert
}

async function release({ client }: Client, id: string): Promise<void> {
  await client.query({
    name: 'release_bundled',
    text: `update deliveries
    set bundle_id = null, leaves_alone = true, due_at = now()
    where id = $1`,
    values: [id],
  })
  await nudgeDeliveries(client, [id])
}

export type MembersEnd = {
  state: 'delivered' | 'failed'
  statusCode: number | null
  error: string | null
  event: DeliveryEvent
  reference: string | null
  addressNumber: number
}

/** Ends what was in the bundle as the bundle ended, and tells the incidents. */
export async function endMembers(tx: Client, id: string, end: MembersEnd): Promise<void> {
  const { state, statusCode, error, event, reference, addressNumber } = end
  await holdMembers(tx, id)
  const { type, message, details } = event
  await tx.client.query({
    name: 'end_bundle_members',
    text: endStatement,
    values: [id, state, statusCode, error, reference, addressNumber, type, message, details],
  })
}

/** What is in the bundle waits as long as the bundle. */
export async function postponeMembers(tx: Client, id: string): Promise<void> {
  await holdMembers(tx, id)
  await tx.client.query({
    name: 'postpone_bundle_members',
    text: `update deliveries as member
    set attempt = bundle.attempt, due_at = bundle.due_at, status_code = bundle.status_code, error = bundle.error
    from deliveries as bundle
    where bundle.id = $1
      and member.bundle_id = bundle.id
      and member.state = 'pending'`,
    values: [id],
  })
}

/**
 * Each of them waits by itself until then, and for parents after that, as if there had been no bundle. Returns the ids
 * of those that wait for no parents.
 */
export async function dissolveBundle(tx: Client, id: string, until: Date): Promise<string[]> {
  const ids = await holdMembers(tx, id)
  const { rows } = await tx.client.query<{ id: string }>({
    name: 'dissolve_bundle',
    text: dissolveStatement,
    values: [ids, until],
  })
  await tx.client.query({ name: 'remove_bundle', text: 'delete from deliveries where id = $1', values: [id] })
  return rows.map((row) => row.id)
}

/** The alerts about findings that are in a bundle. */
export async function listBundledFindings({ client }: Client, id: string): Promise<FindingAlert[]> {
  const { rows } = await client.query<{ alert: FindingAlert }>({
    name: 'bundled_findings',
    text: `select alert
    from deliveries
    where bundle_id = $1
      and state = 'pending'
      and alert ->> 'type' in ('vulnerability.found', 'end_of_life.reached')
    order by id`,
    values: [id],
  })
  return rows.map(({ alert }) => alert)
}

// Of an incident or an episode the last alert counts; at the same moment its end is later than its beginning.
const composeStatement = `
with member as (
  update deliveries
  set attempt = 1
  where bundle_id = $1
    and state = 'pending'
  returning
    id, created_at, alert, alert ->> 'type' as type, coalesce(incident_id, episode_id, id) as occasion,
    alert ->> 'type' = any('${textArray(endingTypes)}') as is_ending
), last as (
  select distinct on (occasion) *
  from member
  order by occasion, is_ending desc, created_at desc, id
), named as (
  select alert, is_ending, created_at, id
  from last
  order by is_ending, created_at, id
  limit $2
)
update deliveries
set alert = jsonb_build_object(
  'type', '${bundleType}',
  'timestamp', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'data', jsonb_build_object(
    'monitor', null,
    'incident', null,
    'result', null,
    'total', (select count(*) from last),
    'down', (select count(*) from last where type in ('monitor.down', 'monitor.reminder')),
    'up', (select count(*) from last where type = 'monitor.up'),
    'alerts', (select coalesce(jsonb_agg(alert order by is_ending, created_at, id), '[]') from named)
  )
)
where id = $1
returning alert`

const dissolveStatement = `
with parents as (
  select delivery.id, ${parentsUntil('$2::timestamptz')} as until
  from deliveries as delivery
  join monitors as monitor on monitor.id = (delivery.alert #>> '{data,monitor,id}')::uuid
  where delivery.id = any($1::uuid[])
    and delivery.alert ->> 'type' = 'monitor.down'
), alone as (
  update deliveries as delivery
  set bundle_id = null, attempt = 0, held_until = $2, due_at = coalesce(parents.until, $2),
    awaits_parents_until = parents.until
  from deliveries as member
  left join parents on parents.id = member.id
  where member.id = any($1::uuid[])
    and delivery.id = member.id
  returning delivery.id, delivery.awaits_parents_until
)
select id
from alone
where awaits_parents_until is null`

const endStatement = `
with ended as (
  update deliveries
  set state = $2, ended_at = now(), claimed_at = null, status_code = $3, error = $4, reference = $5, address_number = $6
  where bundle_id = $1
    and state = 'pending'
  returning incident_id
)
insert into incident_events (id, incident_id, type, at, message, details)
select gen_random_uuid(), incident_id, $7, now(), $8, $9::jsonb
from ended
where incident_id is not null`
