import type { ContactTraits } from './contact-kinds.ts'

/** What an attempt came to, as the kind of its contact judges the answer. `error` is a sentence. */
export type Judgement =
  /** `reference`: the provider's id of the message, by which a later one can answer it, where it gives one. */
  | { outcome: 'delivered'; reference?: string }
  /** `afterSeconds`: the wait that the other side asked for, if it asked for one. */
  | { outcome: 'try_again'; error: string; afterSeconds: number | null }
  /** This message will never be accepted there; with `isGone` none ever will, so that the contact is switched off. */
  | { outcome: 'failed'; error: string; isGone: boolean }

export type RetryState = {
  /** Which waits apply: mail has a longer queue, because a mail server may hold it up. */
  via: ContactTraits['via']
  /** Number of the attempt that just ended; the first is 1. */
  attempt: number
  /** Time since the occasion of the alert. */
  ageMs: number
  /** Time since the contact's first failure after its last success; 0 while the contact works. */
  failingForMs: number
  /** 0 to 1. Spreads retries that began together. */
  random: number
}

export type Decision =
  | { type: 'delivered' }
  | { type: 'retry'; delayMs: number; isContactFailing: boolean }
  | { type: 'give_up'; isContactFailing: boolean; disables: 'gone' | 'failing' | null }

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** No attempt begins after this time: an alert that is a day old is noise (docs/decisions/alerts-and-contacts.md). */
export const alertLifetimeMs = 24 * hour
/** A contact that has failed for this long is switched off when another of its alerts is given up. */
const failingLimitMs = 72 * hour
const longestRetryAfterMs = hour
const jitter = 0.2

/**
 * Waits between attempts: seven attempts within some 18 hours for `http`, eleven within a day for `mail`
 * (docs/decisions/alerts-and-contacts.md).
 */
const waitsMs: Readonly<Record<ContactTraits['via'], readonly number[]>> = {
  http: [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour],
  mail: [30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 4 * hour, 4 * hour, 4 * hour],
}

/**
 * Decides what follows an attempt. A mail server that is out of order is no fault of the contact, so its failures do
 * not count against the contact.
 */
export function decideRetry(judgement: Judgement, state: RetryState): Decision {
  switch (judgement.outcome) {
    case 'delivered':
      return { type: 'delivered' }
    case 'failed':
      return judgement.isGone
        ? { type: 'give_up', isContactFailing: true, disables: 'gone' }
        : giveUp(state, { isContactFailing: true })
    case 'try_again': {
      const isContactFailing = state.via === 'http'
      const delayMs = delayAfter(judgement.afterSeconds, state)
      const isInTime = delayMs !== null && state.ageMs + delayMs <= alertLifetimeMs
      return isInTime ? { type: 'retry', delayMs, isContactFailing } : giveUp(state, { isContactFailing })
    }
  }
}

function giveUp({ failingForMs }: RetryState, { isContactFailing }: { isContactFailing: boolean }): Decision {
  const hasFailedTooLong = isContactFailing && failingForMs >= failingLimitMs
  return { type: 'give_up', isContactFailing, disables: hasFailedTooLong ? 'failing' : null }
}

export function isExpired(ageMs: number): boolean {
  return ageMs > alertLifetimeMs
}

/**
 * The wait of the schedule, or the longer one that the destination asked for, up to an hour. Null when no attempt is
 * left.
 */
function delayAfter(askedSeconds: number | null, { via, attempt, random }: RetryState): number | null {
  const waitMs = waitsMs[via][attempt - 1]
  if (waitMs === undefined) return null
  const askedMs = Math.min((askedSeconds ?? 0) * second, longestRetryAfterMs)
  return Math.round(Math.max(waitMs, askedMs) * (1 + jitter * random))
}
