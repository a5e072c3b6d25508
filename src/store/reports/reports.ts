import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#core/language/error.ts'
import { type ReportInput, maxReports } from '#core/reports/report.ts'
import type { PeriodType } from '#core/reports/report-period.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'

export type StoredReport = {
  id: string
  workspaceId: string
  name: string
  type: PeriodType
  timeZone: string
  weekday: number
  hour: number
  /** Null for those of `tags`, or all without tags. */
  monitorIds: string[] | null
  tags: string[]
  objective: number
  recipientIds: string[]
  /** Null while it is off. */
  dueAt: Date | null
  sentPeriod: string | null
  sentAt: Date | null
  createdAt: Date
}

type Which = { workspaceId: string; id?: string } | { id: string }

/** The oldest first; with `id` that one alone. */
export async function listReports({ query }: Reader, which: Which): Promise<StoredReport[]> {
  let reports = query.selectFrom('reports as r').selectAll('r')
  if ('workspaceId' in which) reports = reports.where('r.workspace_id', '=', which.workspaceId)
  if (which.id !== undefined) reports = reports.where('r.id', '=', which.id)
  const rows = await reports
    .select([
      sql<string[]>`array(
        select m.id
        from report_monitors c
        join monitors m on m.key = c.monitor_key
        where c.report_id = r.id
        order by m.created_at, m.id
      )`.as('monitor_ids'),
      sql<string[]>`array(
        select c.id
        from report_recipients t
        join alert_channels c on c.id = t.alert_channel_id
        where t.report_id = r.id
        order by c.created_at, c.id
      )`.as('recipients'),
    ])
    .orderBy('r.created_at')
    .orderBy('r.id')
    .limit(maxReports)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    type: row.period === 'weekly' ? 'weekly' : 'monthly',
    timeZone: row.time_zone,
    weekday: row.weekday,
    hour: row.hour,
    monitorIds: row.names_monitors ? row.monitor_ids : null,
    tags: row.tags,
    objective: Number(row.objective),
    recipientIds: row.recipients,
    dueAt: row.due_at,
    sentPeriod: row.sent_period,
    sentAt: row.sent_at,
    createdAt: row.created_at,
  }))
}

/** Null where there is no such report. */
export async function findReport(reader: Reader, which: Which & { id: string }): Promise<StoredReport | null> {
  const [found] = await listReports(reader, which)
  return found ?? null
}

export type NewReport = { workspaceId: string; input: ReportInput; dueAt: Date | null }

/** Refuses with `limit_reached`. Monitors and recipients are the caller's next steps, in the same transaction. */
export async function insertReport(tx: Transaction, { workspaceId, input, dueAt }: NewReport): Promise<string> {
  await lockWorkspace(tx, workspaceId)
  await assertOpen(tx, workspaceId)
  const { count } = await tx.query
    .selectFrom('reports')
    .select((columns) => columns.fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxReports)
    throw fail('limit_reached', `A workspace can have at most ${maxReports} reports. Delete one first.`)
  const id = randomUUID()
  await tx.query
    .insertInto('reports')
    .values({
      id,
      workspace_id: workspaceId,
      ...columnsOf(input),
      due_at: dueAt,
      // Not the transaction's start: creates that waited for their turn come after the one they waited for.
      created_at: sql<Date>`clock_timestamp()`,
    })
    .execute()
  return id
}

/** Held until the transaction ends, so that it is not sent meanwhile by other settings. Null where it is gone. */
export async function holdReport(
  tx: Transaction,
  of: { workspaceId: string; id: string },
): Promise<StoredReport | null> {
  const held = await tx.query
    .selectFrom('reports')
    .select('id')
    .where('workspace_id', '=', of.workspaceId)
    .where('id', '=', of.id)
    .forUpdate()
    .executeTakeFirst()
  return held === undefined ? null : findReport(tx, of)
}

type ReportSettings = Omit<ReportInput, 'recipients' | 'enabled'>

/** Only under `holdReport`. */
export async function updateReport(
  { query }: Transaction,
  { id, settings, dueAt }: { id: string; settings: ReportSettings; dueAt: Date | null },
): Promise<void> {
  await query
    .updateTable('reports')
    .set({ ...columnsOf(settings), due_at: dueAt })
    .where('id', '=', id)
    .execute()
}

/** False when it was gone. */
export async function deleteReport({ query }: Transaction, id: string): Promise<boolean> {
  const deleted = await query.deleteFrom('reports').where('id', '=', id).executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

type Members = { workspaceId: string; id: string; ids: readonly string[] }

/** Makes these the monitors that a report names; returns the ids that the workspace does not have. */
export async function setReportMonitors(tx: Transaction, { workspaceId, id, ids }: Members): Promise<string[]> {
  const found = await tx.query
    .selectFrom('monitors')
    .select(['id', 'key'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids})`)
    .orderBy('key')
    .forKeyShare()
    .execute()
  await tx.query.deleteFrom('report_monitors').where('report_id', '=', id).execute()
  const known = new Set(found.map((monitor) => monitor.id))
  const unknown = ids.filter((each) => !known.has(each))
  if (unknown.length === 0 && found.length > 0)
    await tx.query
      .insertInto('report_monitors')
      .values(found.map(({ key }) => ({ report_id: id, monitor_key: key })))
      .execute()
  return unknown
}

/**
 * Makes these the contacts that a report goes to; returns the ids that are no confirmed email contacts of the workspace.
 * Those that had the report before may stay whatever became of them.
 */
export async function setRecipients(tx: Transaction, { workspaceId, id, ids }: Members): Promise<string[]> {
  const found = await tx.query
    .selectFrom('alert_channels')
    .select(['id', 'kind', 'confirmed'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const before = await tx.query
    .deleteFrom('report_recipients')
    .where('report_id', '=', id)
    .returning('alert_channel_id as id')
    .execute()
  const allowed = new Set(before.map((contact) => contact.id))
  const known = new Set(
    found.flatMap((contact) =>
      (contact.kind === 'email' && contact.confirmed) || allowed.has(contact.id) ? [contact.id] : [],
    ),
  )
  const unknown = ids.filter((each) => !known.has(each))
  if (unknown.length === 0)
    await tx.query
      .insertInto('report_recipients')
      .values([...new Set(ids)].map((contactId) => ({ report_id: id, alert_channel_id: contactId })))
      .execute()
  return unknown
}

/** The reader wants it no more. False where it did not go to the contact. */
export async function removeRecipient(
  { query }: Transaction,
  { id, contactId }: { id: string; contactId: string },
): Promise<boolean> {
  const removed = await query
    .deleteFrom('report_recipients')
    .where('report_id', '=', id)
    .where('alert_channel_id', '=', contactId)
    .executeTakeFirst()
  return removed.numDeletedRows === 1n
}

function columnsOf(settings: ReportSettings) {
  const { name, period, time_zone, weekday, hour, monitor_ids, tags, objective } = settings
  return { name, period, time_zone, weekday, hour, names_monitors: monitor_ids !== null, tags, objective }
}
