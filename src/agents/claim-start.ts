import { z } from 'zod'
import { registrationIdOf } from '#core/people/agent.ts'
import { type AppError, fail } from '#core/language/error.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { type Registration, lockRegistration } from '#store/people/agent-registrations.ts'
import { hashToken } from '#store/database/secrets.ts'
import { invalidRequest, unstored } from './answers.ts'
import { startAttempt } from './attempts.ts'
import { readEmail } from './identity.ts'
import type { AgentParts } from './agent-parts.ts'

/** `login_hint` is what other versions of the profile call the email. */
const bodySchema = z.object({
  claim_token: z.string().min(1).max(200),
  email: z.string().optional(),
  login_hint: z.string().optional(),
})

/** POST /agent/identity/claim: begins the ceremony, or begins it again (specification, Claim ceremony 2). */
export async function answerClaim(parts: AgentParts, body: unknown, now: Date): Promise<Reply> {
  const parsed = bodySchema.safeParse(body)
  if (!parsed.success) throw invalidRequest('Send a JSON object with claim_token and email, both text.')
  const { claim_token: token, email = parsed.data.login_hint } = parsed.data
  const named = email === undefined ? null : readEmail(email)
  if (email !== undefined && named === null) throw invalidRequest('The email is not an email address.')
  const answer = await parts.database.transaction(async (tx) => {
    const registration = await lockRegistration(tx, { claimHash: hashToken(token) })
    if (registration === null) throw unknownToken()
    assertClaimable(registration, now)
    const bound = boundEmail(registration, named)
    const { id, expiresAt, claim } = await startAttempt(tx, parts, {
      registrationId: registration.id,
      email: bound,
      now,
    })
    return {
      registration_id: registrationIdOf(registration.id),
      claim_attempt_id: id,
      status: 'initiated',
      expires_at: expiresAt.toISOString(),
      claim_attempt: claim,
    }
  })
  return { status: 200, body: answer, headers: unstored }
}

function unknownToken(): AppError {
  return fail('invalid_claim_token', 'This claim token is unknown, or its agent was disconnected. Register again.')
}

function assertClaimable({ claimedAt, spentAt, claimExpiresAt }: Registration, now: Date): void {
  if (claimExpiresAt <= now && spentAt === null)
    throw fail('claim_expired', 'The claim token has expired. Register again.')
  if (claimedAt !== null)
    throw fail('claimed_or_in_flight', 'A person has confirmed this agent. Ask the token endpoint.')
}

/** Whom an anonymous agent names is its own affair; others are bound to who they named, or were vouched for, at first. */
function boundEmail({ type, email }: Registration, named: string | null): string {
  if (type === 'anonymous') {
    if (named === null) throw invalidRequest('The email is missing.')
    return named
  }
  if (email === null) throw new Error('A registration that is bound to a person names nobody.')
  if (named !== null && named !== email)
    throw invalidRequest('The email is not the one that this agent registered with.')
  return email
}
