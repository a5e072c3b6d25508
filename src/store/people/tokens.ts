import { randomBytes, randomUUID } from 'node:crypto'
import { fail } from '#core/language/error.ts'
import { createTokenText } from '#core/people/token-format.ts'
import { type Database, namedOn, type Reader, type Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'

export type TokenScope = 'read' | 'write'

export type StoredToken = {
  id: string
  workspaceId: string
  name: string
  scope: TokenScope
  hash: Buffer
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

export type NewToken = { workspaceId: string; name: string; scope: TokenScope; expiresAt: Date | null }

export const maxActiveTokens = 50
/** Tokens shown at once: the active ones and the most recent of the others. */
const maxListed = 500
const touchIntervalMs = 60_000

/** Makes a token and returns its text, which exists nowhere else. Refuses with `limit_reached`. */
export async function makeToken(tx: Transaction, token: NewToken, now: Date): Promise<{ id: string; text: string }> {
  const text = createTokenText(randomBytes)
  return { id: await insertToken(tx, { ...token, hash: hashToken(text) }, now), text }
}

/** Gives an active token another text, so that the earlier one stops working; null when it is active no longer. */
export async function replaceToken(
  tx: Transaction,
  { workspaceId, tokenId }: { workspaceId: string; tokenId: string },
): Promise<string | null> {
  const text = createTokenText(randomBytes)
  const replaced = await tx.query
    .updateTable('api_tokens')
    .set({ hash: hashToken(text) })
    .where('id', '=', tokenId)
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return replaced.numUpdatedRows === 1n ? text : null
}

/** The workspace's row is locked, so that the count is exact however many are made at once. */
export async function insertToken(tx: Transaction, token: NewToken & { hash: Buffer }, now: Date): Promise<string> {
  await lockWorkspace(tx, token.workspaceId)
  await assertOpen(tx, token.workspaceId)
  const { active } = await tx.query
    .selectFrom('api_tokens')
    .select((columns) => columns.fn.countAll<string>().as('active'))
    .where('workspace_id', '=', token.workspaceId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  if (Number(active) >= maxActiveTokens)
    throw fail('limit_reached', `A workspace can have at most ${maxActiveTokens} active API tokens. Revoke one first.`)
  const id = randomUUID()
  await tx.query
    .insertInto('api_tokens')
    .values({
      id,
      workspace_id: token.workspaceId,
      name: token.name,
      scope: token.scope,
      hash: token.hash,
      created_at: now,
      expires_at: token.expiresAt,
    })
    .execute()
  return id
}

/** Tokens with these hashes, revoked and expired ones too. The only look-up that no workspace bounds. */
export async function findTokens(source: TokenSource, hashes: Buffer[]): Promise<StoredToken[]> {
  const found = await namedOn(source).query<Row>({ name: 'find_tokens', text: findStatement, values: [hashes] })
  return found.rows.map(fromRow)
}

export type TokenSource = Pick<Database, 'pool'> | Transaction

/** Nearly every request begins with it. */
const findStatement = `
select id, workspace_id, name, scope, hash, created_at, expires_at, revoked_at, last_used_at
from api_tokens
where hash = any($1::bytea[])`

/** Newest first. */
export async function listTokens(reader: Reader, workspaceId: string): Promise<StoredToken[]> {
  const rows = await reader.query
    .selectFrom('api_tokens')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('revoked_at', (order) => order.desc().nullsFirst())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxListed)
    .execute()
  return rows.map(fromRow)
}

/** Null when the workspace has no such token, active or not. */
export async function findToken(
  reader: Reader,
  { workspaceId, tokenId }: { workspaceId: string; tokenId: string },
): Promise<StoredToken | null> {
  const row = await reader.query
    .selectFrom('api_tokens')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', tokenId)
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** False when there is no such active token in the workspace. */
export async function revokeToken(
  reader: Reader,
  { workspaceId, tokenId, at }: { workspaceId: string; tokenId: string; at: Date },
): Promise<boolean> {
  const revoked = await reader.query
    .updateTable('api_tokens')
    .set({ revoked_at: at })
    .where('id', '=', tokenId)
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return revoked.numUpdatedRows === 1n
}

/** Remembers when a token was last used, at most once a minute. */
export async function touchToken(reader: Reader, { tokenId, at }: { tokenId: string; at: Date }): Promise<void> {
  const before = new Date(at.getTime() - touchIntervalMs)
  await reader.query
    .updateTable('api_tokens')
    .set({ last_used_at: at })
    .where('id', '=', tokenId)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]))
    .execute()
}

type Row = {
  id: string
  workspace_id: string
  name: string
  scope: string
  hash: Buffer
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
}

function fromRow(row: Row): StoredToken {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    scope: row.scope === 'write' ? 'write' : 'read',
    hash: row.hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}
