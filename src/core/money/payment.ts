import { z } from 'zod'
import { vatTreatments } from './vat.ts'

/** What a payment was for. */
export const paymentPurposes = ['credit', 'monitor', 'renewal', 'locations'] as const
export type PaymentPurpose = (typeof paymentPurposes)[number]

export const paymentMethods = ['card', 'chain'] as const
export type PaymentMethodName = (typeof paymentMethods)[number]

const creditReasons = ['payment', 'monitor', 'renewal'] as const
export type CreditReason = (typeof creditReasons)[number]

/**
 * A payment as the API shows it. The names of the methods are neutral here; the configuration may give them other names
 * on the wire (docs/configuration.md).
 */
export const paymentSchema = z.strictObject({
  id: z.uuid(),
  method: z.enum(paymentMethods),
  reference: z.string(),
  amount_cents: z.int(),
  currency: z.literal('usd'),
  purpose: z.enum(paymentPurposes),
  net_cents: z.int(),
  vat_cents: z.int(),
  vat_rate: z.string().describe('Percent with two decimals.'),
  vat_treatment: z.enum(vatTreatments),
  livemode: z.boolean(),
  created_at: z.iso.datetime(),
})
export type PaymentRecord = z.infer<typeof paymentSchema>

/** A row of the ledger as the API shows it. */
export const creditTransactionSchema = z.strictObject({
  id: z.uuid(),
  amount_cents: z.int().describe('Below zero for what was spent.'),
  balance_cents: z.int().describe('After this transaction.'),
  reason: z.enum(creditReasons),
  description: z.string().nullable(),
  payment_id: z.uuid().nullable(),
  monitor_id: z.uuid().nullable(),
  inserted_at: z.iso.datetime(),
})
export type CreditTransactionRecord = z.infer<typeof creditTransactionSchema>
