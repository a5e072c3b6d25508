/**
 * Limits of the claim ceremony (RFC 8628). A code of six digits can be guessed, so it lives ten minutes and five wrong
 * codes lock its link.
 */
export const claimRules = {
  tokenMs: 7 * 86_400_000,
  codeMs: 600_000,
  maxWrongCodes: 5,
  intervalSeconds: 5,
  slowDownSeconds: 5,
} as const

/** The longest interval that an agent gets for polling too fast. */
const maxIntervalSeconds = 3600
/** The network may shorten by this much an interval that the agent kept. */
const toleranceMs = 500

/** The link and code of a claim that are in use. */
export type Attempt = { expiresAt: Date; wrongCodes: number }

/** How far a registration is on its way to being claimed by a person. */
export type ClaimProgress = {
  claimExpiresAt: Date
  claimedAt: Date | null
  /** When the agent received its success. */
  spentAt: Date | null
  /** Null until the agent has begun the ceremony. */
  attempt: Attempt | null
  polledAt: Date | null
  pollSeconds: number
}

/** `expired`: the agent has to begin the ceremony again. `spent`: the agent has received its answer already. */
export type PollOutcome = 'pending' | 'slow_down' | 'expired' | 'success' | 'spent'

/**
 * The answer to a poll of the token endpoint. After the claim an agent gets its success even when it polls too fast.
 */
export function pollOutcome(progress: ClaimProgress, now: Date): PollOutcome {
  const { claimExpiresAt, claimedAt, spentAt, attempt, polledAt, pollSeconds } = progress
  if (spentAt !== null) return 'spent'
  if (claimExpiresAt <= now) return 'expired'
  if (claimedAt !== null) return 'success'
  if (attempt === null || attemptState(attempt, now) !== 'open') return 'expired'
  return isEarlyPoll({ polledAt, pollSeconds }, now) ? 'slow_down' : 'pending'
}

/** Whether a program asks again before the interval is over that it was told. */
export function isEarlyPoll(
  { polledAt, pollSeconds }: Pick<ClaimProgress, 'polledAt' | 'pollSeconds'>,
  now: Date,
): boolean {
  return polledAt !== null && now.getTime() - polledAt.getTime() < pollSeconds * 1000 - toleranceMs
}

/** The interval after a poll that came too early, for this and all later polls (RFC 8628 3.5). */
export function slowedDown(pollSeconds: number): number {
  return Math.min(maxIntervalSeconds, pollSeconds + claimRules.slowDownSeconds)
}

export function attemptState({ expiresAt, wrongCodes }: Attempt, now: Date): 'open' | 'locked' | 'expired' {
  if (wrongCodes >= claimRules.maxWrongCodes) return 'locked'
  return expiresAt <= now ? 'expired' : 'open'
}

/**
 * The digits of a code, which a person may type with spaces or a dash (RFC 8628 6.1). Null when the text is no code.
 */
export function readUserCode(typed: string): string | null {
  const digits = typed.replaceAll(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : null
}

/** Compares without regard to case, as mail servers do in practice. */
export function isSameEmail(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
