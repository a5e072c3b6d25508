import { createHash, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { agentNameOf, agentScopes, assertionType, registrationIdOf } from '#core/people/agent.ts'
import { fail } from '#core/language/error.ts'
import type { RateState } from '#core/language/rate-limit.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { noteSeen } from '#store/people/agent-claims.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import { findLinkedRegistration, noteAssertion } from '#store/people/agent-registrations.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'
import { addressesOf } from './addresses.ts'
import { agentChallenge, invalidRequest, unstored } from './answers.ts'
import { startAttempt } from './attempts.ts'
import { type Vouched, isRecentSignIn, maxSignInAgeSeconds, verifyIdJag } from './id-jag.ts'
import type { AgentCall, AgentParts } from './agent-parts.ts'
import { register } from './registration.ts'

const bodySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('service_auth'), login_hint: z.string() }),
  z.object({ type: z.literal('identity_assertion'), assertion_type: z.literal(assertionType), assertion: z.string() }),
  z.object({ type: z.literal('anonymous') }),
])

/** POST /agent/identity (specification, Register). Members that it does not know are left alone. */
export async function answerIdentity(parts: AgentParts, body: unknown, call: AgentCall): Promise<Reply> {
  const parsed = bodySchema.safeParse(body)
  if (!parsed.success) throw invalidRequest(problemOf(parsed.error))
  switch (parsed.data.type) {
    case 'service_auth':
      return registerForPerson(parts, parsed.data.login_hint, call)
    case 'identity_assertion':
      return registerVouched(parts, parsed.data.assertion, call)
    case 'anonymous':
      return registerAnonymous(parts, call)
  }
}

/** An address as it is stored; null when it is none. */
export function readEmail(text: string): string | null {
  return z.email().max(254).safeParse(text.trim()).data?.toLowerCase() ?? null
}

/** The agent names a person, who has to agree. */
async function registerForPerson(parts: AgentParts, loginHint: string, { now, address }: AgentCall): Promise<Reply> {
  const email = readEmail(loginHint)
  if (email === null) throw fail('invalid_login_hint', 'The login_hint is not an email address.')
  await assertWithin(parts.limits.countRegistration(address))
  const { claim: claimUrl } = addressesOf(parts.publicUrl)
  const wanted = { type: 'service_auth', workspaceId: null, email, identity: null, providerName: null, now } as const
  const answer = await parts.database.transaction(async (tx) => {
    const { id, members } = await register(tx, wanted, claimUrl)
    const { claim } = await startAttempt(tx, parts, { registrationId: id, email, now })
    return { ...members, claim }
  })
  return { status: 200, body: answer, headers: unstored }
}

/** The agent begins in a workspace of its own, with all it may do there (decisions.md C21). */
async function registerAnonymous(parts: AgentParts, { now, address }: AgentCall): Promise<Reply> {
  await assertWithin(parts.limits.countRegistration(address))
  await assertWithin(parts.limits.countAnonymous(address))
  const { claim: claimUrl } = addressesOf(parts.publicUrl)
  const sign = await parts.assertions.ready(now)
  const id = randomUUID()
  const workspace = { id: randomUUID(), name: agentNameOf(id, null) }
  const wanted = { id, workspaceId: workspace.id, email: null, identity: null, providerName: null, now } as const
  const answer = await parts.database.transaction(async (tx) => {
    await createWorkspace(tx, { ...workspace, plan: 'pay_as_you_go' })
    const { members } = await register(tx, { ...wanted, type: 'anonymous' }, claimUrl)
    await insertAuditEntry(tx, {
      workspaceId: workspace.id,
      at: now,
      actor: { kind: 'agent', id, name: workspace.name },
      action: 'register_agent',
      target: { kind: 'workspace', ...workspace },
      details: {},
    })
    const fresh = { id, type: 'anonymous', email: null, claimedAt: null, generation: 1 } as const
    const { text, expiresAt } = await sign(fresh, now)
    await noteAssertion(tx, { id, expiresAt })
    const { registration_id, registration_type, ...others } = members
    return {
      registration_id,
      registration_type,
      identity_assertion: text,
      assertion_expires: expiresAt.toISOString(),
      pre_claim_scopes: agentScopes,
      ...others,
      workspace,
    }
  })
  return { status: 200, body: answer, headers: unstored }
}

/** A provider vouches for the agent's person; the first time that person has to agree (decisions.md C20). */
async function registerVouched(parts: AgentParts, assertion: string, { now, address }: AgentCall): Promise<Reply> {
  const vouched = await verifyIdJag(parts, assertion, now)
  if (!isRecentSignIn(vouched.authTime, now)) return loginRequired()
  await assertWithin(parts.limits.countRegistration(address))
  const sign = await parts.assertions.ready(now)
  return parts.database.transaction(async (tx) => {
    const { identity, jti, endsAt } = vouched
    const jtiHash = createHash('sha256').update(jti).digest()
    if (!(await noteSeen(tx, { issuer: identity.issuer, jtiHash, expiresAt: endsAt })))
      throw fail('replay_detected', 'This assertion was used before. Get another one.')
    const linked = await findLinkedRegistration(tx, identity)
    if (linked === null) return interactionRequired(parts, vouched, { tx, now })
    const { text, expiresAt } = await sign(linked, now)
    await noteAssertion(tx, { id: linked.id, expiresAt })
    const answer = {
      registration_id: registrationIdOf(linked.id),
      registration_type: 'identity_assertion',
      identity_assertion: text,
      assertion_expires: expiresAt.toISOString(),
      scopes: agentScopes,
    }
    return { status: 200, body: answer, headers: unstored }
  })
}

type Turn = { tx: Parameters<typeof startAttempt>[0]; now: Date }

async function interactionRequired(
  parts: AgentParts,
  { issuer, identity, email }: Vouched,
  { tx, now }: Turn,
): Promise<Reply> {
  const wanted = {
    type: 'identity_assertion',
    workspaceId: null,
    email,
    identity,
    providerName: issuer.name,
    now,
  } as const
  const { id, members } = await register(tx, wanted, addressesOf(parts.publicUrl).claim)
  const { claim } = await startAttempt(tx, parts, { registrationId: id, email, now })
  const error = 'interaction_required'
  const description = 'The person has to confirm this agent once: show them claim.verification_uri and claim.user_code.'
  return {
    status: 401,
    body: { error, error_description: description, message: description, ...members, claim },
    headers: { ...unstored, 'WWW-Authenticate': agentChallenge({ error, description }) },
  }
}

function loginRequired(): Reply {
  const error = 'login_required'
  const description = 'The person has to sign in at the provider again: auth_time has to be less than an hour ago.'
  const maxAge = maxSignInAgeSeconds
  return {
    status: 401,
    body: { error, error_description: description, message: description, max_age: maxAge },
    headers: { ...unstored, 'WWW-Authenticate': agentChallenge({ error, description, maxAge }) },
  }
}

async function assertWithin(counted: Promise<RateState>): Promise<void> {
  const { isExceeded, resetSeconds } = await counted
  if (!isExceeded) return
  const message = `Too many agents register from this address. Try again in ${resetSeconds} s.`
  throw fail('rate_limited', message, { retryAfterSeconds: resetSeconds })
}

function problemOf({ issues }: z.ZodError): string {
  const [member] = issues[0]?.path ?? []
  if (member === undefined) return 'Send a JSON object with a type.'
  if (member === 'type') return 'The type has to be service_auth, identity_assertion or anonymous.'
  if (member === 'assertion_type') return `The assertion_type has to be ${assertionType}.`
  return `${String(member)} is missing, or is no text.`
}
