import { randomBytes, randomUUID } from 'node:crypto'
import { fail } from '#core/language/error.ts'
import { apiResource, mcpResource } from '#core/language/well-known.ts'
import {
  type Audience,
  type OauthClient,
  type Scope,
  answerUri,
  isChallenge,
  oauthRules,
  readScopes,
} from '#core/people/oauth.ts'
import type { Person } from '#core/people/person.ts'
import { createTokenText } from '#core/people/token-format.ts'
import { isUuid } from '#core/language/uuid.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { markClaimed } from '#store/people/agent-claims.ts'
import { insertRegistration } from '#store/people/agent-registrations.ts'
import { touchOauthClient } from '#store/people/oauth-clients.ts'
import { insertOauthCode } from '#store/people/oauth-grants.ts'
import { findClient } from './oauth-clients.ts'

/** What a program sends a person's browser with (RFC 6749 4.1.1), as it stands in the address. */
export type AuthorizationRequest = {
  client_id: string
  redirect_uri: string
  response_type?: string | undefined
  scope?: string | undefined
  state?: string | undefined
  code_challenge?: string | undefined
  code_challenge_method?: string | undefined
  resource?: string | undefined
}

/** A request that a person may agree to. */
export type Asked = {
  client: OauthClient
  redirectUri: string
  state: string | undefined
  scopes: readonly Scope[]
  audience: Audience
  challenge: string
}

/**
 * `refused`: the person cannot be sent back, because nothing shows that the address is the program's. `returned`: the
 * person is sent back, and the program is told what was wrong (RFC 6749 4.1.2.1).
 */
export type Judged =
  | { type: 'asked'; asked: Asked; denyUri: string }
  | { type: 'refused'; problem: string }
  | { type: 'returned'; uri: string; problem: string }

type ConsentServices = Pick<Services, 'database' | 'carriers' | 'publicUrl' | 'takesClientDocuments'>

export async function judgeAuthorization(services: ConsentServices, request: AuthorizationRequest): Promise<Judged> {
  const { client_id: clientId, redirect_uri: redirectUri, state } = request
  const found = await findClient(services, { clientId, redirectUri })
  if ('problem' in found) return { type: 'refused', problem: found.problem }
  const iss = services.publicUrl
  const read = readRequest(request, services.publicUrl)
  if ('error' in read) {
    const { error, description } = read
    const uri = answerUri(redirectUri, { error, error_description: description, state, iss })
    return { type: 'returned', uri, problem: description }
  }
  return {
    type: 'asked',
    asked: { client: found.client, redirectUri, state, ...read },
    denyUri: answerUri(redirectUri, { error: 'access_denied', state, iss }),
  }
}

type Readable = Pick<Asked, 'scopes' | 'audience' | 'challenge'>
type Unreadable = { error: string; description: string }

function readRequest(request: AuthorizationRequest, publicUrl: string): Readable | Unreadable {
  const { response_type: type, code_challenge: challenge = '', code_challenge_method: method } = request
  if (type !== 'code') return { error: 'unsupported_response_type', description: 'The response_type must be code.' }
  if (method !== 'S256' || !isChallenge(challenge))
    return { error: 'invalid_request', description: 'A code_challenge with code_challenge_method S256 is required.' }
  const scopes = readScopes(request.scope)
  if (scopes === null) return { error: 'invalid_scope', description: 'The scopes are read and write.' }
  const audience = audienceOf(request.resource, publicUrl)
  if (audience === undefined) return { error: 'invalid_target', description: 'The resource is none of this service.' }
  return { scopes, audience, challenge }
}

/** The part of the service that a resource names (RFC 8707); undefined for what is no part of it. */
export function audienceOf(resource: string | undefined, publicUrl: string): Audience | undefined {
  if (resource === undefined) return null
  const named = resource.replace(/\/$/, '')
  if (named === publicUrl) return null
  if (named === apiResource(publicUrl)) return 'api'
  const mcp = mcpResource(publicUrl)
  return named === mcp || named.startsWith(`${mcp}/`) ? 'mcp' : undefined
}

export type Consent = {
  asked: Asked
  /** No more than was asked for. */
  scopes: readonly Scope[]
  /** What the program may take of the workspace's credit, in cents. */
  budgetCents: number
  person: Person
  workspaceId: string
  now: Date
  /** Called within the transaction. */
  onLetIn: (agent: { id: string; name: string }) => void
}

/** Lets a program into a workspace, and returns the address that takes its code to it. */
export async function letIn(
  { database, publicUrl }: { database: Database; publicUrl: string },
  { asked, onLetIn, ...consent }: Consent,
): Promise<string> {
  const { client, redirectUri, state, audience, challenge } = asked
  const code = createTokenText(randomBytes, 'pgc_')
  const expiresAt = new Date(consent.now.getTime() + oauthRules.codeMs)
  await database.transaction(async (tx) => {
    const redirectHost = new URL(redirectUri).host
    const agent = await connect(tx, { ...consent, client, askedScopes: asked.scopes, redirectHost, expiresAt })
    const hash = hashToken(code)
    await insertOauthCode(tx, { hash, registrationId: agent.id, redirectUri, challenge, audience, expiresAt })
    onLetIn(agent)
  })
  return answerUri(redirectUri, { code, state, iss: publicUrl })
}

export type Connection = Omit<Consent, 'asked' | 'onLetIn'> & {
  client: Pick<OauthClient, 'id' | 'name'>
  askedScopes: readonly Scope[]
  /** Where its code is sent; null where the program asks for its tokens itself. */
  redirectHost: string | null
  /** Until then it has to come for its tokens. */
  expiresAt: Date
}

/** Makes the agent as which a program acts in a workspace, once it has come for its tokens. */
export async function connect(
  tx: Transaction,
  { client, askedScopes, scopes, redirectHost, budgetCents, person, workspaceId, expiresAt, now }: Connection,
): Promise<{ id: string; name: string }> {
  if (scopes.some((scope) => !askedScopes.includes(scope)))
    throw fail('bad_request', 'A program is given no more than it asked for.')
  const id = randomUUID()
  const name = `${client.name} ${id.slice(0, 6)}`
  await insertRegistration(tx, {
    id,
    type: 'authorization_code',
    name,
    workspaceId,
    email: person.email.toLowerCase(),
    identity: null,
    // No claim is open, and this hash is of a text that nothing holds.
    claimHash: hashToken(createTokenText(randomBytes, 'clm_')),
    claimExpiresAt: expiresAt,
    createdAt: now,
    client: { id: client.id, redirectHost },
    scopes,
    budgetCents,
  })
  if (!(await markClaimed(tx, { registrationId: id, personId: person.id, workspaceId, at: now })))
    throw new Error('A registration that was just made was claimed by another.')
  if (isUuid(client.id)) await touchOauthClient(tx, { id: client.id, at: now })
  return { id, name }
}
