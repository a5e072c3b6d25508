/**
 * Where a reading ended: the oldest transaction that was under way then. What it and younger ones write may not have
 * been seen.
 */
export type Horizon = string

/** Where a statement ends. */
export const horizon = 'pg_snapshot_xmin(pg_current_snapshot())::text'

/** The one behind which more may be unseen. */
export function olderOf(one: Horizon, other: Horizon): Horizon {
  return BigInt(one) < BigInt(other) ? one : other
}

/** Whether a row was written by a transaction not older than a horizon: numbers of rows have 32 bits and go round. */
export function isNewSince(row: string, since: string): string {
  return `(${row}.xmin::text::bigint - ${since}::bigint) & 4294967295 < 2147483648`
}
