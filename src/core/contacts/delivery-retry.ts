/** Which times apply: `http` for webhooks and chats, `mail` for a queue that a mail server may hold up. */
export type RetrySchedule = 'http' | 'mail'

export type AttemptOutcome = {
  isDelivered: boolean
  /** The destination will never accept again. */
  isGone: boolean
  /** This message will never be accepted there. */
  isPermanent: boolean
  retryAfterSeconds: number | null
}

export type RetryState = {
  schedule: RetrySchedule
  /** The attempt that just ended; the first is 1. */
  attempt: number
  /** Since the alert's occasion. */
  ageMs: number
  /** Since the contact's first failure after its last success; 0 when it works. */
  failingForMs: number
  /** 0 to 1, spreads retries that began together. */
  random: number
}

export type Decision =
  | { type: 'delivered' }
  | { type: 'retry'; delayMs: number; isContactFailing: boolean }
  | { type: 'give_up'; isContactFailing: boolean; disables: 'gone' | 'failing' | null }

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** An older alert is noise (decisions.md B19): no further attempt begins. */
export const alertLifetimeMs = 24 * hour
/** A contact that failed this long is switched off when another alert is given up. */
export const failingLimitMs = 72 * hour
const longestRetryAfterMs = hour
const jitter = 0.2

/** Waits between attempts, decisions.md B19: 7 tries in some 18 hours for http, a day's queue for mail. */
const waitsMs: Readonly<Record<RetrySchedule, readonly number[]>> = {
  http: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour],
  mail: [30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 4 * hour, 4 * hour, 4 * hour],
}

/** What follows an attempt. A mail server that is out of order is no fault of the contact whose mail it holds. */
export function decideRetry(outcome: AttemptOutcome, state: RetryState): Decision {
  if (outcome.isDelivered) return { type: 'delivered' }
  if (outcome.isGone) return { type: 'give_up', isContactFailing: true, disables: 'gone' }
  const isContactFailing = state.schedule === 'http' || outcome.isPermanent
  const delayMs = outcome.isPermanent ? null : delayAfter(outcome, state)
  if (delayMs !== null && state.ageMs + delayMs <= alertLifetimeMs) return { type: 'retry', delayMs, isContactFailing }
  const hasFailedTooLong = isContactFailing && state.failingForMs >= failingLimitMs
  return { type: 'give_up', isContactFailing, disables: hasFailedTooLong ? 'failing' : null }
}

export function isExpired(ageMs: number): boolean {
  return ageMs > alertLifetimeMs
}

/** The schedule's wait, or the longer one the other side asked for, up to an hour. Null when no try is left. */
function delayAfter({ retryAfterSeconds }: AttemptOutcome, { schedule, attempt, random }: RetryState): number | null {
  const waitMs = waitsMs[schedule][attempt - 1]
  if (waitMs === undefined) return null
  const askedMs = Math.min((retryAfterSeconds ?? 0) * second, longestRetryAfterMs)
  return Math.round(Math.max(waitMs, askedMs) * (1 + jitter * random))
}
