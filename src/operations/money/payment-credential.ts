import { createHash } from 'node:crypto'
import { canonicalJson } from '#core/language/canonical-json.ts'
import type { Payments } from '#payments/index.ts'
import type { Credential, Order, PaymentMethod, Verified } from '#payments/method.ts'
import { x402Name } from '#payments/x402.ts'

/** Why a credential is not taken. `type` is the last part of an address below https://paymentauth.org/problems/. */
export type PaymentProblem = { type: ProblemType; message: string }

/**
 * The problems of draft-httpauth-payment-00, and `invalid-payload`, which its best-known implementation (mppx) adds.
 */
export const problemTitles = {
  'payment-required': 'Payment is required',
  'payment-insufficient': 'The payment is too small',
  'payment-expired': 'The challenge has expired',
  'verification-failed': 'The payment was not accepted',
  'malformed-credential': 'The payment credential cannot be read',
  'invalid-challenge': 'The challenge does not fit this request',
  'invalid-payload': 'The payload of the credential is not valid',
  'method-unsupported': 'The payment method is not supported',
} as const
export type ProblemType = keyof typeof problemTitles

/** One request that may be paid for: the same request again has the same hash, any other has another. */
export type Wish = {
  operation: string
  /** Null for a caller without an account. */
  workspaceId: string | null
  target: string | null
  idempotencyKey: string | null
  body: unknown
}

/**
 * A payment is good for the request with this hash and for nothing else (docs/decisions/payments.md, "What a payment is
 * bound to").
 */
export function requestHashOf({ operation, workspaceId, target, idempotencyKey, body }: Wish): Buffer {
  const request = { v: 1, operation, workspace: workspaceId ?? 'none', target, key: idempotencyKey ?? '', body }
  return createHash('sha256').update(canonicalJson(request)).digest()
}

/** The name of a request in challenges. */
export function externalIdOf(wish: Wish): string {
  return requestHashOf(wish).toString('base64url')
}

/**
 * Payments of the same purpose pay for one thing. Callers without an account and without a key cannot be told apart
 * when they send the same body, so each challenge is a purpose of its own (docs/decisions/payments.md, "A repeat of the
 * same request"); otherwise one stranger would be given what another one has paid for.
 */
export function purposeHashOf(wish: Wish, challengeId: string | null): Buffer {
  const requestHash = requestHashOf(wish)
  if (challengeId === null || wish.workspaceId !== null || wish.idempotencyKey !== null) return requestHash
  return createHash('sha256').update(requestHash).update(challengeId).digest()
}

/** SHA-256 of the answer to a challenge. */
export function payloadHashOf({ payload, source }: Credential): Buffer {
  return createHash('sha256')
    .update(canonicalJson({ payload, source: source ?? null }))
    .digest()
}

/**
 * Whether a challenge of ours for this request is still open; the sender of such a credential is about to pay for it.
 */
export function isLive(payments: Payments, { challenge }: Credential, wish: { externalId: string; at: Date }): boolean {
  return (
    payments.mpp.isOurs(challenge) &&
    challenge.request['externalId'] === wish.externalId &&
    Date.parse(challenge.expires) > wish.at.getTime()
  )
}

export type Judged =
  | { ok: true; method: PaymentMethod; credential: Credential; verified: Extract<Verified, { ok: true }> }
  | { ok: false; problem: PaymentProblem }

/** Judges whether a credential pays for an order; moves no money. */
export async function judgePayment(
  payments: Payments,
  credential: Credential,
  { order, at }: { order: Order; at: Date },
): Promise<Judged> {
  const { challenge } = credential
  if (!payments.mpp.isOurs(challenge)) return refused('invalid-challenge', 'This service did not issue the challenge.')
  if (challenge.request['externalId'] !== order.externalId)
    return refused('invalid-challenge', 'The challenge was issued for another request; it pays for that one alone.')
  if (Date.parse(challenge.expires) <= at.getTime())
    return refused('payment-expired', `The challenge expired at ${challenge.expires}. Nothing was charged.`)
  const method = payments.methods.find(({ name, wireName }) =>
    challenge.method === x402Name ? name === 'chain' : wireName === challenge.method,
  )
  if (method === undefined) return refused('method-unsupported', `The method ${challenge.method} is not taken now.`)
  const verified = await method.verify(credential, order)
  if (!verified.ok) return refused(verified.problem, verified.message)
  if (verified.amountCents < order.amountCents)
    return refused('payment-insufficient', 'More is due by now than the challenge asked for. Nothing was charged.')
  return { ok: true, method, credential, verified }
}

function refused(type: ProblemType, message: string): Judged {
  return { ok: false, problem: { type, message } }
}
