import { z } from 'zod'
import { type Vat, type VatCustomer, type VatSeller, vatTreatments } from './vat.ts'

/** What a plan allows, as the console shows it to owners. */
export const planTermsSchema = z.strictObject({
  minimum_interval_seconds: z.int().describe('Of monitors in a slot of the plan.'),
  usual_interval_seconds: z.int().describe('Of a new monitor in a slot of the plan that says nothing else.'),
  maximum_paid_monitors: z.int(),
  maximum_top_up_cents: z.int(),
  problem_days: z.int().describe('For how long the failures of daily bars are kept.'),
  vulnerability_alerts: z.boolean(),
  private_repositories: z.boolean(),
  contact_kinds: z.array(z.string()).nullable().describe('Null for all of them.'),
})
export type PlanTermsRecord = z.infer<typeof planTermsSchema>

/**
 * `unanswered` and `unknown` occur where the tax authorities are asked: until they confirm a VAT id, it counts for
 * nothing.
 */
const vatIdStates = ['none', 'valid', 'unanswered', 'unknown'] as const
export type VatIdState = (typeof vatIdStates)[number]

/** How VAT would be part of a payment that arrives now. */
export const vatPreviewSchema = z.strictObject({
  amount_cents: z.int(),
  net_cents: z.int(),
  vat_cents: z.int(),
  vat_rate: z.string().describe('Percent with two decimals.'),
  vat_treatment: z.enum(vatTreatments),
  vat_note: z.string().nullable(),
  vat_id_state: z.enum(vatIdStates),
})
export type VatPreviewRecord = z.infer<typeof vatPreviewSchema>

export function vatPreviewOf(amountCents: number, { vat, state }: { vat: Vat; state: VatIdState }): VatPreviewRecord {
  return {
    amount_cents: amountCents,
    net_cents: vat.netCents,
    vat_cents: vat.vatCents,
    vat_rate: vat.rate,
    vat_treatment: vat.treatment,
    vat_note: vat.note,
    vat_id_state: state,
  }
}

/** Where the tax authorities are not asked, a VAT id counts by its form and check digits. */
export function vatIdStateOf(
  { vatId, isVatIdConfirmed }: VatCustomer,
  { needsConfirmedVatIds }: Pick<VatSeller, 'needsConfirmedVatIds'>,
): VatIdState {
  if (vatId === null) return 'none'
  if (!needsConfirmedVatIds || isVatIdConfirmed === true) return 'valid'
  return isVatIdConfirmed === null ? 'unanswered' : 'unknown'
}
