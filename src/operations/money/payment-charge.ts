import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type AppError, fail } from '#core/language/error.ts'
import type { PaymentPurpose } from '#core/money/payment.ts'
import type { Payments } from '#payments/index.ts'
import { settleAttempt } from '#payments/settle.ts'
import { type NewAttempt, type Rivalry, beginAttempt } from '#store/money/payment-attempt-begin.ts'
import { type PaymentAttempt, holdAttempt, readAttempt } from '#store/money/payment-attempts.ts'
import { type Judged, type PaymentProblem, type Wish, externalIdOf, payloadHashOf } from './payment-credential.ts'

/** What a payment is made for. */
export type Charge = { purposeHash: Buffer; wish: Wish; purpose: PaymentPurpose; description: string; at: Date }

export type Charged =
  /** `isPayer`: this credential was charged, now or before, and not another one for the same request. */
  { type: 'charged'; attempt: PaymentAttempt; isPayer: boolean } | { type: 'refused'; problem: PaymentProblem }

/**
 * A concurrent repeat waits for the attempt instead of beginning one (docs/decisions/payments.md, "The order of
 * paying").
 */
const longestWaitMs = 30_000
const pollMs = 100
/** How long the payer's own request may take from the payment to the work. */
const payersTimeMs = 5_000
const retryAfterSeconds = 5
const maxTries = 4

/**
 * Charges what a credential offers, unless that was done before or another credential was charged for the same request.
 * Throws `unavailable` while a processor does not say whether it charged.
 */
export async function chargeOnce(
  payments: Payments,
  judged: Extract<Judged, { ok: true }>,
  { rivalry, ...charge }: Charge & { rivalry: Rivalry },
): Promise<Charged> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const attempt = attemptOf(judged, charge)
    const begun = await beginAttempt(payments.database, payments.secrets, { ...attempt, rivalry })
    switch (begun.type) {
      case 'begun':
        return outcomeOf(ended(await settleAttempt(payments, begun.attempt)), { isPayer: true })
      case 'same_challenge': {
        const isPayer = begun.attempt.payloadHash.equals(attempt.payloadHash)
        return outcomeOf(await concludeAttempt(payments, begun.attempt), { isPayer })
      }
      case 'same_purpose': {
        const other = await concludeAttempt(payments, begun.attempt)
        if (other.state === 'succeeded') return { type: 'charged', attempt: other, isPayer: false }
        break
      }
      case 'proof_used':
        return refused('This payment was used before; it pays for one request alone. Nothing was charged again.')
    }
  }
  throw stillOpen()
}

/**
 * Waits until an attempt has ended, and asks the processor again where no other process does. Throws `unavailable` when
 * that takes too long.
 */
export async function concludeAttempt(payments: Payments, attempt: PaymentAttempt): Promise<PaymentAttempt> {
  const waitUntil = performance.now() + longestWaitMs
  for (let current = attempt; ; current = await readAttempt(payments.database, attempt.id)) {
    if (current.state !== 'settling') return current
    const held = await holdAttempt(payments.database, { id: attempt.id, at: payments.now() })
    if (held !== null) return ended(await settleAttempt(payments, held))
    if (performance.now() >= waitUntil) throw stillOpen()
    await wait(pollMs)
  }
}

/**
 * Gives the payer's request time to do the work, since only its answer shows what is shown once, such as the first key.
 * A second request for the same goes on when the work is done or that time is over.
 */
export async function leaveToPayer(payments: Payments, attempt: PaymentAttempt): Promise<PaymentAttempt> {
  const waitUntil = performance.now() + payersTimeMs
  for (let current = attempt; ; current = await readAttempt(payments.database, attempt.id)) {
    const { doneAt, endedAt } = current
    const isFresh = endedAt !== null && payments.now().getTime() - endedAt.getTime() < payersTimeMs
    if (doneAt !== null || !isFresh || performance.now() >= waitUntil) return current
    await wait(pollMs)
  }
}

/** A payment without an outcome; a repeat of the request finishes it. */
export function stillOpen(): AppError {
  const message =
    'The payment processor has not said yet whether it charged. Repeat the same request with the same credential: ' +
    'nothing is charged twice.'
  return fail('unavailable', message, { retryAfterSeconds })
}

function attemptOf(
  { method, credential, verified }: Extract<Judged, { ok: true }>,
  { purposeHash, wish, purpose, description, at }: Charge,
): NewAttempt {
  const { id: challengeId, request } = credential.challenge
  return {
    purposeHash,
    challengeId,
    payloadHash: payloadHashOf(credential),
    proofHash: verified.proofHash,
    method: method.name,
    workspaceId: wish.workspaceId ?? randomUUID(),
    isNewWorkspace: wish.workspaceId === null,
    amountCents: verified.amountCents,
    purpose,
    description,
    sealed: { payload: verified.payload, request, externalId: externalIdOf(wish) },
    at,
  }
}

function ended(attempt: PaymentAttempt): PaymentAttempt {
  if (attempt.state === 'settling') throw stillOpen()
  return attempt
}

function outcomeOf(attempt: PaymentAttempt, { isPayer }: { isPayer: boolean }): Charged {
  return attempt.state === 'succeeded'
    ? { type: 'charged', attempt, isPayer }
    : refused(attempt.failure ?? 'The payment was not accepted.')
}

function refused(message: string): Charged {
  return { type: 'refused', problem: { type: 'verification-failed', message } }
}
