import { z } from 'zod'

const quotedMethodSchema = z.strictObject({
  method: z.string().describe('Its name in challenges.'),
  amount_cents: z.int().describe('What is charged now, VAT included.'),
  minimum_cents: z.int().describe('The least that this method charges.'),
  fee_cents: z.int().describe('What the method costs on top: nothing.'),
  stays_as_credit_cents: z.int().describe('What is charged beyond the amount due.'),
  amount: z.string().describe('The same as `amount_cents` in the smallest unit of `currency`, as a challenge has it.'),
  currency: z.string().describe('`usd`, or the address of a token.'),
  sandbox: z.literal(true).optional().describe('Nothing is charged, and test tokens are taken.'),
  x402: z
    .strictObject({ scheme: z.literal('exact'), network: z.string().describe('The chain, as CAIP-2 names it.') })
    .optional()
    .describe('How x402 names it. Only where x402 can pay by the method.'),
})
export type QuotedMethod = z.infer<typeof quotedMethodSchema>

/** A price as the API shows it. */
export const quoteSchema = z.strictObject({
  billing: z.enum(['plan', 'paid', 'replay']).describe('`replay` when the idempotency key matches an earlier request.'),
  billing_period: z.enum(['monthly', 'lifetime']).nullable(),
  locations: z.array(z.string()),
  price_cents: z.int(),
  credit_cents: z.int().describe('The credit of the workspace.'),
  amount_due_cents: z.int().describe('0 when a plan slot or credit covers the price.'),
  payment_methods: z
    .array(quotedMethodSchema)
    .optional()
    .describe('What each method would charge now. In quotes alone, where something is due and payments are taken.'),
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
