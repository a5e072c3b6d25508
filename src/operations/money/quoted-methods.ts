import { z } from 'zod'
import type { QuotedMethod, QuoteRecord } from '#core/money/payment-required.ts'
import type { Payments } from '#payments/index.ts'
import type { PaymentMethod } from '#payments/method.ts'
import { x402KindOf } from '#payments/x402.ts'

/** A quote with what each method would charge now, by the same rules as its challenge; as it is where nothing is due. */
export function withPaymentMethods(quote: QuoteRecord, payments: Pick<Payments, 'methods'> | null): QuoteRecord {
  const { amount_due_cents: due } = quote
  if (payments === null || due === 0) return quote
  return { ...quote, payment_methods: payments.methods.flatMap((method) => quotedMethod(method, due) ?? []) }
}

/** Every challenge has both, in the words of its method. */
const requestSchema = z.object({ amount: z.string(), currency: z.string() })

/** Null where the method does not take so much. */
function quotedMethod({ wireName, trial, offer }: PaymentMethod, due: number): QuotedMethod | null {
  const [asked, least] = [due, 1].map((amountCents) => offer({ amountCents, externalId: '', description: '' }))
  if (asked == null || least == null) return null
  const { amount, currency } = requestSchema.parse(asked.request)
  const x402 = x402KindOf(asked.request)
  return {
    method: wireName,
    amount_cents: asked.amountCents,
    minimum_cents: least.amountCents,
    fee_cents: 0,
    stays_as_credit_cents: asked.amountCents - due,
    amount,
    currency,
    ...(trial === undefined ? {} : { sandbox: true }),
    ...(x402 === null ? {} : { x402 }),
  }
}
