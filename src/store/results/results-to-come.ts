import { numberArray } from '#store/database/array-literal.ts'
import type { Transaction } from '#store/database/database.ts'
import { type Lease, storeResults } from './store-batch.ts'

/** The version of results that no engine folds. Those of monitors begin with 1. */
export const versionOfNone = 0

/**
 * Keeps results of a time to come, from which the clock went back, out of every later fold. They stay what was found, and
 * are counted; but when their time comes again, they say nothing of it. Rounds in microseconds since 1970. Throws
 * `LeaseLostError` where another engine holds a partition: it may have counted them in a round that is open there.
 */
export async function keepFromFolds(
  tx: Transaction,
  leases: Lease[],
  results: readonly { monitorKey: number; round: number }[],
): Promise<void> {
  await storeResults(tx, leases, [])
  await tx.client.query(
    `update results r
    set version = ${versionOfNone}
    from unnest($1::bigint[], $2::bigint[]) as future (monitor_key, round)
    where r.monitor_key = future.monitor_key
      and r.round_at = timestamptz 'epoch' + future.round * interval '1 microsecond'`,
    [numberArray(results.map(({ monitorKey }) => monitorKey)), numberArray(results.map(({ round }) => round))],
  )
}
