import { z } from 'zod'
import { countryCodes } from '#core/language/countries.ts'

/** Billing details as the API shows them. */
export const billingDetailsSchema = z.strictObject({
  billing_name: z.string().nullable(),
  billing_address: z.string().nullable(),
  billing_country: z.string().nullable().describe('ISO 3166-1 alpha-2; decides the VAT treatment.'),
  billing_vat_id: z.string().nullable().describe('EU VAT number with its country prefix.'),
})
export type BillingDetailsRecord = z.infer<typeof billingDetailsSchema>

const country = z.string().refine((code) => countryCodes.has(code), {
  error: 'Must be the two capital letters of a country (ISO 3166-1 alpha-2), such as BG.',
})

/** PUT replaces the billing details as a whole: a field that a request leaves out is cleared. */
export const billingDetailsInputSchema = z.strictObject({
  billing_name: z.string().max(200).nullable().default(null),
  billing_address: z.string().max(1000).nullable().default(null),
  billing_country: country.nullable().default(null).describe('ISO 3166-1 alpha-2.'),
  billing_vat_id: z.string().max(32).nullable().default(null).describe('EU VAT number with its country prefix.'),
})

/** The account of a workspace, as the API shows it. */
export const accountSchema = z.strictObject({
  plan: z.string(),
  plan_monitors: z.strictObject({ limit: z.int(), used: z.int(), free: z.int() }),
  paid_monitors: z.int(),
  credit_cents: z.int(),
  pricing: z.strictObject({
    currency: z.literal('usd'),
    price_per_location_cents: z.int().describe('For 30 days.'),
    lifetime_price_per_location_cents: z.int(),
    renewal_days: z.int(),
    grace_days: z.int(),
    minimum_top_up_cents: z.int(),
    payments_enabled: z.boolean(),
    vat_included: z.boolean(),
  }),
  billing_details: billingDetailsSchema,
})
export type AccountRecord = z.infer<typeof accountSchema>

/** A location as the API shows it. */
export const locationSchema = z.strictObject({
  code: z.string(),
  name: z.string(),
  online: z.boolean().describe('Whether a prober of this location is present.'),
  lost_network_since: z.iso
    .datetime()
    .nullable()
    .describe(
      'Since when the location has had no network of its own, so that its checks tell nothing of their targets; null while it has one.',
    ),
  witness: z
    .int()
    .nullable()
    .describe(
      'Locations with the same number stand on one machine, whose troubles they share, and are one witness. A round fails when as many witnesses agree as `confirmation_threshold` asks for, or all that there are. Null while no prober is present.',
    ),
})
export type LocationRecord = z.infer<typeof locationSchema>
