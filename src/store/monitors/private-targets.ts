import type { Database, Transaction } from '#store/database/database.ts'
import { refreshVersion } from './monitor-state.ts'

/** Takes back what owners let their monitors reach, because the installation is not theirs alone any more. */
export async function endPrivateTargets(database: Database): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>(
    'select distinct workspace_id as id from monitors where allow_private_target',
  )
  for (const { id } of rows) await database.transaction((tx) => endPrivateTargetsOf(tx, id))
}

/** The same for one workspace, because other people have it now. */
export async function endPrivateTargetsOf(tx: Transaction, workspaceId: string): Promise<void> {
  const { rows } = await tx.client.query<{ id: string }>(
    `update monitors
    set allow_private_target = false
    where id = any(
      array(
        select id
        from monitors
        where workspace_id = $1
          and allow_private_target
        order by id
        for no key update
      )
    )
    returning id`,
    [workspaceId],
  )
  for (const { id } of rows) await refreshVersion(tx, id)
}
