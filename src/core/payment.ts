import { z } from 'zod'

/** Payment of the specification. The names of the methods are settled in decisions.md A1. */
export const paymentSchema = z.strictObject({
  id: z.uuid(),
  method: z.enum(['card', 'chain']),
  reference: z.string(),
  amount_cents: z.int(),
  currency: z.literal('usd'),
  purpose: z.enum(['credit', 'monitor', 'renewal', 'locations']),
  net_cents: z.int(),
  vat_cents: z.int(),
  vat_rate: z.string().describe('Percent with two decimals.'),
  vat_treatment: z.enum(['domestic', 'reverse_charge', 'oss', 'outside_scope']),
  livemode: z.boolean(),
  created_at: z.iso.datetime(),
})

/** CreditTransaction of the specification. */
export const creditTransactionSchema = z.strictObject({
  id: z.uuid(),
  amount_cents: z.int().describe('Below zero for what was spent.'),
  balance_cents: z.int().describe('After this transaction.'),
  reason: z.enum(['payment', 'monitor', 'renewal']),
  description: z.string().nullable(),
  payment_id: z.uuid().nullable(),
  monitor_id: z.uuid().nullable(),
  inserted_at: z.iso.datetime(),
})
