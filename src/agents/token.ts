import { accessTokenSeconds, agentScopes, assertionGrant, claimGrant } from '#core/people/agent.ts'
import { pollOutcome, slowedDown } from '#core/people/claim.ts'
import { type AppError, fail } from '#core/language/error.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { findAttempt, notePoll, spendClaim } from '#store/people/agent-claims.ts'
import { type Registration, lockRegistration, noteAssertion } from '#store/people/agent-registrations.ts'
import { createAgentToken } from '#store/people/agent-tokens.ts'
import type { Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { unstored } from './answers.ts'
import type { Sign } from './assertions.ts'
import { required } from './form.ts'
import type { AgentParts } from './agent-parts.ts'

type Parameters = ReadonlyMap<string, string>
type TokenParts = Pick<AgentParts, 'database' | 'assertions'>

/** POST /oauth2/token (RFC 6749 3.2). */
export async function answerToken(parts: TokenParts, parameters: Parameters, now: Date): Promise<Reply> {
  switch (required(parameters, 'grant_type')) {
    case claimGrant:
      return pollClaim(parts, required(parameters, 'claim_token'), now)
    case assertionGrant:
      return exchange(parts, required(parameters, 'assertion'), now)
    default:
      throw fail('unsupported_grant_type', `The grant_type has to be ${assertionGrant} or ${claimGrant}.`)
  }
}

type Polled = { reply: Reply } | { refusal: AppError }

/** The registration is locked, so that of polls at once one takes the success. What a poll changes is kept. */
async function pollClaim({ database, assertions }: TokenParts, claimToken: string, now: Date): Promise<Reply> {
  const sign = await assertions.ready(now)
  const polled = await database.transaction(async (tx): Promise<Polled> => {
    const registration = await lockRegistration(tx, { claimHash: hashToken(claimToken) })
    if (registration === null) return { refusal: expiredToken() }
    const { id: registrationId, pollSeconds } = registration
    const attempt = await findAttempt(tx, { registrationId })
    switch (pollOutcome({ ...registration, attempt }, now)) {
      case 'spent':
        return { refusal: fail('invalid_grant', 'The claim token was used before. Exchange the assertion it brought.') }
      case 'expired':
        return { refusal: expiredToken() }
      case 'success':
        if (!(await spendClaim(tx, registrationId, now))) throw new Error('A claim under lock was spent by another.')
        return { reply: await grant(tx, { registration, sign, now }) }
      case 'slow_down':
        await notePoll(tx, { registrationId, at: now, pollSeconds: slowedDown(pollSeconds) })
        return { refusal: fail('slow_down', `Ask every ${slowedDown(pollSeconds)} seconds, not sooner.`) }
      case 'pending':
        await notePoll(tx, { registrationId, at: now, pollSeconds })
        return { refusal: fail('authorization_pending', 'The person has not confirmed this agent yet. Ask again.') }
    }
  })
  if ('refusal' in polled) throw polled.refusal
  return polled.reply
}

/** An assertion of ours brings an access token and a fresh assertion, as often as it is shown until it ends. */
async function exchange({ database, assertions }: TokenParts, assertion: string, now: Date): Promise<Reply> {
  const claims = await assertions.verify(assertion, now)
  if (claims === null) throw endedAssertion()
  const sign = await assertions.ready(now)
  return database.transaction(async (tx) => {
    const registration = await lockRegistration(tx, { id: claims.registrationId })
    if (registration === null || registration.generation !== claims.generation) throw endedAssertion()
    if (registration.workspaceId === null) throw endedAssertion()
    return grant(tx, { registration, sign, now })
  })
}

type Granted = { registration: Registration; sign: Sign; now: Date }

async function grant(tx: Transaction, { registration, sign, now }: Granted): Promise<Reply> {
  const { text, expiresAt } = await sign(registration, now)
  await noteAssertion(tx, { id: registration.id, expiresAt })
  const body = {
    access_token: await createAgentToken(tx, registration.id, now),
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    scope: agentScopes.join(' '),
    identity_assertion: text,
    assertion_expires: expiresAt.toISOString(),
  }
  return { status: 200, body, headers: unstored }
}

function endedAssertion(): AppError {
  return fail('invalid_grant', 'The assertion has ended, or the agent was disconnected. Register again.')
}

function expiredToken(): AppError {
  return fail('expired_token', 'There is no code that works. Ask the claim endpoint for another one.')
}
