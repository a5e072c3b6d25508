import { claimRules } from '#core/people/claim.ts'
import type { StartedAttempt } from '#operations/people/claim-start.ts'
import { verificationUri } from './addresses.ts'

/**
 * What an agent shows its person, and how it asks for the outcome: the members of the OAuth device flow (RFC 8628 3.2),
 * which agents know already. Both times in seconds.
 */
export type ClaimBlock = { user_code: string; verification_uri: string; expires_in: number; interval: number }

export function claimBlock(publicUrl: string, { token, code }: StartedAttempt): ClaimBlock {
  return {
    user_code: code,
    verification_uri: verificationUri(publicUrl, token),
    expires_in: claimRules.codeMs / 1000,
    interval: claimRules.intervalSeconds,
  }
}
