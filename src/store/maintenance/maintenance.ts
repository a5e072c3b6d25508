import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#core/language/error.ts'
import {
  type MaintenanceInput,
  type MaintenanceSchedule,
  maintenanceScheduleSchema,
  maxWindows,
  type Occurrence,
} from '#core/maintenance.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'

export type StoredMaintenance = {
  id: string
  key: string
  name: string
  description: string | null
  schedule: MaintenanceSchedule
  timeZone: string
  /** Null for all of the workspace. */
  monitorIds: string[] | null
  /** Of monitors that it covers too. */
  monitorTags: string[]
  excludesUptime: boolean
  tags: string[]
  /** The earliest four that have not ended. */
  occurrences: Occurrence[]
  createdAt: Date
}

const shownOccurrences = 4

/** The newest first; with `id` that one alone. */
export async function listMaintenance(
  { query }: Reader,
  { workspaceId, id, now }: { workspaceId: string; id?: string; now: Date },
): Promise<StoredMaintenance[]> {
  let windows = query.selectFrom('maintenance_windows as w').selectAll('w').where('w.workspace_id', '=', workspaceId)
  if (id !== undefined) windows = windows.where('w.id', '=', id)
  const rows = await windows
    .select([
      sql<string[]>`array(
        select m.id
        from maintenance_monitors c
        join monitors m on m.key = c.monitor_key
        where c.window_key = w.key
        order by m.created_at, m.id
      )`.as('monitor_ids'),
      sql<[starts: string, ends: string][]>`to_json(array(
        select json_build_array(o.starts_at, o.ends_at)
        from maintenance_occurrences o
        where o.window_key = w.key
          and o.ends_at > ${now}
        order by o.starts_at
        limit ${sql.lit(shownOccurrences)}
      ))`.as('occurrences'),
    ])
    .orderBy('w.created_at', 'desc')
    .orderBy('w.id')
    .limit(maxWindows)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    schedule: maintenanceScheduleSchema.parse(row.schedule),
    timeZone: row.time_zone,
    monitorIds: row.covers_all ? null : row.monitor_ids,
    monitorTags: row.monitor_tags,
    excludesUptime: row.excludes_uptime,
    tags: row.tags,
    occurrences: row.occurrences.map(([starts, ends]) => ({ startsAt: new Date(starts), endsAt: new Date(ends) })),
    createdAt: row.created_at,
  }))
}

/** Null when the workspace has no such window. */
export async function findMaintenance(
  reader: Reader,
  of: { workspaceId: string; id: string; now: Date },
): Promise<StoredMaintenance | null> {
  const [found] = await listMaintenance(reader, of)
  return found ?? null
}

export type NewMaintenance = { workspaceId: string; input: MaintenanceInput; plannedUntil: Date; now: Date }

/** Refuses with `limit_reached`. The monitors and occurrences are the caller's next steps, in the same transaction. */
export async function insertMaintenance(tx: Transaction, window: NewMaintenance): Promise<{ id: string; key: string }> {
  const { workspaceId, input, plannedUntil, now } = window
  await lockWorkspace(tx, workspaceId)
  await assertOpen(tx, workspaceId)
  const { count } = await tx.query
    .selectFrom('maintenance_windows')
    .select((columns) => columns.fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxWindows)
    throw fail('limit_reached', `A workspace can have at most ${maxWindows} maintenance windows. Delete one first.`)
  return tx.query
    .insertInto('maintenance_windows')
    .values({
      id: randomUUID(),
      workspace_id: workspaceId,
      ...columnsOf(input),
      planned_until: plannedUntil,
      created_at: now,
    })
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow()
}

/** False when it is gone. */
export async function updateMaintenance(
  tx: Transaction,
  { key, input }: { key: string; input: MaintenanceInput },
): Promise<boolean> {
  const changed = await tx.query
    .updateTable('maintenance_windows')
    .set(columnsOf(input))
    .where('key', '=', key)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function deleteMaintenance(tx: Transaction, key: string): Promise<void> {
  await tx.query.deleteFrom('maintenance_windows').where('key', '=', key).execute()
}

/** Makes these the monitors of a window, in place of those it had; returns the ids that the workspace does not have. */
export async function setMaintenanceMonitors(
  tx: Transaction,
  { workspaceId, key, ids }: { workspaceId: string; key: string; ids: readonly string[] },
): Promise<string[]> {
  await tx.query.deleteFrom('maintenance_monitors').where('window_key', '=', key).execute()
  if (ids.length === 0) return []
  const found = await tx.query
    .selectFrom('monitors')
    .select(['id', 'key'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .orderBy('key')
    .forKeyShare()
    .execute()
  const known = new Set(found.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0)
    await tx.query
      .insertInto('maintenance_monitors')
      .values(found.map((monitor) => ({ window_key: key, monitor_key: monitor.key })))
      .execute()
  return unknown
}

function columnsOf(input: MaintenanceInput) {
  const { name, description, schedule, time_zone, monitor_ids, monitor_tags, excludes_uptime, tags } = input
  return {
    name,
    description,
    schedule: JSON.stringify(schedule),
    time_zone,
    covers_all: monitor_ids === null && monitor_tags.length === 0,
    monitor_tags,
    excludes_uptime,
    tags,
  }
}
