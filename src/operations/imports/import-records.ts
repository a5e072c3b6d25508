// Imports as they are found, held and told of.
import { AppError, fail } from '#core/language/error.ts'
import type { ImportRecord } from '#core/imports/import-record.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { findImport, holdImport, listToldSteps, releaseImport, type StoredImport } from '#store/imports/imports.ts'

export async function findImportOf(
  { caller: { workspaceId }, services }: Context,
  { id = '' }: Record<string, string>,
): Promise<StoredImport> {
  const found = await findImport(services.database, { workspaceId, id })
  if (found === null) throw fail('not_found', 'There is no such import in this workspace.')
  return found
}

export function importOf(context: Context, id: string): Promise<StoredImport> {
  return findImportOf(context, { id })
}

const busySeconds = 5

/** Works on an import in one of these states, while no other request does. */
export async function held(
  { services: { database }, now }: Context,
  { id, states }: { id: string; states: readonly StoredImport['state'][] },
  work: () => Promise<void>,
): Promise<void> {
  if (!(await holdImport(database, { id, states, now })))
    throw fail('unavailable', 'Another request is working on this import, or the import has ended.', {
      retryAfterSeconds: busySeconds,
    })
  try {
    await work()
  } finally {
    await releaseImport(database, { id, now })
  }
}

/** The first counts as the request itself. One that is too many is told to the next request, since something was done. */
export async function mayGoOn({ countMore }: Context): Promise<boolean> {
  try {
    await countMore?.(1)
    return true
  } catch (error) {
    if (error instanceof AppError && error.status === 429) return false
    throw error
  }
}

export async function recordOf({ services }: Context, stored: StoredImport): Promise<ImportRecord> {
  return { ...countsOf(stored), told: await listToldSteps(services.database, stored.id) }
}

export function countsOf({ counts, ...stored }: StoredImport): Omit<ImportRecord, 'told'> {
  const { waiting = 0, begun = 0, made = 0, present = 0, failed = 0, leaving = 0, removed = 0, kept = 0 } = counts
  return {
    id: stored.id,
    source: stored.source,
    project: stored.project,
    file_name: stored.fileName,
    started_by: stored.actorName,
    state: stored.state,
    created_at: stored.createdAt.toISOString(),
    waiting: waiting + begun,
    made,
    present,
    failed,
    leaving,
    removed,
    kept,
  }
}
