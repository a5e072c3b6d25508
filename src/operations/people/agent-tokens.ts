import { pollOutcome, slowedDown } from '#core/people/claim.ts'
import { type AppError, fail } from '#core/language/error.ts'
import { isAgentTokenText, isRefreshTokenText } from '#core/people/token-format.ts'
import { findAttempt, notePoll, spendClaim } from '#store/people/agent-claims.ts'
import {
  type Registration,
  lockRegistration,
  noteAssertion,
  raiseGeneration,
} from '#store/people/agent-registrations.ts'
import { createAgentToken, revokeAgentToken, revokeAgentTokens } from '#store/people/agent-tokens.ts'
import type { Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { revokeRefreshToken } from './oauth-tokens.ts'
import type { AgentServices, Assertion, Sign } from './agent-assertions.ts'

type TokenServices = Pick<AgentServices, 'database' | 'assertions'>

/** An access token, and the assertion that brings the next one. */
export type Grant = { accessToken: string; assertion: Assertion }

type Polled = { grant: Grant } | { refusal: AppError }

/**
 * Asks whether the person has confirmed the agent (RFC 8628 3.5). The registration is locked, so that of several polls
 * at once one takes the grant. A refusal is thrown after commit, because what the poll changed is kept.
 */
export async function pollClaim(
  { database, assertions }: TokenServices,
  claimToken: string,
  now: Date,
): Promise<Grant> {
  const sign = await assertions.ready(now)
  const polled = await database.transaction(async (tx): Promise<Polled> => {
    const registration = await lockRegistration(tx, { claimHash: hashToken(claimToken) })
    if (registration === null) return { refusal: expiredToken() }
    const { id: registrationId, pollSeconds } = registration
    const attempt = await findAttempt(tx, { registrationId })
    switch (pollOutcome({ ...registration, attempt }, now)) {
      case 'spent':
        return {
          refusal: fail(
            'invalid_grant',
            'This claim token was already used. Exchange the assertion that you received for it.',
          ),
        }
      case 'expired':
        return { refusal: expiredToken() }
      case 'success':
        if (!(await spendClaim(tx, registrationId, now))) throw new Error('A claim under lock was spent by another.')
        return { grant: await grant(tx, { registration, sign, now }) }
      case 'slow_down':
        await notePoll(tx, { registrationId, at: now, pollSeconds: slowedDown(pollSeconds) })
        return { refusal: fail('slow_down', `Wait at least ${slowedDown(pollSeconds)} seconds between requests.`) }
      case 'pending':
        await notePoll(tx, { registrationId, at: now, pollSeconds })
        return { refusal: fail('authorization_pending', 'The person has not confirmed this agent yet. Ask again.') }
    }
  })
  if ('refusal' in polled) throw polled.refusal
  return polled.grant
}

/** An assertion of ours brings an access token and a fresh assertion, as often as it is shown until it ends. */
export async function exchangeAssertion(
  { database, assertions }: TokenServices,
  assertion: string,
  now: Date,
): Promise<Grant> {
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

/**
 * Ends what its holder shows (RFC 7009): an access token, or with an assertion or a refresh token all that its agent has.
 * A text that is neither is no token of ours, and counts as ended already.
 */
export async function revoke({ database, assertions }: TokenServices, token: string, now: Date): Promise<void> {
  if (isAgentTokenText(token)) return revokeAgentToken(database, token)
  if (isRefreshTokenText(token)) return revokeRefreshToken({ database }, token)
  const claims = await assertions.verify(token, now)
  if (claims === null) return
  await database.transaction(async (tx) => {
    const registration = await lockRegistration(tx, { id: claims.registrationId })
    if (registration === null || registration.generation !== claims.generation) return
    await raiseGeneration(tx, registration.id)
    await revokeAgentTokens(tx, registration.id)
  })
}

type Granted = { registration: Registration; sign: Sign; now: Date }

async function grant(tx: Transaction, { registration, sign, now }: Granted): Promise<Grant> {
  const assertion = await sign(registration, now)
  await noteAssertion(tx, { id: registration.id, expiresAt: assertion.expiresAt })
  return { accessToken: await createAgentToken(tx, { registrationId: registration.id, now }), assertion }
}

function endedAssertion(): AppError {
  return fail('invalid_grant', 'The assertion has expired, or the agent was disconnected. Register again.')
}

function expiredToken(): AppError {
  return fail('expired_token', 'There is no valid code. Ask the claim endpoint for a new one.')
}
