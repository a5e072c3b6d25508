// Which monitors depend on which, as it is stored.
import { sql } from 'kysely'
import type { ParentLink } from '#core/monitors/parents.ts'
import { anyOf } from '#store/database/array-literal.ts'
import type { Reader } from '#store/database/database.ts'

/** The ids among these that the workspace has. */
export async function listPresent(
  reader: Reader,
  { workspaceId, monitorIds }: { workspaceId: string; monitorIds: readonly string[] },
): Promise<string[]> {
  const rows = await reader.query
    .selectFrom('monitors')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', anyOf(monitorIds))
    .execute()
  return rows.map(({ id }) => id)
}

/** The monitors of a workspace that name parents. */
export async function listParentLinks(reader: Reader, workspaceId: string): Promise<ParentLink[]> {
  const rows = await reader.query
    .selectFrom('monitors')
    .select(['id', 'name', 'depends_on'])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`depends_on <> '{}'`)
    .execute()
  return rows.map(({ id, name, depends_on: parentIds }) => ({ id, name, parentIds }))
}
