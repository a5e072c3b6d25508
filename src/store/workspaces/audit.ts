import { dayMs } from '#core/language/utc-day.ts'
import { randomUUID } from 'node:crypto'
import {
  type Actor,
  type AuditDetails,
  type AuditEntryRecord,
  type AuditFilter,
  type AuditSubject,
  auditDays,
} from '#core/audit.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Reader } from '#store/database/database.ts'

const forgetAtOnce = 10_000

export type NewAuditEntry = {
  workspaceId: string
  at: Date
  actor: Actor
  action: string
  target: { kind: AuditSubject; id: string | null; name: string | null }
  details: AuditDetails
}

/** In the transaction of the change, so that neither exists without the other. */
export async function insertAuditEntry(reader: Reader, entry: NewAuditEntry): Promise<void> {
  await insertAuditEntries(reader, [entry])
}

/** The same for several changes of one transaction, some hundreds at most. */
export async function insertAuditEntries(reader: Reader, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length > 0) await reader.query.insertInto('audit_entries').values(entries.map(toColumns)).execute()
}

function toColumns({ workspaceId, at, actor, action, target, details }: NewAuditEntry) {
  return {
    id: randomUUID(),
    workspace_id: workspaceId,
    at,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action,
    target_kind: target.kind,
    target_id: target.id,
    target_name: target.name,
    details: JSON.stringify(details),
  }
}

export type AuditPage = { entries: AuditEntryRecord[]; /** Null at the oldest. */ nextCursor: string | null }

/** Newest first; `before` is the cursor of the page before. */
export async function listAuditEntries(
  reader: Reader,
  {
    workspaceId,
    before,
    limit,
    filter = {},
  }: { workspaceId: string; before: string | null; limit: number; filter?: AuditFilter },
): Promise<AuditPage> {
  const { actor, target, targetId, name, since, until } = filter
  const rows = await reader.query
    .selectFrom('audit_entries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .$if(before !== null, (query) => query.where('position', '<', before))
    .$if(actor !== undefined, (query) => query.where('actor_kind', 'in', actor ?? []))
    .$if(target !== undefined, (query) => query.where('target_kind', 'in', target ?? []))
    .$if(targetId !== undefined, (query) => query.where('target_id', '=', targetId ?? null))
    .$if(since !== undefined, (query) => query.where('at', '>=', new Date(since ?? '')))
    .$if(until !== undefined, (query) => query.where('at', '<', new Date(until ?? '')))
    .$if(name !== undefined, (query) =>
      query.where((is) => is.or([contains('actor_name', name ?? ''), contains('target_name', name ?? '')])),
    )
    .orderBy('position', 'desc')
    .limit(limit + 1)
    .$castTo<Row>()
    .execute()
  const shown = rows.slice(0, limit)
  return { entries: shown.map(toRecord), nextCursor: rows.length > limit ? (shown.at(-1)?.position ?? null) : null }
}

/** Removes entries that are older than they are kept, at most 10,000 a call; returns how many. */
export async function forgetAuditEntries(database: Database, now: Date): Promise<number> {
  const forgotten = await database.query
    .deleteFrom('audit_entries')
    .where(
      'id',
      'in',
      database.query
        .selectFrom('audit_entries')
        .select('id')
        .where('at', '<', new Date(now.getTime() - auditDays * dayMs))
        .orderBy('at')
        .limit(forgetAtOnce),
    )
    .executeTakeFirst()
  return Number(forgotten.numDeletedRows)
}

function contains(column: 'actor_name' | 'target_name', part: string): RawBuilder<boolean> {
  return sql`strpos(lower(${sql.ref(column)}), lower(${part})) > 0`
}

type Row = {
  id: string
  position: string
  at: Date
  actor_kind: AuditEntryRecord['actor']['kind']
  actor_id: string | null
  actor_name: string
  action: string
  target_kind: string
  target_id: string | null
  target_name: string | null
  details: Record<string, unknown>
}

function toRecord(row: Row): AuditEntryRecord {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    target: { kind: row.target_kind, id: row.target_id, name: row.target_name },
    details: row.details,
  }
}
