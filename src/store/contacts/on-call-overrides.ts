import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { maxOverrides, overrideDays } from '#core/contacts/on-call-schedule.ts'
import { fail } from '#core/language/error.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { updateSchedule } from './on-call-schedules.ts'

export type NewOverride = { scheduleId: string; startsAt: Date; endsAt: Date; contactId: string | null; now: Date }

/** Refuses with `limit_reached`. Null when the schedule is gone. */
export async function insertOverride(tx: Transaction, override: NewOverride): Promise<string | null> {
  const { scheduleId, startsAt, endsAt, contactId, now } = override
  // The row of the schedule is held by this, so that two overrides take turns.
  if (!(await updateSchedule(tx, { id: scheduleId, settings: {}, now }))) return null
  const { count } = await tx.query
    .selectFrom('on_call_overrides')
    .select((columns) => columns.fn.countAll<string>().as('count'))
    .where('schedule_id', '=', scheduleId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxOverrides)
    throw fail('limit_reached', `A schedule can have at most ${maxOverrides} overrides. Delete one first.`)
  const id = randomUUID()
  await tx.query
    .insertInto('on_call_overrides')
    .values({
      id,
      schedule_id: scheduleId,
      starts_at: startsAt,
      ends_at: endsAt,
      alert_channel_id: contactId,
      // Not the transaction's start: of two that overlap, the one that came later wins.
      created_at: sql<Date>`clock_timestamp()`,
    })
    .execute()
  return id
}

type Imported = { startsAt: Date; endsAt: Date; contactId: string }

/** Of a schedule that was made in the same transaction; of two that overlap, the later one wins. */
export async function insertOverrides(
  { query }: Transaction,
  { scheduleId, overrides }: { scheduleId: string; overrides: readonly Imported[] },
): Promise<void> {
  if (overrides.length === 0) return
  const rows = overrides.map(({ startsAt, endsAt, contactId }, index) => ({
    id: randomUUID(),
    schedule_id: scheduleId,
    starts_at: startsAt,
    ends_at: endsAt,
    alert_channel_id: contactId,
    created_at: sql<Date>`now() + ${index} * interval '1 microsecond'`,
  }))
  await query.insertInto('on_call_overrides').values(rows).execute()
}

/** False when there is none. */
export async function deleteOverride(
  tx: Transaction,
  { scheduleId, id, now }: { scheduleId: string; id: string; now: Date },
): Promise<boolean> {
  const { numDeletedRows } = await tx.query
    .deleteFrom('on_call_overrides')
    .where('id', '=', id)
    .where('schedule_id', '=', scheduleId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await updateSchedule(tx, { id: scheduleId, settings: {}, now })
  return true
}

const rowsAtOnce = 1_000

/** Deletes overrides that ended 90 days ago; at most 1,000 a call. */
export async function forgetOverrides({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const before = new Date(now.getTime() - overrideDays * dayMs)
  const forgotten = await pool.query(forgetStatement, [before, rowsAtOnce])
  return forgotten.rowCount ?? 0
}

const forgetStatement = `
delete from on_call_overrides
where id in (
  select id
  from on_call_overrides
  where ends_at < $1
  order by ends_at
  limit $2
  for update skip locked
)`
