import { claimRules } from '#core/people/claim.ts'
import type { Audience, Scope } from '#core/people/oauth.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'

/** What a program without a browser waits for. */
export type DeviceCode = {
  hash: Buffer
  clientId: string
  scopes: readonly Scope[]
  audience: Audience
  expiresAt: Date
  registrationId: string | null
  deniedAt: Date | null
  spentAt: Date | null
  polledAt: Date | null
  pollSeconds: number
}

export type NewDeviceCode = Pick<DeviceCode, 'hash' | 'clientId' | 'scopes' | 'audience' | 'expiresAt'> & {
  userCodeHash: Buffer
}

/** Its program is told that it has expired for as long. */
const keptMs = 86_400_000
const rowsAtOnce = 1_000

/** False where another program shows the same code. */
export async function insertDeviceCode(reader: Reader, code: NewDeviceCode): Promise<boolean> {
  const inserted = await reader.query
    .insertInto('oauth_device_codes')
    .values({
      hash: code.hash,
      user_code_hash: code.userCodeHash,
      client_id: code.clientId,
      scopes: [...code.scopes],
      audience: code.audience,
      expires_at: code.expiresAt,
      poll_seconds: claimRules.intervalSeconds,
    })
    .onConflict((conflict) => conflict.column('user_code_hash').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

type Key = { hash: Buffer } | { userCodeHash: Buffer }

export async function findDeviceCode(reader: Reader, key: Key): Promise<DeviceCode | null> {
  const row = await selectBy(reader, key).executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** No other transaction decides on it, or takes it, until this one ends. */
export async function lockDeviceCode(tx: Transaction, key: Key): Promise<DeviceCode | null> {
  const row = await selectBy(tx, key).forUpdate().executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

export type DeviceChange = Partial<
  Pick<DeviceCode, 'registrationId' | 'deniedAt' | 'spentAt' | 'polledAt' | 'pollSeconds'>
>

export async function changeDeviceCode(
  tx: Transaction,
  { hash, change }: { hash: Buffer; change: DeviceChange },
): Promise<void> {
  await tx.query
    .updateTable('oauth_device_codes')
    .set({
      registration_id: change.registrationId,
      denied_at: change.deniedAt,
      spent_at: change.spentAt,
      polled_at: change.polledAt,
      poll_seconds: change.pollSeconds,
    })
    .where('hash', '=', hash)
    .execute()
}

/** Removes at most 1,000 codes that expired a day ago. */
export async function forgetDeviceCodes({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const removed = await pool.query(forgetStatement, [new Date(now.getTime() - keptMs), rowsAtOnce])
  return removed.rowCount ?? 0
}

const forgetStatement = `
delete from oauth_device_codes
where hash in (
  select hash from oauth_device_codes where expires_at <= $1 order by expires_at limit $2 for update skip locked
)`

function selectBy(reader: Reader, key: Key) {
  const query = reader.query.selectFrom('oauth_device_codes').selectAll()
  return 'hash' in key ? query.where('hash', '=', key.hash) : query.where('user_code_hash', '=', key.userCodeHash)
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof selectBy>['executeTakeFirst']>>>

function fromRow(row: Row): DeviceCode {
  return {
    hash: row.hash,
    clientId: row.client_id,
    scopes: row.scopes.includes('write') ? ['read', 'write'] : ['read'],
    audience: row.audience === 'api' || row.audience === 'mcp' ? row.audience : null,
    expiresAt: row.expires_at,
    registrationId: row.registration_id,
    deniedAt: row.denied_at,
    spentAt: row.spent_at,
    polledAt: row.polled_at,
    pollSeconds: row.poll_seconds,
  }
}
