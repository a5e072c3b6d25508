import { z } from 'zod'
import type { Database } from '#store/database/database.ts'
import { isRewriting } from '#store/results/day-rewrites.ts'
import { forgetLinesOf } from '#store/results/signed-days.ts'
import { forgetAgain, removeResults } from '#store/monitors/monitor-removal.ts'

const rowsAtOnce = 10_000
const againMs = 60_000

const payloadSchema = z.strictObject({ monitor_key: z.string().regex(/^\d{1,19}$/) })

/**
 * Removes the results of a deleted monitor in steps that each commit, so that no lock is held long and a killed worker
 * loses one step at most. Ends: nothing adds results of a monitor that is gone. While a day is being rewritten, its
 * results may have been copied before it was deleted: then they are looked for once more a minute later. Of what was signed
 * of the monitor the roots stay.
 */
export async function forgetMonitor(database: Database, payload: unknown, signal?: AbortSignal): Promise<void> {
  const { monitor_key: monitorKey } = payloadSchema.parse(payload)
  // Asked before: a rewrite that ends meanwhile may bring back what was just removed.
  const wasRewriting = await isRewriting(database)
  for (;;) {
    signal?.throwIfAborted()
    const removed = await removeResults(database, { monitorKey, limit: rowsAtOnce })
    if (removed < rowsAtOnce) break
  }
  await forgetLinesOf(database, monitorKey)
  if (wasRewriting) await forgetAgain(database, { monitorKey, at: new Date(Date.now() + againMs) })
}
