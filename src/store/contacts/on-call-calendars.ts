import { hashToken } from '#store/database/secrets.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { contactLimit } from '#core/contacts/contact-record.ts'
import { type StoredSchedule, listSchedules } from './on-call-schedules.ts'

/** The schedule whose calendar has this address; null where it leads nowhere, or to a closed workspace. */
export async function findScheduleOfCalendar(reader: Reader, token: string): Promise<StoredSchedule | null> {
  const [found] = await listSchedules(reader, { calendarHash: hashToken(token) })
  return found ?? null
}

/** The names of all contacts of a workspace by their ids. */
export async function listContactNames({ query }: Reader, workspaceId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await query
    .selectFrom('alert_channels')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .limit(contactLimit)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The secret part of an address, of which the hash is kept; null takes it away. False when the schedule is gone. */
export async function setCalendar(
  { query }: Transaction,
  { id, token }: { id: string; token: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('on_call_schedules')
    .set({ calendar_hash: token === null ? null : hashToken(token) })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
