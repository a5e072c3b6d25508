import { replayMs } from '#core/money/pricing.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { openContent, sealContent } from '#store/monitors/sealed-content.ts'
import type { Database, Reader, Transaction } from './database.ts'
import type { Place, Secrets } from './secrets.ts'

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
export async function claimKey(tx: Transaction, secrets: Secrets, use: KeyUse): Promise<KeyOutcome> {
  const fingerprint = fingerprintOf(use.request)
  const claim = { fingerprint, monitor_id: use.monitorId, last_state: null, last_content: null, created_at: use.now }
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
  return outcomeOf(used, fingerprint, secrets)
}

/** The same without taking the key: null when it stands for nothing. */
export async function findKey(
  reader: Reader,
  secrets: Secrets,
  { workspaceId, key, request, now }: Omit<KeyUse, 'monitorId'>,
): Promise<Exclude<KeyOutcome, { type: 'claimed' }> | null> {
  const used = await selectKeys(reader)
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .where('created_at', '>', windowStart(now))
    .executeTakeFirst()
  return used === undefined ? null : outcomeOf(used, fingerprintOf(request), secrets)
}

/** The last state of a deleted monitor, for as long as a key stands for it. */
export async function findLastState(
  reader: Reader,
  secrets: Secrets,
  { workspaceId, monitorId }: { workspaceId: string; monitorId: string },
): Promise<MonitorRecord | null> {
  const used = await selectKeys(reader)
    .where('workspace_id', '=', workspaceId)
    .where('monitor_id', '=', monitorId)
    .where('last_state', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return used === undefined ? null : lastStateOf(used, secrets)
}

/** Keys of deleted monitors go on answering with what they were. */
export async function keepLastStates(
  { client }: Transaction,
  secrets: Secrets,
  records: readonly MonitorRecord[],
): Promise<void> {
  const sealed = records.map((record) => sealContent(record, secrets, placeOf(record.id)))
  await client.query(
    `update idempotency_keys
    set last_state = was.record, last_content = was.content
    from unnest($1::uuid[], $2::jsonb[], $3::bytea[]) as was (id, record, content)
    where monitor_id = was.id`,
    [records.map(({ id }) => id), sealed.map(({ rest }) => JSON.stringify(rest)), sealed.map(({ content }) => content)],
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

type UsedKey = {
  fingerprint: Buffer
  monitor_id: string
  last_state: MonitorRecord | null
  last_content: Buffer | null
}

function selectKeys(reader: Reader) {
  return reader.query
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'monitor_id', 'last_state', 'last_content'])
    .$castTo<UsedKey>()
}

function fingerprintOf(request: string): Buffer {
  return createHash('sha256').update(request).digest()
}

function outcomeOf(used: UsedKey, fingerprint: Buffer, secrets: Secrets): Exclude<KeyOutcome, { type: 'claimed' }> {
  if (!used.fingerprint.equals(fingerprint)) return { type: 'other_request' }
  return { type: 'replay', monitorId: used.monitor_id, lastState: lastStateOf(used, secrets) }
}

function lastStateOf({ last_state: state, last_content: content }: UsedKey, secrets: Secrets): MonitorRecord | null {
  return state === null ? null : openContent(state, { content, place: placeOf(state.id) }, secrets)
}

/** A key that moves to another workspace still stands for the same monitor. */
function placeOf(monitorId: string): Place {
  return { column: 'idempotency_keys.last_content', id: monitorId }
}

/** A key answers for 24 hours (docs/payments.md). */
function windowStart(now: Date): Date {
  return new Date(now.getTime() - replayMs)
}
