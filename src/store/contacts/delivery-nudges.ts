// Deliveries that are due and have no job: what waited for another one, and what lost its own.
import type { Database } from '#store/database/database.ts'
import { attemptsPerContact } from './delivery-attempts.ts'
import { isBehind } from './delivery-order.ts'
import { nudgeDeliveries } from './nudges.ts'

/** Longest overdue deliveries looked at in one sweep, and the most nudged: in all, and of one contact. */
const sweepDepth = 20_000
const sweepLimit = 1000
const sweepLimitPerContact = 20

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
