import { createHash } from 'node:crypto'
import { z } from 'zod'
import { inTime } from './in-time.ts'
import type { Attempt, ChargeRequest, Credential, Order, PaymentMethod, Settlement, Verified } from './method.ts'
import type { Json } from '#store/database/schema.ts'
import { createStripe, type Stripe, type StripeOptions } from './stripe.ts'

export type CardOptions = StripeOptions & {
  wireName: string
  /** Cards are offered by this name too. */
  secondWireName?: string
  /** The Stripe profile that a payer grants tokens to; `networkId` on the wire. */
  profile: string
}

/**
 * Stripe charges no card less than 0.50 USD or more than 999,999.99 USD (Stripe: Minimum and maximum charge amounts).
 */
const leastCents = 50
const mostCents = 99_999_999

/**
 * Stripe forgets an idempotency key after 24 hours (Stripe: Idempotent requests). Until then asking again is safe;
 * afterwards only a search is.
 */
const keyMs = 23 * 60 * 60_000
/** Stripe's search may lag by an hour. From this age on, a payment that it does not find was never charged. */
const certainMs = 25 * 60 * 60_000
/** A payment may be missing from the search in its first minute. */
const searchableMs = 60_000
const deadlineMs = 19_000

const payloadSchema = z.object({
  spt: z.string().regex(/^spt_[A-Za-z0-9_]{1,250}$/),
  externalId: z.string().optional(),
})
const notesSchema = z.object({ askedAt: z.iso.datetime() })

/** Cards through shared payment tokens of Stripe, which are good for one payment (draft-stripe-charge-00). */
export function createCardMethod(options: CardOptions, now: () => Date): PaymentMethod {
  const stripe = createStripe(options)
  return {
    name: 'card',
    wireName: options.wireName,
    offer: (order) => offer(options, order),
    // oxlint-disable-next-line require-await -- the interface is asynchronous
    verify: async (credential, order) => verify(options, credential, order),
    settle: (attempt, keep) => settle({ stripe, now }, attempt, keep),
  }
}

function offer({ profile }: CardOptions, order: Order): { amountCents: number; request: ChargeRequest } | null {
  const amountCents = Math.max(leastCents, order.amountCents)
  if (amountCents > mostCents) return null
  const methodDetails = { networkId: profile, paymentMethodTypes: ['card'] }
  const request = { amount: String(amountCents), currency: 'usd', externalId: order.externalId, methodDetails }
  return { amountCents, request }
}

function verify({ profile }: CardOptions, { challenge, payload }: Credential, order: Order): Verified {
  const request = requestSchema.safeParse(challenge.request)
  if (!request.success || request.data.externalId !== order.externalId)
    return refused('verification-failed', 'The challenge was made for another request.')
  if (request.data.methodDetails.networkId !== profile)
    return refused('verification-failed', 'The challenge names a profile that is no longer paid to.')
  const parsed = payloadSchema.safeParse(payload)
  if (!parsed.success) return refused('invalid-payload', 'The payload must hold `spt`, a shared payment token.')
  const { spt, externalId = order.externalId } = parsed.data
  if (externalId !== order.externalId)
    return refused('verification-failed', 'The `externalId` of the payload is not that of the challenge.')
  const proofHash = createHash('sha256').update(spt).digest()
  return { ok: true, amountCents: Number(request.data.amount), proofHash, payload: { spt } }
}

const requestSchema = z.object({
  amount: z.string().regex(/^[1-9]\d{0,8}$/),
  currency: z.literal('usd'),
  externalId: z.string(),
  methodDetails: z.object({ networkId: z.string() }),
})

function refused(problem: 'invalid-payload' | 'verification-failed', message: string): Verified {
  return { ok: false, problem, message }
}

type Parts = { stripe: Stripe; now: () => Date }

function settle(parts: Parts, attempt: Attempt, keep: (notes: Json) => Promise<void>): Promise<Settlement> {
  const late: Settlement = { type: 'unknown', reason: `Stripe did not answer within ${deadlineMs} ms` }
  return inTime(deadlineMs, late, async () => {
    try {
      return await ask(parts, attempt, await ageOf(attempt, parts.now(), keep))
    } catch (error) {
      return { type: 'unknown', reason: error instanceof Error ? error.message : String(error) }
    }
  })
}

async function ask({ stripe }: Parts, attempt: Attempt, ageMs: number): Promise<Settlement> {
  const { spt } = payloadSchema.parse(attempt.payload)
  const charged = ageMs < keyMs ? await stripe.charge(attempt, spt) : null
  if (charged !== null && (charged.type !== 'unknown' || ageMs < searchableMs)) return charged
  return (await stripe.find(attempt.id)) ?? forgotten(charged, ageMs)
}

/** Milliseconds since Stripe was first asked; that time is noted before asking. */
async function ageOf({ notes }: Attempt, now: Date, keep: (notes: Json) => Promise<void>): Promise<number> {
  const noted = notesSchema.safeParse(notes)
  if (noted.success) return now.getTime() - Date.parse(noted.data.askedAt)
  await keep({ askedAt: now.toISOString() })
  return 0
}

/** Stripe knows no payment of the attempt. */
function forgotten(charged: Settlement | null, ageMs: number): Settlement {
  if (ageMs >= certainMs) return { type: 'declined', reason: 'The payment was never made.' }
  return charged ?? { type: 'unknown', reason: 'the search of Stripe does not show the payment yet' }
}
