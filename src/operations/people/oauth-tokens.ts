import { createHash, randomBytes } from 'node:crypto'
import { type AppError, fail } from '#core/language/error.ts'
import { type Audience, type Scope, isVerifier, oauthRules, readScopes } from '#core/people/oauth.ts'
import { createTokenText } from '#core/people/token-format.ts'
import { findHeldTokens } from '#operations/pipeline/held-tokens.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { type Registration, lockRegistration, noteAssertion } from '#store/people/agent-registrations.ts'
import { spendClaim } from '#store/people/agent-claims.ts'
import { createAgentToken } from '#store/people/agent-tokens.ts'
import {
  type OauthCode,
  endConnection,
  findRefreshToken,
  insertRefreshToken,
  lockOauthCode,
  useOauthCode,
  useRefreshToken,
} from '#store/people/oauth-grants.ts'
import { audienceOf } from './oauth-consent.ts'

/** What a program is given. */
export type OauthGrant = { accessToken: string; refreshToken: string; scopes: readonly Scope[] }

type TokenServices = { database: Database; publicUrl: string }

export type CodeExchange = {
  code: string
  clientId: string
  redirectUri: string | undefined
  verifier: string
  resource: string | undefined
}

type Outcome = { grant: OauthGrant } | { refusal: AppError }

/**
 * A code brings tokens, once. A second use ends what the first brought (RFC 6749 4.1.2): one of the two was a thief.
 * Throws `invalid_grant` and `invalid_target`.
 */
export async function exchangeCode(
  { database, publicUrl }: TokenServices,
  exchange: CodeExchange,
  now: Date,
): Promise<OauthGrant> {
  const hash = hashToken(exchange.code)
  return outcomeOf(
    await database.transaction(async (tx): Promise<Outcome> => {
      const code = await lockOauthCode(tx, hash)
      if (code === null) return { refusal: endedCode() }
      const registration = await lockRegistration(tx, { id: code.registrationId })
      if (registration === null) return { refusal: endedCode() }
      if (code.usedAt !== null) {
        await endConnection(tx, registration.id)
        return {
          refusal: fail(
            'invalid_grant',
            'The code was used twice, so that its tokens have ended. Ask the person again.',
          ),
        }
      }
      const refusal = refusalOf({ code, registration, exchange, now })
      if (refusal !== null) return { refusal }
      const reach = reachOf(exchange.resource, { audience: code.audience, publicUrl })
      if (reach === undefined) return { refusal: otherTarget() }
      await useOauthCode(tx, hash, now)
      return { grant: await grantFirst(tx, { registration, audience: code.audience, reach, now }) }
    }),
  )
}

type Examined = { code: OauthCode; registration: Registration; exchange: CodeExchange; now: Date }

function refusalOf({ code, registration, exchange, now }: Examined): AppError | null {
  const { clientId, redirectUri, verifier } = exchange
  if (code.expiresAt <= now) return endedCode()
  if (registration.client?.id !== clientId) return fail('invalid_grant', 'The code was given to another client_id.')
  if (redirectUri !== undefined && redirectUri !== code.redirectUri)
    return fail('invalid_grant', 'The redirect_uri is not the one that the code was asked for with.')
  if (!isVerifier(verifier) || challengeOf(verifier) !== code.challenge)
    return fail('invalid_grant', 'The code_verifier does not fit the code_challenge.')
  return null
}

export type Refresh = {
  refreshToken: string
  clientId: string
  scope: string | undefined
  resource: string | undefined
}

/**
 * A refresh token brings an access token and its successor, once. A second use ends the program's access (RFC 9700
 * 4.14.2). Throws `invalid_grant`, `invalid_scope` and `invalid_target`.
 */
export async function refresh(
  { database, publicUrl }: TokenServices,
  { refreshToken, clientId, scope, resource }: Refresh,
  now: Date,
): Promise<OauthGrant> {
  const hash = hashToken(refreshToken)
  return outcomeOf(
    await database.transaction(async (tx): Promise<Outcome> => {
      const found = await findRefreshToken(tx, hash)
      const registration = found === null ? null : await lockRegistration(tx, { id: found.registrationId })
      // Under the lock: another request may have used it meanwhile.
      const token = registration === null ? null : await findRefreshToken(tx, hash)
      if (registration === null || token === null || registration.workspaceId === null)
        return { refusal: endedRefresh() }
      if (registration.client?.id !== clientId)
        return { refusal: fail('invalid_grant', 'The refresh token was given to another client_id.') }
      if (token.usedAt !== null) {
        await endConnection(tx, registration.id)
        return {
          refusal: fail(
            'invalid_grant',
            'The refresh token was used twice, so that all tokens have ended. Ask the person again.',
          ),
        }
      }
      if (token.expiresAt <= now) return { refusal: endedRefresh() }
      const scopes = scope === undefined ? registration.scopes : readScopes(scope)
      if (scopes === null || scopes.some((one) => !registration.scopes.includes(one)))
        return { refusal: fail('invalid_scope', 'The person did not agree to these scopes.') }
      const { audience } = token
      const reach = reachOf(resource, { audience, publicUrl })
      if (reach === undefined) return { refusal: otherTarget() }
      await useRefreshToken(tx, hash, now)
      return { grant: await grant(tx, { registration, audience, reach, scopes, now }) }
    }),
  )
}

/** Ends the access of the program that holds a refresh token; a text that is none counts as ended. */
export async function revokeRefreshToken({ database }: Pick<TokenServices, 'database'>, text: string): Promise<void> {
  await database.transaction(async (tx) => {
    const token = await findRefreshToken(tx, hashToken(text))
    if (token !== null) await endConnection(tx, token.registrationId)
  })
}

/** What is told of a token (RFC 7662 2.2); null where it is none that works in the asking workspace. */
export type Introspected = { scope: Scope; workspaceId: string; name: string; expiresAt: Date | null }

/** `asking` has to be a token that works itself. Throws `invalid_client`. */
export async function introspect(
  { database }: Pick<TokenServices, 'database'>,
  { token, asking }: { token: string; asking: readonly string[] },
  now: Date,
): Promise<Introspected | null> {
  const isLive = ({ isRevoked, expiresAt }: { isRevoked: boolean; expiresAt: Date | null }): boolean =>
    !isRevoked && (expiresAt === null || expiresAt > now)
  const asker = (await findHeldTokens(database, asking)).find(isLive)
  if (asker === undefined)
    throw fail('invalid_client', 'Send an API token of the same workspace in X-API-Key or as Bearer.')
  const held = (await findHeldTokens(database, [token])).find(isLive)
  if (held === undefined || held.caller.workspaceId !== asker.caller.workspaceId) return null
  const { scope, workspaceId, actor } = held.caller
  return { scope, workspaceId, name: actor, expiresAt: held.expiresAt }
}

/** The first tokens of a program, whose registration is under lock. */
export async function grantFirst(
  tx: Transaction,
  { registration, audience, reach = audience, now }: Omit<Granted, 'scopes' | 'reach'> & { reach?: Audience },
): Promise<OauthGrant> {
  if (!(await spendClaim(tx, registration.id, now))) throw new Error('A code under lock was spent by another.')
  return grant(tx, { registration, audience, reach, scopes: registration.scopes, now })
}

type Granted = {
  registration: Registration
  /** What the person agreed to. */
  audience: Audience
  /** What this access token is for: the same, or a part of it. */
  reach: Audience
  scopes: readonly Scope[]
  now: Date
}

async function grant(tx: Transaction, { registration, audience, reach, scopes, now }: Granted): Promise<OauthGrant> {
  const registrationId = registration.id
  const expiresAt = new Date(now.getTime() + oauthRules.refreshMs)
  const refreshToken = createTokenText(randomBytes, 'pgr_')
  await insertRefreshToken(tx, { hash: hashToken(refreshToken), registrationId, audience, createdAt: now, expiresAt })
  // Until then the agent is not forgotten.
  await noteAssertion(tx, { id: registrationId, expiresAt })
  const scope = scopes.includes('write') ? 'write' : 'read'
  const accessToken = await createAgentToken(tx, { registrationId, now, reach: { audience: reach, scope } })
  return { accessToken, refreshToken, scopes }
}

/** What a token is for: a resource that is named, where the person agreed to it. Undefined where not (RFC 8707 2.2). */
function reachOf(
  resource: string | undefined,
  { audience, publicUrl }: { audience: Audience; publicUrl: string },
): Audience | undefined {
  if (resource === undefined) return audience
  const named = audienceOf(resource, publicUrl)
  return named === undefined || audience === null || named === audience ? named : undefined
}

function otherTarget(): AppError {
  return fail('invalid_target', 'The resource is not the one that the person agreed to.')
}

/** RFC 7636 4.6. */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** A refusal is thrown after commit, because what it ended stays ended. */
function outcomeOf(outcome: Outcome): OauthGrant {
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.grant
}

function endedCode(): AppError {
  return fail('invalid_grant', 'The code is unknown or has expired: it works once, for a minute.')
}

function endedRefresh(): AppError {
  return fail('invalid_grant', 'The refresh token is unknown or has ended. Ask the person again.')
}
