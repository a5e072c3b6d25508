import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { anyOf } from '#store/database/array-literal.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { keepLastStates } from '#store/database/idempotency.ts'
import { addJobs, type Job } from '#store/database/job-queue.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { restartMonitors } from './monitor-state.ts'

export const forgetMonitorTask = 'forget_monitor'

/**
 * Waits for the engines' transactions on all monitors of a workspace, before any of them is locked: so neither
 * deadlocks.
 */
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

export type Removal = { keys: readonly string[]; records: readonly MonitorRecord[]; at: Date }

/**
 * Deletes monitors that are held by `holdMonitors`. Their incidents stay as the record of what contacts were told,
 * resolved without an alert; their results may be millions and are left to jobs (docs/decisions/incidents.md).
 */
export async function deleteMonitors(tx: Transaction, secrets: Secrets, { keys, records, at }: Removal): Promise<void> {
  const monitorIds = records.map(({ id }) => id)
  await restartMonitors(tx, { monitorIds, at, reason: 'The monitor was deleted.' })
  await keepLastStates(tx, secrets, records)
  await addJobs(tx, keys.map(forgetJob))
  await tx.query.deleteFrom('monitors').where('id', '=', anyOf(monitorIds)).execute()
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
    lane: forgetMonitorTask,
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
