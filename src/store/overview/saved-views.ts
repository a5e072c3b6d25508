import { randomUUID } from 'node:crypto'
import { fail, invalidFields } from '#core/language/error.ts'
import {
  type SavedViewInput,
  type SavedViewRecord,
  isSameName,
  maxSavedViews,
  savedViewInputSchema,
} from '#core/saved-view.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'

type Place = { workspaceId: string; id: string }

/** By name. */
export async function listSavedViews(reader: Reader, workspaceId: string): Promise<SavedViewRecord[]> {
  const rows = await selectViews(reader)
    .where('workspace_id', '=', workspaceId)
    .orderBy((columns) => columns.fn('lower', ['name']))
    .limit(maxSavedViews)
    .execute()
  return rows.map(toRecord)
}

export async function findSavedView(reader: Reader, { workspaceId, id }: Place): Promise<SavedViewRecord | null> {
  const row = await selectViews(reader).where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

type NewView = SavedViewInput & { workspaceId: string; madeBy: string; at: Date }

export async function insertSavedView(
  tx: Transaction,
  { workspaceId, madeBy, at, ...input }: NewView,
): Promise<SavedViewRecord> {
  const others = await holdViews(tx, workspaceId)
  if (others.length >= maxSavedViews)
    throw fail('limit_reached', `A workspace has at most ${maxSavedViews} saved views. Delete one first.`)
  assertFree(others, input.name)
  const made = { id: randomUUID(), name: input.name, made_by: madeBy, created_at: at }
  await tx.query
    .insertInto('saved_views')
    .values({ ...made, workspace_id: workspaceId, view: JSON.stringify(input.view) })
    .execute()
  return toRecord({ ...made, view: input.view })
}

/** Null where it is gone. */
export async function updateSavedView(
  tx: Transaction,
  { workspaceId, id, name, view }: Place & { name?: string | undefined; view?: SavedViewInput['view'] | undefined },
): Promise<SavedViewRecord | null> {
  const others = await holdViews(tx, workspaceId)
  if (name !== undefined)
    assertFree(
      others.filter((other) => other.id !== id),
      name,
    )
  const row = await tx.query
    .updateTable('saved_views')
    .set({ ...(name === undefined ? {} : { name }), ...(view === undefined ? {} : { view: JSON.stringify(view) }) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['id', 'name', 'view', 'made_by', 'created_at'])
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

export async function deleteSavedView({ query }: Transaction, { workspaceId, id }: Place): Promise<boolean> {
  const { numDeletedRows } = await query
    .deleteFrom('saved_views')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Changes of views take turns, so that no name is taken twice. */
async function holdViews(tx: Transaction, workspaceId: string): Promise<SavedViewRecord[]> {
  await lockWorkspace(tx, workspaceId)
  await assertOpen(tx, workspaceId)
  return listSavedViews(tx, workspaceId)
}

function assertFree(others: readonly SavedViewRecord[], name: string): void {
  if (others.some((other) => isSameName(other.name, name)))
    throw invalidFields({ name: ['Another saved view has this name.'] })
}

function selectViews({ query }: Reader) {
  return query.selectFrom('saved_views').select(['id', 'name', 'view', 'made_by', 'created_at'])
}

type Row = { id: string; name: string; view: unknown; made_by: string; created_at: Date }

function toRecord({ id, name, view, made_by, created_at }: Row): SavedViewRecord {
  const known = savedViewInputSchema.shape.view.safeParse(view)
  return { id, name, view: known.success ? known.data : {}, made_by, created_at: created_at.toISOString() }
}
