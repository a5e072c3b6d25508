// What a client of x402 v2 does with a 402: it reads the offer, answers it and reads what became of it. Written for tests
// from docs/payments.md, without any code of the service. test/references asks the public client whether both agree.
import { z } from 'zod'

export const offerSchema = z.strictObject({
  x402Version: z.literal(2),
  error: z.string(),
  resource: z.strictObject({ url: z.url(), description: z.string(), mimeType: z.string() }),
  accepts: z.tuple([
    z.strictObject({
      scheme: z.literal('exact'),
      network: z.string(),
      amount: z.string(),
      asset: z.string(),
      payTo: z.string(),
      maxTimeoutSeconds: z.int(),
      extra: z.looseObject({ name: z.string(), version: z.string() }),
    }),
  ]),
  extensions: z.strictObject({}),
})
export type X402Offer = z.infer<typeof offerSchema>

const settlementSchema = z.strictObject({
  success: z.boolean(),
  errorReason: z.string().optional(),
  errorMessage: z.string().optional(),
  transaction: z.string(),
  network: z.string(),
  payer: z.string().optional(),
})
export type X402Settlement = z.infer<typeof settlementSchema>

type Answered = { headers: Headers }

/** What is offered by x402; null where nothing is. */
export function x402OfferIn({ headers }: Answered): X402Offer | null {
  const text = headers.get('payment-required')
  return text === null ? null : offerSchema.parse(decode(text))
}

/** What became of a payment by x402; null where the answer does not say. */
export function x402SettlementIn({ headers }: Answered): X402Settlement | null {
  const text = headers.get('payment-response')
  return text === null ? null : settlementSchema.parse(decode(text))
}

/** The value of `PAYMENT-SIGNATURE` that accepts the offer, changed as told, with a payload. */
export function x402Answer(
  { accepts: [accepted], resource }: X402Offer,
  payload: unknown,
  changes: object = {},
): string {
  const sent = { x402Version: 2, payload, extensions: {}, resource, accepted: { ...accepted, ...changes } }
  return Buffer.from(JSON.stringify(sent)).toString('base64')
}

function decode(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64').toString())
}
