import type { Audience } from '#core/people/oauth.ts'
import type { Reader, Transaction } from '#store/database/database.ts'

/** A code that a person's consent made. */
export type OauthCode = {
  registrationId: string
  redirectUri: string
  challenge: string
  audience: Audience
  expiresAt: Date
  usedAt: Date | null
}

export type NewOauthCode = Omit<OauthCode, 'usedAt'> & { hash: Buffer }

export type RefreshToken = { registrationId: string; audience: Audience; expiresAt: Date; usedAt: Date | null }

/** Used ones are remembered, so that a second use is noticed; beyond this number the oldest are not. */
const maxRefreshTokens = 100

export async function insertOauthCode(tx: Transaction, code: NewOauthCode): Promise<void> {
  await tx.query
    .insertInto('oauth_codes')
    .values({
      hash: code.hash,
      registration_id: code.registrationId,
      redirect_uri: code.redirectUri,
      challenge: code.challenge,
      audience: code.audience,
      expires_at: code.expiresAt,
    })
    .execute()
}

/** No other transaction takes it until this one ends. */
export async function lockOauthCode(tx: Transaction, hash: Buffer): Promise<OauthCode | null> {
  const row = await tx.query
    .selectFrom('oauth_codes')
    .selectAll()
    .where('hash', '=', hash)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    registrationId: row.registration_id,
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    audience: audienceOf(row.audience),
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  }
}

export async function useOauthCode(tx: Transaction, hash: Buffer, at: Date): Promise<void> {
  await tx.query.updateTable('oauth_codes').set({ used_at: at }).where('hash', '=', hash).execute()
}

export async function insertRefreshToken(
  tx: Transaction,
  token: Omit<RefreshToken, 'usedAt'> & { hash: Buffer; createdAt: Date },
): Promise<void> {
  await tx.query
    .deleteFrom('oauth_refresh_tokens')
    .where('hash', 'in', (from) =>
      from
        .selectFrom('oauth_refresh_tokens')
        .select('hash')
        .where('registration_id', '=', token.registrationId)
        .orderBy('created_at', 'desc')
        .orderBy('hash')
        .offset(maxRefreshTokens - 1),
    )
    .execute()
  await tx.query
    .insertInto('oauth_refresh_tokens')
    .values({
      hash: token.hash,
      registration_id: token.registrationId,
      audience: token.audience,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .execute()
}

export async function findRefreshToken(reader: Reader, hash: Buffer): Promise<RefreshToken | null> {
  const row = await reader.query
    .selectFrom('oauth_refresh_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    registrationId: row.registration_id,
    audience: audienceOf(row.audience),
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  }
}

export async function useRefreshToken(tx: Transaction, hash: Buffer, at: Date): Promise<void> {
  await tx.query.updateTable('oauth_refresh_tokens').set({ used_at: at }).where('hash', '=', hash).execute()
}

/** Ends a program's access with all that it holds. */
export async function endConnection(tx: Transaction, registrationId: string): Promise<void> {
  await tx.query.deleteFrom('agent_registrations').where('id', '=', registrationId).execute()
}

/**
 * Takes an amount of what the agent may spend; false where that is not left. Under the lock of the workspace, which
 * whoever spends its credit holds.
 */
export async function spendBudget(
  tx: Transaction,
  { registrationId, cents }: { registrationId: string; cents: number },
): Promise<boolean> {
  const spent = await tx.query
    .updateTable('agent_registrations')
    .set((row) => ({ spent_cents: row('spent_cents', '+', cents) }))
    .where('id', '=', registrationId)
    .where((where) =>
      where.or([
        where('budget_cents', 'is', null),
        where(where('spent_cents', '+', cents), '<=', where.ref('budget_cents')),
      ]),
    )
    .executeTakeFirst()
  return spent.numUpdatedRows === 1n
}

function audienceOf(text: string | null): Audience {
  if (text === null || text === 'api' || text === 'mcp') return text
  throw new Error(`A token is for the unknown part ${text}.`)
}
