import type { MonitorRecord } from '#core/monitor.ts'
import type { Database, Transaction } from '#store/database.ts'
import { keepLastState } from '#store/idempotency.ts'
import { addJobs, type Job } from '#store/job-queue.ts'
import { restartMonitor } from '#store/monitor-state.ts'

export const forgetMonitorTask = 'forget_monitor'

/** Waits for the engine's transactions on this partition, before anything else is locked: so neither deadlocks. */
export async function holdPartition(tx: Transaction, partition: number): Promise<void> {
  await tx.query.selectFrom('partitions').select('partition').where('partition', '=', partition).forShare().execute()
}

/** The same for all monitors of a workspace. */
export async function holdPartitionsOf({ client }: Transaction, workspaceId: string): Promise<void> {
  await client.query(
    `select partition
    from partitions
    where partition in (select partition from monitors where workspace_id = $1)
    order by partition
    for share`,
    [workspaceId],
  )
}

/**
 * Deletes a monitor under `holdPartition` and `lockMonitor`. Its incidents stay, resolved without an alert; its results
 * are left to a job, for they may be millions (decisions.md A15, B12).
 */
export async function deleteMonitor(
  tx: Transaction,
  removal: { key: string; record: MonitorRecord; at: Date },
): Promise<void> {
  const { key, record, at } = removal
  await restartMonitor(tx, { monitorId: record.id, at, reason: 'The monitor was deleted.' })
  await keepLastState(tx, record)
  await addJobs(tx, [forgetJob(key)])
  await tx.query.deleteFrom('monitors').where('id', '=', record.id).executeTakeFirstOrThrow()
}

/** Has the results of a deleted monitor looked for once more. */
export async function forgetAgain(
  database: Pick<Database, 'transaction'>,
  { monitorKey, at }: { monitorKey: string; at: Date },
): Promise<void> {
  await database.transaction((tx) => addJobs(tx, [{ ...forgetJob(monitorKey), runAt: at }]))
}

/** Removes at most `limit` stored results of a monitor, the oldest first; returns how many. */
export async function removeResults(
  { pool }: Pick<Database, 'pool'>,
  { monitorKey, limit }: { monitorKey: string; limit: number },
): Promise<number> {
  const removed = await pool.query({ name: 'remove_results', text: removeStatement, values: [monitorKey, limit] })
  return removed.rowCount ?? 0
}

export function forgetJob(monitorKey: string): Job {
  return {
    task: forgetMonitorTask,
    payload: { monitor_key: monitorKey },
    key: `forget_monitor:${monitorKey}`,
    maxAttempts: 25,
  }
}

// The key columns, not ctid, which is unique within one daily partition only.
const removeStatement = `
delete from results r
using (
  select monitor_key, round_at, location
  from results
  where monitor_key = $1
  order by round_at
  limit $2
) as oldest
where r.monitor_key = oldest.monitor_key
  and r.round_at = oldest.round_at
  and r.location = oldest.location`
