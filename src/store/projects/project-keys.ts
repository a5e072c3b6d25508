import type { Section } from '#core/projects/entries.ts'
import type { Transaction } from '#store/database/database.ts'
import { forgetGone } from './project-objects.ts'

export type NewKey = { workspaceId: string; section: Section; project: string; key: string }

/** Under the lock of the workspace. False where the key stands for another object that the workspace has. */
export async function keyNewObject(
  tx: Transaction,
  { workspaceId, section, project, key }: NewKey,
  id: string,
): Promise<boolean> {
  await forgetGone(tx, workspaceId)
  await tx.client.query(insertStatement, [workspaceId, project, section, key, id])
  const { rows } = await tx.client.query<{ id: string }>(readStatement, [workspaceId, project, section, key])
  return rows[0]?.id === id
}

const insertStatement = `
insert into project_objects (workspace_id, project, section, key, object_id)
values ($1, $2, $3, $4, $5)
on conflict do nothing`

const readStatement = `
select object_id as id
from project_objects
where workspace_id = $1
  and project = $2
  and section = $3
  and key = $4`
