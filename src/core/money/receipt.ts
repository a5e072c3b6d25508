import { z } from 'zod'
import { type BillingDetailsRecord, billingDetailsSchema } from '#core/account.ts'
import { type PaymentRecord, paymentSchema } from './payment.ts'
import { decimal } from './quote.ts'
import { type Vat, type VatSeller, vatTreatments } from './vat.ts'

/** The seller, as receipts show it, and how it declares VAT. */
export type Seller = VatSeller & {
  name: string
  address: string
  /** The number in the register of companies; null where there is none. */
  companyId: string | null
  vatId: string
  /** Euros per dollar on a day, as an accountant wants it; null leaves amounts in euro out. */
  euroRate: EuroRate | null
}

/** `rate` is decimal text, such as 0.8612. */
export type EuroRate = { rate: string; date: string }

const cents = z.int()

/** A receipt never changes once it is issued (docs/decisions/vat-and-receipts.md). */
export const receiptSchema = z.strictObject({
  title: z.enum(['Invoice', 'Receipt']).describe('An invoice where the customer gave a VAT id.'),
  receipt_number: z.string().describe('Without gaps; of test payments a series of its own.'),
  issued_at: z.iso.datetime(),
  payment: paymentSchema.pick({
    id: true,
    method: true,
    reference: true,
    amount_cents: true,
    currency: true,
    created_at: true,
    livemode: true,
  }),
  seller: z.strictObject({
    name: z.string(),
    address: z.string(),
    country: z.string(),
    company_id: z.string().nullable(),
    vat_id: z.string(),
  }),
  customer: billingDetailsSchema,
  lines: z
    .array(z.strictObject({ description: z.string(), quantity: z.int(), unit_gross_cents: cents, gross_cents: cents }))
    .min(1),
  net_cents: cents,
  vat_rate: z.string().describe('Percent with two decimals.'),
  vat_cents: cents,
  gross_cents: cents,
  vat_treatment: z.enum(vatTreatments),
  vat_note: z.string().nullable(),
  vat_eur: z
    .strictObject({ net: z.string(), vat: z.string(), rate: z.string(), rate_date: z.iso.date() })
    .optional()
    .describe('Net and VAT in euro with two decimals; left out where the seller has configured no rate.'),
})
export type Receipt = z.infer<typeof receiptSchema>

export type ReceiptParts = {
  number: number
  payment: PaymentRecord
  /** The text of the only line. */
  description: string
  seller: Seller
  customer: BillingDetailsRecord
  vat: Vat
}

/** The receipt of a payment that arrives now. Later changes of seller, customer or rate do not touch it. */
export function issueReceipt({ number, payment, description, seller, customer, vat }: ReceiptParts): Receipt {
  const { id, method, reference, amount_cents, currency, created_at, livemode } = payment
  const { euroRate } = seller
  return {
    title: customer.billing_vat_id === null ? 'Receipt' : 'Invoice',
    receipt_number: receiptNumber(number, livemode),
    issued_at: created_at,
    payment: { id, method, reference, amount_cents, currency, created_at, livemode },
    seller: {
      name: seller.name,
      address: seller.address,
      country: seller.country,
      company_id: seller.companyId,
      vat_id: seller.vatId,
    },
    customer,
    lines: [{ description, quantity: 1, unit_gross_cents: amount_cents, gross_cents: amount_cents }],
    net_cents: vat.netCents,
    vat_rate: vat.rate,
    vat_cents: vat.vatCents,
    gross_cents: amount_cents,
    vat_treatment: vat.treatment,
    vat_note: vat.note,
    ...(euroRate === null ? {} : { vat_eur: inEuro(vat, euroRate) }),
  }
}

/**
 * Ten digits, as Bulgarian invoices have them. The prefix keeps a document of the sandbox from being taken for an
 * invoice.
 */
function receiptNumber(number: number, livemode: boolean): string {
  return `${livemode ? '' : 'TEST-'}${String(number).padStart(10, '0')}`
}

function inEuro({ netCents, vatCents }: Vat, { rate, date }: EuroRate): NonNullable<Receipt['vat_eur']> {
  return { net: euro(netCents, rate), vat: euro(vatCents, rate), rate, rate_date: date }
}

/** Rounded half up, without floating-point numbers. */
function euro(amountCents: number, rate: string): string {
  const [whole = '', fraction = ''] = rate.split('.')
  const scale = 10n ** BigInt(fraction.length)
  const product = BigInt(amountCents) * BigInt(whole + fraction)
  return decimal(Number((2n * product + scale) / (2n * scale)))
}
