/** The claim ceremony of agents (specification, Limits; RFC 8628). */
export const claimRules = {
  tokenMs: 7 * 86_400_000,
  codeMs: 600_000,
  maxWrongCodes: 5,
  intervalSeconds: 5,
  slowDownSeconds: 5,
} as const

/** The longest interval that polling too fast leads to. */
const maxIntervalSeconds = 3600
/** What the way of a request may add to or take from the interval that the agent kept. */
const toleranceMs = 500

/** The link and code that may be used. */
export type Attempt = { expiresAt: Date; wrongCodes: number }

/** How far a registration is on its way to a person. */
export type ClaimProgress = {
  claimExpiresAt: Date
  claimedAt: Date | null
  /** When the agent was handed its success. */
  spentAt: Date | null
  /** Null while the agent has not begun. */
  attempt: Attempt | null
  polledAt: Date | null
  pollSeconds: number
}

/** `expired`: the agent has to begin the ceremony again. `spent`: it had its answer. */
export type PollOutcome = 'pending' | 'slow_down' | 'expired' | 'success' | 'spent'

/** What a poll of the token endpoint is answered; whoever was claimed hears it at any pace. */
export function pollOutcome(progress: ClaimProgress, now: Date): PollOutcome {
  const { claimExpiresAt, claimedAt, spentAt, attempt, polledAt, pollSeconds } = progress
  if (spentAt !== null) return 'spent'
  if (claimExpiresAt <= now) return 'expired'
  if (claimedAt !== null) return 'success'
  if (attempt === null || attemptState(attempt, now) !== 'open') return 'expired'
  const isEarly = polledAt !== null && now.getTime() - polledAt.getTime() < pollSeconds * 1000 - toleranceMs
  return isEarly ? 'slow_down' : 'pending'
}

/** The interval after a poll that came too early: for this and all later ones (RFC 8628 3.5). */
export function slowedDown(pollSeconds: number): number {
  return Math.min(maxIntervalSeconds, pollSeconds + claimRules.slowDownSeconds)
}

export function attemptState({ expiresAt, wrongCodes }: Attempt, now: Date): 'open' | 'locked' | 'expired' {
  if (wrongCodes >= claimRules.maxWrongCodes) return 'locked'
  return expiresAt <= now ? 'expired' : 'open'
}

/** The digits of a code as a person may type it: with spaces or a dash (RFC 8628 6.1). Null when it is none. */
export function readUserCode(typed: string): string | null {
  const digits = typed.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : null
}

/** Addresses are compared as mailboxes are in practice: in any case. */
export function isSameEmail(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
