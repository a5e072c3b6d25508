import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { claimRules } from '#core/people/claim.ts'
import { createTokenText } from '#core/people/token-format.ts'
import { type AppError, fail } from '#core/language/error.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { replaceAttempt } from '#store/people/agent-claims.ts'
import { type Registration, lockRegistration } from '#store/people/agent-registrations.ts'
import type { Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { sealUserCode } from './claim-code.ts'

/** A link and a code for the agent's person. Both stand nowhere but in the answer to the agent. */
export type StartedAttempt = { id: string; token: string; code: string; expiresAt: Date }

type ClaimStart = {
  claimToken: string
  /** In lower case; null where the agent names no person. */
  email: string | null
  now: Date
}

/** Begins the claim of an agent by its person, or begins it again: an earlier link and code end. */
export function startClaim(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  { claimToken, email: named, now }: ClaimStart,
): Promise<{ registrationId: string; attempt: StartedAttempt }> {
  return database.transaction(async (tx) => {
    const registration = await lockRegistration(tx, { claimHash: hashToken(claimToken) })
    if (registration === null) throw unknownToken()
    assertClaimable(registration, now)
    const { id: registrationId } = registration
    const email = boundEmail(registration, named)
    return { registrationId, attempt: await startAttempt(tx, secrets, { registrationId, email, now }) }
  })
}

export async function startAttempt(
  tx: Transaction,
  secrets: Services['secrets'],
  { registrationId, email, now }: { registrationId: string; email: string; now: Date },
): Promise<StartedAttempt> {
  const id = randomUUID()
  const token = createTokenText(randomBytes, 'cat_')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const expiresAt = new Date(now.getTime() + claimRules.codeMs)
  await replaceAttempt(tx, {
    id,
    registrationId,
    tokenHash: hashToken(token),
    codeHash: sealUserCode(secrets, { attemptId: id, code }),
    email,
    createdAt: now,
    expiresAt,
  })
  return { id, token, code, expiresAt }
}

function unknownToken(): AppError {
  return fail('invalid_claim_token', 'This claim token is unknown, or its agent was disconnected. Register again.')
}

function assertClaimable({ claimedAt, spentAt, claimExpiresAt }: Registration, now: Date): void {
  if (claimExpiresAt <= now && spentAt === null)
    throw fail('claim_expired', 'The claim token has expired. Register again.')
  if (claimedAt !== null)
    throw fail('claimed_or_in_flight', 'A person has already confirmed this agent. Ask the token endpoint.')
}

/** An anonymous agent may name another person each time; others keep the person of their registration. */
function boundEmail({ type, email }: Registration, named: string | null): string {
  if (type === 'anonymous') {
    if (named === null) throw fail('invalid_request', 'The email is missing.')
    return named
  }
  if (email === null) throw new Error('A registration that is bound to a person has no email.')
  if (named !== null && named !== email) throw fail('invalid_request', 'This agent registered with another email.')
  return email
}
