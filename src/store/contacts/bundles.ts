// Alerts to one contact that wait for each other, to leave as one message.
import { alertLifetimeMs } from '#core/contacts/delivery-retry.ts'
import { type BundleAlert, bundleType } from '#core/contacts/alerting.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'
import { beginWait } from './bundle-members.ts'
import type { ClaimedDelivery } from './delivery-attempts.ts'
import { isBehind, isMonitorOf } from './delivery-order.ts'
import { nudgeDeliveries } from './nudges.ts'

type Placed = Pick<ClaimedDelivery, 'id' | 'attempt' | 'contact'>

/**
 * Decides of a claimed alert, to a contact that bundles, whether it leaves now by itself. The first one does, and begins
 * a wait of so many seconds. One that comes within it joins the bundle of its contact, with all others that are due, and
 * its claim is given back.
 */
export async function placeInBundle(database: Database, claim: Placed, seconds: number): Promise<'leaves' | 'waits'> {
  const contactId = claim.contact.id
  return database.transaction(async (tx) => {
    // Those that are placed at the same time take turns, together with the claim of the bundle.
    await tx.client.query({ name: 'hold_placing_contact', text: holdStatement, values: [contactId] })
    const place = await findPlace(tx, claim)
    if (place === null) return 'waits'
    if (place.is_behind) {
      await giveBack(tx, claim)
      return 'waits'
    }
    if (place.bundle_id === null && !place.is_waiting) {
      await beginWait(tx, { contactId, seconds })
      await markAlone(tx, claim)
      return 'leaves'
    }
    const bundleId = place.bundle_id ?? (await openBundle(tx, contactId))
    await join(tx, claim, bundleId)
    return 'waits'
  })
}

type Place = { bundle_id: string | null; is_waiting: boolean; is_behind: boolean }

/** Null when the claim was lost meanwhile. */
async function findPlace({ client }: Transaction, { id, attempt }: Placed): Promise<Place | null> {
  const { rows } = await client.query<Place>({ name: 'find_bundle_place', text: placeStatement, values: [id, attempt] })
  return rows[0] ?? null
}

/** The delivery that it is behind has left in a bundle meanwhile, and who ends that one nudges it. */
async function giveBack({ client }: Transaction, { id, attempt }: Placed): Promise<void> {
  await client.query({
    name: 'give_back_placed',
    text: `update deliveries
    set attempt = attempt - 1, claimed_at = null
    where id = $1
      and attempt = $2
      and state = 'pending'`,
    values: [id, attempt],
  })
}

async function markAlone({ client }: Transaction, { id, attempt }: Placed): Promise<void> {
  await client.query({
    name: 'mark_leaving_alone',
    text: 'update deliveries set leaves_alone = true where id = $1 and attempt = $2',
    values: [id, attempt],
  })
}

/** Due at the end of the wait. What it tells is written with its first attempt. */
async function openBundle({ client }: Transaction, contactId: string): Promise<string> {
  const empty: BundleAlert = {
    type: bundleType,
    timestamp: new Date(0).toISOString(),
    data: { monitor: null, incident: null, result: null, total: 0, down: 0, up: 0, alerts: [] },
  }
  const { rows } = await client.query<{ id: string }>({
    name: 'open_bundle',
    text: openStatement,
    values: [contactId, JSON.stringify(empty)],
  })
  const [row] = rows
  if (row === undefined) throw new Error('A contact that is held is gone.')
  await nudgeDeliveries(client, [row.id])
  return row.id
}

async function join({ client }: Transaction, { id, attempt, contact }: Placed, bundleId: string): Promise<void> {
  await client.query({ name: 'join_bundle', text: joinStatement, values: [id, attempt, bundleId] })
  const { rows } = await client.query<{ id: string }>({
    name: 'join_bundle_too',
    text: joinTooStatement,
    values: [contact.id, bundleId, alertLifetimeMs],
  })
  await nudgeDeliveries(
    client,
    rows.map((row) => row.id),
  )
}

const holdStatement = 'select from alert_channels where id = $1 for no key update'

const placeStatement = `
select
  (
    select bundle.id
    from deliveries as bundle
    where bundle.alert_channel_id = channel.id
      and bundle.state = 'pending'
      and bundle.attempt = 0
      and bundle.alert ->> 'type' = '${bundleType}'
  ) as bundle_id,
  coalesce(channel.bundle_until > now(), false) as is_waiting,
  ${isBehind} as is_behind
from deliveries as delivery
join alert_channels as channel on channel.id = delivery.alert_channel_id
where delivery.id = $1
  and delivery.attempt = $2
  and delivery.state = 'pending'`

const openStatement = `
insert into deliveries (id, workspace_id, alert_channel_id, alert, due_at, created_at)
select gen_random_uuid(), workspace_id, id, $2::jsonb, greatest(bundle_until, now()), now()
from alert_channels
where id = $1
returning id`

const joinStatement = `
update deliveries as delivery
set bundle_id = bundle.id, due_at = bundle.due_at, attempt = 0, claimed_at = null
from deliveries as bundle
where delivery.id = $1
  and delivery.attempt = $2
  and delivery.state = 'pending'
  and bundle.id = $3`

/** Whose own claim would come to the same: its monitor has no rules that could say something else. */
const mayJoin = `
  delivery.state = 'pending'
  and delivery.attempt = 0
  and delivery.due_at <= now()
  and delivery.awaits_parents_until is null
  and delivery.bundle_id is null
  and not delivery.leaves_alone
  and delivery.alert ->> 'type' not in ('test', '${bundleType}')
  and greatest(delivery.created_at, delivery.held_until) > now() - $3 * interval '1 ms'
  and not exists (
    select
    from monitors as m
    where ${isMonitorOf}
      and (
        m.alert_rules -> 'critical' = 'true'
        or m.alert_rules ? 'quiet_hours'
        or delivery.held_until is not null and ${isInMaintenance('now()')}
      )
  )
  and not ${isBehind}`

// What another transaction is about to drop or to claim is left to it. The ends of what has joined are nudged: they were
// turned away while they were behind it, and may join as well from now on.
const joinTooStatement = `
with joining as materialized (
  select delivery.id
  from deliveries as delivery
  where delivery.alert_channel_id = $1
    and ${mayJoin}
  order by delivery.id
  for no key update skip locked
), joined as (
  update deliveries as delivery
  set bundle_id = bundle.id, due_at = bundle.due_at
  from joining
  cross join deliveries as bundle
  where delivery.id = joining.id
    and bundle.id = $2
  returning delivery.id
)
select follower.id
from deliveries as follower
where follower.state = 'pending'
  and follower.bundle_id is null
  and follower.id not in (select id from joined)
  and follower.after_id in (
    select id
    from joined
    union
    select id
    from deliveries
    where bundle_id = $2
  )`
