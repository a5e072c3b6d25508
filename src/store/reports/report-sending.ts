import type { Database, Transaction } from '#store/database/database.ts'
import { type StoredReport, listReports } from './reports.ts'

/** Reports whose time has come, by id; not those of closed workspaces. */
export async function listDueReports(
  { query }: Pick<Database, 'query'>,
  { now, after, limit }: { now: Date; after: string | null; limit: number },
): Promise<string[]> {
  let due = query
    .selectFrom('reports as r')
    .innerJoin('workspaces as w', 'w.id', 'r.workspace_id')
    .select('r.id')
    .where('r.due_at', '<=', now)
    .where('w.closed_at', 'is', null)
  if (after !== null) due = due.where('r.id', '>', after)
  const rows = await due.orderBy('r.id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Held until the transaction ends; null where another process had it first, or it is not due any more. */
export async function holdDueReport(tx: Transaction, id: string, now: Date): Promise<StoredReport | null> {
  const held = await tx.query
    .selectFrom('reports')
    .select('id')
    .where('id', '=', id)
    .where('due_at', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (held === undefined) return null
  const [report] = await listReports(tx, { id })
  return report ?? null
}

/** Only under `holdDueReport`. */
export async function noteSent(
  { query }: Transaction,
  { id, period, dueAt, now }: { id: string; period: string; dueAt: Date; now: Date },
): Promise<void> {
  await query
    .updateTable('reports')
    .set({ due_at: dueAt, sent_period: period, sent_at: now })
    .where('id', '=', id)
    .execute()
}

/** Notes that it is sent as a test. Where it was sent so after `since`, when that was, and nothing is noted. */
export async function noteTest(
  { query }: Transaction,
  { id, since, now }: { id: string; since: Date; now: Date },
): Promise<Date | null> {
  const noted = await query
    .updateTable('reports')
    .set({ tested_at: now })
    .where('id', '=', id)
    .where((columns) => columns.or([columns('tested_at', 'is', null), columns('tested_at', '<=', since)]))
    .executeTakeFirst()
  if (noted.numUpdatedRows === 1n) return null
  const row = await query.selectFrom('reports').select('tested_at').where('id', '=', id).executeTakeFirst()
  return row?.tested_at ?? now
}
