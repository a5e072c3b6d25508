import { z } from 'zod'
import { agentScopes, assertionType, registrationIdOf } from '#core/people/agent.ts'
import { fail } from '#core/language/error.ts'
import {
  type AgentCall,
  type RegisteredAgent,
  registerAnonymous,
  registerForPerson,
  registerVouched,
} from '#operations/people/agent-registration.ts'
import type { Assertion } from '#operations/people/agent-assertions.ts'
import type { StartedAttempt } from '#operations/people/claim-start.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { addressesOf } from './addresses.ts'
import type { AgentParts } from './agent-parts.ts'
import { tokenMembers } from './token.ts'
import { agentChallenge, invalidRequest, unstored } from './answers.ts'
import { claimBlock } from './claim-block.ts'
import { isRecentSignIn, maxSignInAgeSeconds, verifyIdJag } from './id-jag.ts'

const bodySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('service_auth'), login_hint: z.string() }),
  z.object({ type: z.literal('identity_assertion'), assertion_type: z.literal(assertionType), assertion: z.string() }),
  z.object({ type: z.literal('anonymous') }),
])

/** POST /agent/identity. Members that it does not know are left alone. */
export async function answerIdentity(parts: AgentParts, body: unknown, call: AgentCall): Promise<Reply> {
  const parsed = bodySchema.safeParse(body)
  if (!parsed.success) throw invalidRequest(problemOf(parsed.error, parts))
  switch (parsed.data.type) {
    case 'service_auth':
      return answerForPerson(parts, parsed.data.login_hint, call)
    case 'identity_assertion':
      return answerVouched(parts, parsed.data.assertion, call)
    case 'anonymous':
      if (!parts.limits.takesAnonymous)
        throw invalidRequest(`Agents cannot get a workspace of their own here. ${typeProblem(parts)}`)
      return answerAnonymous(parts, call)
  }
}

/** An address as it is stored; null when it is none. */
export function readEmail(text: string): string | null {
  return z.email().max(254).safeParse(text.trim()).data?.toLowerCase() ?? null
}

async function answerForPerson(parts: AgentParts, loginHint: string, call: AgentCall): Promise<Reply> {
  const email = readEmail(loginHint)
  if (email === null) throw fail('invalid_login_hint', 'The login_hint is not an email address.')
  const { agent, attempt } = await registerForPerson(parts, email, call)
  return success({ ...newAgent(agent, parts), claim: claimBlock(parts.publicUrl, attempt) })
}

async function answerAnonymous(parts: AgentParts, call: AgentCall): Promise<Reply> {
  const { agent, accessToken, assertion, workspace } = await registerAnonymous(parts, call)
  const { registration_id, registration_type, ...others } = newAgent(agent, parts)
  return success({
    registration_id,
    registration_type,
    ...tokenMembers(accessToken),
    ...assertionMembers(assertion),
    pre_claim_scopes: agentScopes,
    ...others,
    workspace,
  })
}

async function answerVouched(parts: AgentParts, assertion: string, call: AgentCall): Promise<Reply> {
  const vouched = await verifyIdJag(parts, assertion, call.now)
  if (!isRecentSignIn(vouched.authTime, call.now)) return loginRequired()
  const outcome = await registerVouched(parts, vouched, call)
  switch (outcome.type) {
    case 'linked':
      return success({
        registration_id: registrationIdOf(outcome.id),
        registration_type: 'identity_assertion',
        ...assertionMembers(outcome.assertion),
        scopes: agentScopes,
      })
    case 'unconfirmed':
      return interactionRequired(parts, outcome)
  }
}

function success(body: Record<string, unknown>): Reply {
  return { status: 200, body, headers: unstored }
}

/** What every answer to a new registration has. */
function newAgent({ id, type, claimToken, claimExpiresAt }: RegisteredAgent, { publicUrl }: AgentParts) {
  return {
    registration_id: registrationIdOf(id),
    registration_type: type,
    claim_url: addressesOf(publicUrl).claim,
    claim_token: claimToken,
    claim_token_expires: claimExpiresAt.toISOString(),
    post_claim_scopes: agentScopes,
  }
}

function assertionMembers({ text, expiresAt }: Assertion) {
  return { identity_assertion: text, assertion_expires: expiresAt.toISOString() }
}

type Unconfirmed = { agent: RegisteredAgent; attempt: StartedAttempt }

function interactionRequired(parts: AgentParts, { agent, attempt }: Unconfirmed): Reply {
  const error = 'interaction_required'
  const description = 'The person has to confirm this agent once. Show them claim.verification_uri and claim.user_code.'
  const claim = claimBlock(parts.publicUrl, attempt)
  return {
    status: 401,
    body: { error, error_description: description, message: description, ...newAgent(agent, parts), claim },
    headers: { ...unstored, 'WWW-Authenticate': agentChallenge({ error, description }) },
  }
}

function loginRequired(): Reply {
  const error = 'login_required'
  const description = 'The person has to sign in at the provider again. auth_time must be less than an hour ago.'
  const maxAge = maxSignInAgeSeconds
  return {
    status: 401,
    body: { error, error_description: description, message: description, max_age: maxAge },
    headers: { ...unstored, 'WWW-Authenticate': agentChallenge({ error, description, maxAge }) },
  }
}

function typeProblem({ limits: { takesAnonymous } }: AgentParts): string {
  const types = takesAnonymous ? 'service_auth, identity_assertion or anonymous' : 'service_auth or identity_assertion'
  return `The type must be ${types}.`
}

function problemOf({ issues }: z.ZodError, parts: AgentParts): string {
  const [member] = issues[0]?.path ?? []
  if (member === undefined) return 'Send a JSON object with a type.'
  if (member === 'type') return typeProblem(parts)
  if (member === 'assertion_type') return `The assertion_type must be ${assertionType}.`
  return `${String(member)} is missing, or is no text.`
}
