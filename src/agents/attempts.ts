import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { claimAttemptIdOf } from '#core/people/agent.ts'
import { claimRules } from '#core/people/claim.ts'
import { createTokenText } from '#core/people/token-format.ts'
import { sealUserCode } from '#operations/people/claim-code.ts'
import { replaceAttempt } from '#store/people/agent-claims.ts'
import type { Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { verificationUri } from './addresses.ts'
import type { AgentParts } from './agent-parts.ts'

/** What an agent shows its user, and how it asks for the outcome (decisions.md A30). */
export type ClaimBlock = { user_code: string; verification_uri: string; expires_in: number; interval: number }

export type StartedAttempt = { id: string; expiresAt: Date; claim: ClaimBlock }

/** A new link and code, which stand nowhere but in the answer. Those before are worth nothing from now on. */
export async function startAttempt(
  tx: Transaction,
  { secrets, publicUrl }: Pick<AgentParts, 'secrets' | 'publicUrl'>,
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
  return {
    id: claimAttemptIdOf(id),
    expiresAt,
    claim: {
      user_code: code,
      verification_uri: verificationUri(publicUrl, token),
      expires_in: claimRules.codeMs / 1000,
      interval: claimRules.intervalSeconds,
    },
  }
}
