import { sql } from 'kysely'
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
    .select(['created_at', 'ended_at', 'due_at', 'withheld_by'])
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

/** Makes a delivery that failed due for one more attempt; false where there is none that began after `since`. */
export async function reviveDelivery(
  { query }: Transaction,
  { id, contactId, since }: { id: string; contactId: string; since: Date },
): Promise<boolean> {
  const revived = await query
    .updateTable('deliveries')
    .set({ state: 'pending', due_at: sql<Date>`now()`, ended_at: null, claimed_at: null })
    .where('id', '=', id)
    .where('alert_channel_id', '=', contactId)
    .where('state', '=', 'failed')
    .where('created_at', '>', since)
    .executeTakeFirst()
  return revived.numUpdatedRows === 1n
}

/** Removes at most `limit` that ended before `before`; returns how many. */
export async function forgetDeliveries({ pool }: Pick<Database, 'pool'>, before: Date, limit: number): Promise<number> {
  const removed = await pool.query(
    `delete from deliveries
    where id in (select id from deliveries where ended_at < $1 order by ended_at limit $2)`,
    [before, limit],
  )
  return removed.rowCount ?? 0
}
