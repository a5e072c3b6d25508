import { type AppError, fail } from '#core/language/error.ts'
import type { Audience } from '#core/people/oauth.ts'
import { scopeOf } from '#core/people/person.ts'
import type { Database } from '#store/database/database.ts'
import { readRole } from '#store/people/members.ts'
import { isClosedTo } from '#store/people/provider-subjects.ts'
import { hashToken } from '#store/database/secrets.ts'
import { type HeldToken, findHeldTokens } from './held-tokens.ts'
import { isUuid } from '#core/language/uuid.ts'
import type { Limits } from './limits.ts'
import type { Caller, PersonCaller } from './operation.ts'
import type { ReadSession, Session, SessionCredential } from './session-credential.ts'

/**
 * `tokens` are in the order in which they count: X-API-Key before Bearer, because `Authorization` of a paid request
 * holds the payment (docs/decisions/api-surface.md, "Callers without a credential").
 */
export type Credentials = {
  tokens: readonly string[]
  /**
   * Whether the request carries any credential, well-formed or not. Such a caller is never treated as one without an
   * account: an expired token would otherwise be asked to pay for what it already has.
   */
  isNamed: boolean
  /** The session of a browser; ignored when there is a token. */
  session: SessionCredential | null
  address: string
  /** The part of the service that is asked; a token may be for another part alone (RFC 8707). */
  audience: Exclude<Audience, null>
}

export type Authenticate = (credentials: Credentials, now: Date) => Promise<Caller>

/** Authenticates a person who acts in no workspace. */
export type AuthenticatePerson = (credentials: Credentials) => Promise<PersonCaller>

export type AuthenticateOptions = {
  database: Database
  limits: Limits
  readSession: ReadSession
  /** Gets the error when the time of a token's last use could not be written; no request waits for that. */
  onTouchFailure: (error: unknown) => void
}

/** Reads tokens, sessions and roles at every request, so that a revocation works at once. */
export function createAuthenticate({
  database,
  limits,
  readSession,
  onTouchFailure,
}: AuthenticateOptions): Authenticate {
  return async ({ tokens, session, address, audience }, now) => {
    const [text] = tokens
    if (text === undefined && session !== null) return memberOf(database, await signedIn(session, readSession), session)
    if (text === undefined) throw await refuse(noToken(), address)
    const held = await findHeldTokens(database, tokens)
    const token = matching(held, text)
    const refusal = refusalOf(token, { now, audience }) ?? mixedWorkspaces(held)
    if (token === undefined || refusal !== null) throw await refuse(refusal ?? unknownToken(), address)
    if (isStale(token, now)) token.touch(now).catch(onTouchFailure)
    return token.caller
  }

  /**
   * Past the limit bad and missing credentials are answered 429. A good token never comes here, so strangers behind the
   * same proxy cannot lock it out.
   */
  async function refuse(refusal: AppError, address: string): Promise<AppError> {
    const rate = await limits.countFailure(address)
    if (!rate.isExceeded) return refusal
    return fail('rate_limited', `Too many failed sign-ins. Try again in ${rate.resetSeconds} s.`, {
      retryAfterSeconds: rate.resetSeconds,
    })
  }
}

export function createAuthenticatePerson({
  readSession,
}: Pick<AuthenticateOptions, 'readSession'>): AuthenticatePerson {
  return async ({ tokens, session }) => {
    if (tokens.length > 0) throw consoleOnly()
    if (session === null) throw fail('not_signed_in', 'You are not signed in, or X-Perigee-Workspace was not sent.')
    const { id, person } = await signedIn(session, readSession)
    return { person, sessionId: id, tokenId: id }
  }
}

export function consoleOnly(): AppError {
  return fail(
    'session_required',
    'This operation is for people who are signed in to the console. It does not accept tokens.',
  )
}

/** Any site can have its visitors' browsers send their cookies here; only our own pages are listened to. */
async function signedIn(credential: SessionCredential, readSession: ReadSession): Promise<Session> {
  if (!credential.isOwnOrigin)
    throw fail('forbidden_origin', 'Sessions are only accepted on requests from the console itself.')
  const session = await readSession(credential.headers)
  if (session === null) throw fail('not_signed_in', 'You are not signed in, or your session has ended.')
  return session
}

async function memberOf(
  database: Database,
  { id, person }: Session,
  { workspace }: SessionCredential,
): Promise<Caller> {
  const workspaceId = workspace.toLowerCase()
  const role = isUuid(workspaceId) ? await readRole(database, { workspaceId, personId: person.id }) : null
  if (role === null) throw fail('not_a_member', 'You are not a member of the workspace that X-Perigee-Workspace names.')
  if (role !== 'owner' && (await isClosedTo(database, { workspaceId, sessionId: id })))
    throw fail('provider_required', 'This workspace asks its members to sign in by its single sign-on.')
  return {
    workspaceId,
    scope: scopeOf(role),
    tokenId: id,
    actor: person.name,
    actorKind: 'person',
    actorId: person.id,
    person,
    role,
  }
}

const touchIntervalMs = 60_000

function matching(held: HeldToken[], text: string): HeldToken | undefined {
  const hash = hashToken(text)
  return held.find((token) => token.hash.equals(hash))
}

function refusalOf(
  token: HeldToken | undefined,
  { now, audience }: { now: Date; audience: Audience },
): AppError | null {
  if (token === undefined || token.isRevoked) return unknownToken()
  if (token.audience !== null && token.audience !== audience)
    return fail('invalid_api_key', `This token is for ${token.audience === 'mcp' ? '/mcp' : '/api/v1'} alone.`)
  if (token.expiresAt !== null && token.expiresAt <= now)
    return fail('token_expired', `This token expired at ${token.expiresAt.toISOString()}.`)
  return null
}

function mixedWorkspaces(held: HeldToken[]): AppError | null {
  if (new Set(held.map(({ caller }) => caller.workspaceId)).size < 2) return null
  return fail('invalid_api_key', 'X-API-Key and Authorization belong to different workspaces. Send only one of them.')
}

function noToken(): AppError {
  return fail('missing_api_key', 'Send an API token in the header X-API-Key or as a Bearer token.')
}

function unknownToken(): AppError {
  return fail('invalid_api_key', 'This token is unknown or was revoked.')
}

function isStale(token: HeldToken, now: Date): boolean {
  return token.lastUsedAt === null || now.getTime() - token.lastUsedAt.getTime() >= touchIntervalMs
}
