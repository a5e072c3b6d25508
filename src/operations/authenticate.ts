import { type AppError, fail } from '#core/error.ts'
import { isTokenText } from '#core/token-format.ts'
import type { Database } from '#store/database.ts'
import { hashToken } from '#store/secrets.ts'
import { type StoredToken, findTokens, touchToken } from '#store/tokens.ts'
import type { Limits } from './limits.ts'
import type { Caller } from './operation.ts'

/** Tokens in the order in which they count: X-API-Key before Bearer (decisions.md C31). */
export type Credentials = { tokens: readonly string[]; address: string }

export type Authenticate = (credentials: Credentials, now: Date) => Promise<Caller>

export type AuthenticateOptions = {
  database: Database
  limits: Limits
  /** Told when the time of a token's last use could not be written; no request waits for it. */
  onTouchFailure: (error: unknown) => void
}

/** Reads the tokens once a request, so that a revoked one stops working at once. */
export function createAuthenticate({ database, limits, onTouchFailure }: AuthenticateOptions): Authenticate {
  return async ({ tokens, address }, now) => {
    const [text] = tokens
    if (text === undefined) throw fail('missing_api_key', 'Send an API token in the header X-API-Key.')
    const hashes = tokens.filter(isTokenText).map(hashToken)
    const stored = hashes.length === 0 ? [] : await findTokens(database, hashes)
    const token = isTokenText(text) ? matching(stored, text) : undefined
    const refusal = refusalOf(token, now) ?? mixedWorkspaces(stored)
    if (token === undefined || refusal !== null) throw await refuse(refusal ?? unknownToken(), address)
    if (isStale(token, now)) touchToken(database, { tokenId: token.id, at: now }).catch(onTouchFailure)
    return { workspaceId: token.workspaceId, scope: token.scope, tokenId: token.id, actor: token.name }
  }

  /** Past the limit bad credentials are answered 429; a good token never comes here (decisions.md C26). */
  async function refuse(refusal: AppError, address: string): Promise<AppError> {
    const rate = await limits.countFailure(address)
    if (!rate.isExceeded) return refusal
    return fail('rate_limited', `Too many failed sign-ins. Try again in ${rate.resetSeconds} s.`, {
      retryAfterSeconds: rate.resetSeconds,
    })
  }
}

const touchIntervalMs = 60_000

function matching(stored: StoredToken[], text: string): StoredToken | undefined {
  const hash = hashToken(text)
  return stored.find((token) => token.hash.equals(hash))
}

function refusalOf(token: StoredToken | undefined, now: Date): AppError | null {
  if (token === undefined || token.revokedAt !== null) return unknownToken()
  if (token.expiresAt !== null && token.expiresAt <= now)
    return fail('token_expired', `This API token expired at ${token.expiresAt.toISOString()}.`)
  return null
}

function mixedWorkspaces(stored: StoredToken[]): AppError | null {
  if (new Set(stored.map((token) => token.workspaceId)).size < 2) return null
  return fail('invalid_api_key', 'X-API-Key and Authorization name different workspaces. Send one of them.')
}

function unknownToken(): AppError {
  return fail('invalid_api_key', 'This API token is unknown or was revoked.')
}

function isStale(token: StoredToken, now: Date): boolean {
  return token.lastUsedAt === null || now.getTime() - token.lastUsedAt.getTime() >= touchIntervalMs
}
