import { z } from 'zod'
import type { Database } from '#store/database.ts'
import { removeResults } from '#store/monitor-removal.ts'

const rowsAtOnce = 10_000

const payloadSchema = z.strictObject({ monitor_key: z.string().regex(/^\d{1,19}$/) })

/**
 * Removes the results of a deleted monitor in steps that each commit, so that no lock is held long and a killed worker
 * loses one step at most. Ends: nothing adds results of a monitor that is gone.
 */
export async function forgetMonitor(
  database: Pick<Database, 'pool'>,
  payload: unknown,
  signal?: AbortSignal,
): Promise<void> {
  const { monitor_key: monitorKey } = payloadSchema.parse(payload)
  for (;;) {
    signal?.throwIfAborted()
    const removed = await removeResults(database, { monitorKey, limit: rowsAtOnce })
    if (removed < rowsAtOnce) return
  }
}
