import { replayMs } from '#core/money/pricing.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import type { Database, Reader, Transaction } from './database.ts'

const forgetAtOnce = 10_000

export type KeyUse = {
  workspaceId: string
  key: string
  /** The request as text; only its SHA-256 is kept. */
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
 * waits here until the first has committed, then replays; had the first failed, the key is free
 * (docs/decisions/payments.md, "Idempotency keys").
 */
export async function claimKey(tx: Transaction, use: KeyUse): Promise<KeyOutcome> {
  const fingerprint = fingerprintOf(use.request)
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
  const used = await selectKeys(tx)
    .where('workspace_id', '=', use.workspaceId)
    .where('key', '=', use.key)
    .executeTakeFirstOrThrow()
  return outcomeOf(used, fingerprint)
}

/** The same without taking the key: null when it stands for nothing. */
export async function findKey(
  reader: Reader,
  { workspaceId, key, request, now }: Omit<KeyUse, 'monitorId'>,
): Promise<Exclude<KeyOutcome, { type: 'claimed' }> | null> {
  const used = await selectKeys(reader)
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .where('created_at', '>', windowStart(now))
    .executeTakeFirst()
  return used === undefined ? null : outcomeOf(used, fingerprintOf(request))
}

/** The last state of a deleted monitor, for as long as a key stands for it. */
export async function findLastState(
  reader: Reader,
  { workspaceId, monitorId }: { workspaceId: string; monitorId: string },
): Promise<MonitorRecord | null> {
  const used = await selectKeys(reader)
    .where('workspace_id', '=', workspaceId)
    .where('monitor_id', '=', monitorId)
    .where('last_state', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return used?.last_state ?? null
}

/** Keys of deleted monitors go on answering with what they were. */
export async function keepLastStates({ client }: Transaction, records: readonly MonitorRecord[]): Promise<void> {
  await client.query(
    `update idempotency_keys
    set last_state = was.record
    from unnest($1::uuid[], $2::jsonb[]) as was (id, record)
    where monitor_id = was.id`,
    [records.map(({ id }) => id), records.map((record) => JSON.stringify(record))],
  )
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

type UsedKey = { fingerprint: Buffer; monitor_id: string; last_state: MonitorRecord | null }

function selectKeys(reader: Reader) {
  return reader.query
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'monitor_id', 'last_state'])
    .$castTo<UsedKey>()
}

function fingerprintOf(request: string): Buffer {
  return createHash('sha256').update(request).digest()
}

function outcomeOf(used: UsedKey, fingerprint: Buffer): Exclude<KeyOutcome, { type: 'claimed' }> {
  if (!used.fingerprint.equals(fingerprint)) return { type: 'other_request' }
  return { type: 'replay', monitorId: used.monitor_id, lastState: used.last_state }
}

/** A key answers for 24 hours (docs/payments.md). */
function windowStart(now: Date): Date {
  return new Date(now.getTime() - replayMs)
}
