import { z } from 'zod'
import { claimAttemptIdOf, registrationIdOf } from '#core/people/agent.ts'
import { startClaim } from '#operations/people/claim-start.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import type { AgentParts } from './agent-parts.ts'
import { invalidRequest, unstored } from './answers.ts'
import { claimBlock } from './claim-block.ts'
import { readEmail } from './identity.ts'

/** `login_hint` is what other versions of the profile call the email. */
const bodySchema = z.object({
  claim_token: z.string().min(1).max(200),
  email: z.string().optional(),
  login_hint: z.string().optional(),
})

/** POST /agent/identity/claim. */
export async function answerClaim(parts: AgentParts, body: unknown, now: Date): Promise<Reply> {
  const parsed = bodySchema.safeParse(body)
  if (!parsed.success) throw invalidRequest('Send a JSON object with claim_token and email, both text.')
  const { claim_token: claimToken, email: given = parsed.data.login_hint } = parsed.data
  const email = given === undefined ? null : readEmail(given)
  if (given !== undefined && email === null) throw invalidRequest('The email is not an email address.')
  const { registrationId, attempt } = await startClaim(parts, { claimToken, email, now })
  const answer = {
    registration_id: registrationIdOf(registrationId),
    claim_attempt_id: claimAttemptIdOf(attempt.id),
    status: 'initiated',
    expires_at: attempt.expiresAt.toISOString(),
    claim_attempt: claimBlock(parts.publicUrl, attempt),
  }
  return { status: 200, body: answer, headers: unstored }
}
