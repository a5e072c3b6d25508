import type { Transaction } from './database.ts'
import { addJobs } from './job-queue.ts'
import { forgetJob, holdPartitionsOf } from './monitor-removal.ts'
import { lockWorkspace } from './workspaces.ts'

type Monitor = { monitorId: string; partition: number }

/**
 * Deletes a workspace with all that hangs on it, and returns the monitors it had, whose engines are to be told after
 * commit. Results are left to jobs, for they may be millions. Locks in the order of everybody else: partitions,
 * contacts, the workspace, monitors.
 */
export async function deleteWorkspace(tx: Transaction, workspaceId: string): Promise<Monitor[]> {
  await holdPartitionsOf(tx, workspaceId)
  await tx.query
    .selectFrom('alert_channels')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .forUpdate()
    .execute()
  await lockWorkspace(tx, workspaceId)
  const monitors = await tx.query
    .selectFrom('monitors')
    .select(['id', 'key', 'partition'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute()
  await addJobs(
    tx,
    monitors.map(({ key }) => forgetJob(key)),
  )
  await tx.query.deleteFrom('workspaces').where('id', '=', workspaceId).executeTakeFirstOrThrow()
  return monitors.map(({ id, partition }) => ({ monitorId: id, partition }))
}
