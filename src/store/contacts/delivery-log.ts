import { sql } from 'kysely'
import { bundleType } from '#core/contacts/alerting.ts'
import type { DeliveryState } from '#core/contacts/delivery.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'

/** One alert to one contact. */
export type LoggedDelivery = {
  id: string
  type: string
  monitor: { id: string; name: string } | null
  incidentId: string | null
  state: DeliveryState
  attempts: number
  statusCode: number | null
  error: string | null
  /** The delivery with which it left. */
  bundleId: string | null
  /** Of a bundle: how many deliveries are in it. */
  members: number
  /** Why it was told in the built-in words although its contact has others. */
  templateProblem: string | null
  createdAt: Date
  endedAt: Date | null
  /** While it is pending; null where a parent's outage keeps it back, which lasts as long as it lasts. */
  dueAt: Date | null
}

/** Names a delivery's place in the list: its time in microseconds since 1970, and its id. */
export type DeliveryPlace = { time: string; id: string }

export type DeliveriesOf = {
  contactId: string
  state: DeliveryState | null
  before: DeliveryPlace | null
  limit: number
}

/** Newest first; `next` is the place of the last when there are more. */
export async function listDeliveries(
  { query }: Reader,
  { contactId, state, before, limit }: DeliveriesOf,
): Promise<{ deliveries: LoggedDelivery[]; next: DeliveryPlace | null }> {
  const rows = await query
    .selectFrom('deliveries')
    .select(['id', 'incident_id', 'attempt', 'status_code', 'error', 'template_problem'])
    .select(['created_at', 'ended_at', 'due_at', 'withheld_by', 'bundle_id'])
    .select(
      sql<number>`case when alert ->> 'type' = ${bundleType} then (
        select count(*)::integer from deliveries as member where member.bundle_id = deliveries.id
      ) else 0 end`.as('members'),
    )
    .select(sql<DeliveryState>`state`.as('state'))
    .select(sql<string>`alert ->> 'type'`.as('type'))
    .select(sql<{ id: string; name: string } | null>`alert #> '{data,monitor}'`.as('monitor'))
    .select(sql<string>`(extract(epoch from created_at) * 1000000)::bigint::text`.as('time'))
    .where('alert_channel_id', '=', contactId)
    .$if(state !== null, (some) => some.where('state', '=', state ?? 'pending'))
    .$if(before !== null, (older) =>
      older.where(sql<boolean>`(created_at, id) < (${timeOf(before?.time)}, ${before?.id}::uuid)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    deliveries: shown.map((row) => ({
      id: row.id,
      type: row.type,
      monitor: row.monitor,
      incidentId: row.incident_id,
      state: row.state,
      attempts: row.attempt,
      statusCode: row.status_code,
      error: row.error,
      templateProblem: row.template_problem,
      bundleId: row.bundle_id,
      members: row.members,
      createdAt: row.created_at,
      endedAt: row.ended_at,
      dueAt: row.withheld_by === null ? row.due_at : null,
    })),
    next: rows.length > limit && last !== undefined ? { time: last.time, id: last.id } : null,
  }
}

function timeOf(microseconds: string | undefined) {
  return sql`timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond'`
}

/**
 * Makes a delivery that failed due for one more attempt, a bundle with what is in it, and a member of one by itself.
 * False where there is none that began after `since`.
 */
export async function reviveDelivery(
  { query }: Transaction,
  { id, contactId, since }: { id: string; contactId: string; since: Date },
): Promise<boolean> {
  const revived = await query
    .updateTable('deliveries')
    .set({ ...again, bundle_id: null, leaves_alone: true })
    .where('id', '=', id)
    .where('alert_channel_id', '=', contactId)
    .where('state', '=', 'failed')
    .where('created_at', '>', since)
    .executeTakeFirst()
  if (revived.numUpdatedRows !== 1n) return false
  await query.updateTable('deliveries').set(again).where('bundle_id', '=', id).where('state', '=', 'failed').execute()
  return true
}

const again = { state: 'pending', due_at: sql<Date>`now()`, ended_at: null, claimed_at: null } as const

/** Removes at most `limit` that ended before `before`; returns how many. */
export async function forgetDeliveries({ pool }: Pick<Database, 'pool'>, before: Date, limit: number): Promise<number> {
  const removed = await pool.query(
    `delete from deliveries
    where id in (select id from deliveries where ended_at < $1 order by ended_at limit $2)`,
    [before, limit],
  )
  return removed.rowCount ?? 0
}
