import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { MonitorRecord } from '#core/monitor.ts'
import type { Database, Transaction } from '#store/database.ts'

const windowMs = 24 * 3_600_000
const forgetAtOnce = 10_000

export type KeyUse = {
  workspaceId: string
  key: string
  /** What was asked, as text; only its SHA-256 is kept. */
  request: string
  /** The monitor that this use would create. */
  monitorId: string
  now: Date
}

export type KeyOutcome =
  | { type: 'claimed' }
  /** `lastState` is what a deleted monitor was last, null while it exists. */
  | { type: 'replay'; monitorId: string; lastState: MonitorRecord | null }
  | { type: 'other_request' }

/**
 * Takes the key for this transaction's monitor, or says what it stands for. A concurrent request with the same key
 * waits here until the first has committed, then replays; had the first failed, the key is free (decisions.md C1).
 */
export async function claimKey(tx: Transaction, use: KeyUse): Promise<KeyOutcome> {
  const fingerprint = createHash('sha256').update(use.request).digest()
  const claim = { fingerprint, monitor_id: use.monitorId, last_state: null, created_at: use.now }
  const claimed = await tx.query
    .insertInto('idempotency_keys')
    .values({ workspace_id: use.workspaceId, key: use.key, ...claim })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'key'])
        .doUpdateSet(claim)
        .where('idempotency_keys.created_at', '<=', windowStart(use.now)),
    )
    .returning('key')
    .executeTakeFirst()
  if (claimed !== undefined) return { type: 'claimed' }
  const used = await tx.query
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'monitor_id', 'last_state'])
    .where('workspace_id', '=', use.workspaceId)
    .where('key', '=', use.key)
    .$castTo<{ fingerprint: Buffer; monitor_id: string; last_state: MonitorRecord | null }>()
    .executeTakeFirstOrThrow()
  if (!used.fingerprint.equals(fingerprint)) return { type: 'other_request' }
  return { type: 'replay', monitorId: used.monitor_id, lastState: used.last_state }
}

/** A deleted monitor's keys go on answering with what it was. */
export async function keepLastState(tx: Transaction, record: MonitorRecord): Promise<void> {
  await tx.query
    .updateTable('idempotency_keys')
    .set({ last_state: JSON.stringify(record) })
    .where('monitor_id', '=', record.id)
    .execute()
}

/** Removes keys whose window has passed, at most 10,000 a call; returns how many. */
export async function forgetKeys(database: Database, now: Date): Promise<number> {
  const forgotten = await database.query
    .deleteFrom('idempotency_keys')
    .where(
      sql<string>`ctid`,
      'in',
      database.query
        .selectFrom('idempotency_keys')
        .select(sql<string>`ctid`.as('ctid'))
        .where('created_at', '<=', windowStart(now))
        .limit(forgetAtOnce),
    )
    .executeTakeFirst()
  return Number(forgotten.numDeletedRows)
}

/** Specification, rules for create, 5: a key answers for 24 hours. */
function windowStart(now: Date): Date {
  return new Date(now.getTime() - windowMs)
}
