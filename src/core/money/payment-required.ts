import { z } from 'zod'

/** A price as the API shows it. */
export const quoteSchema = z.strictObject({
  billing: z.enum(['plan', 'paid', 'replay']).describe('`replay` when the idempotency key matches an earlier request.'),
  billing_period: z.enum(['monthly', 'lifetime']).nullable(),
  locations: z.array(z.string()),
  price_cents: z.int(),
  credit_cents: z.int().describe('The credit of the workspace.'),
  amount_due_cents: z.int().describe('0 when a plan slot or credit covers the price.'),
})

export type QuoteRecord = z.infer<typeof quoteSchema>

/** The body of a 402: the members of RFC 9457, and those of the Payment scheme (draft-httpauth-payment-00). */
export const paymentRequiredSchema = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  error: z.literal('payment_required'),
  message: z.string(),
  amount_due: z.string().describe('Dollars with two decimals.'),
  currency: z.literal('usd'),
  quote: quoteSchema,
  help: z.string(),
  sandbox: z
    .strictObject({
      message: z.string(),
      payloads: z
        .array(z.strictObject({ payload: z.record(z.string(), z.string()), outcome: z.string() }))
        .describe('What a credential may hold as its `payload`, and what comes of it.'),
    })
    .optional()
    .describe('Present where nothing is charged: with what to pay.'),
})
export type PaymentRequiredRecord = z.infer<typeof paymentRequiredSchema>
