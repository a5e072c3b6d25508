import { memberStates, standardRate } from './vat-rates.ts'

/** How VAT applies to a payment (docs/decisions/vat-and-receipts.md, "When VAT is decided"). */
export const vatTreatments = ['domestic', 'reverse_charge', 'oss', 'outside_scope'] as const
export type VatTreatment = (typeof vatTreatments)[number]

/** What is known about the customer. `vatId` is valid by form and check digits. */
export type VatCustomer = {
  /** ISO 3166-1 alpha-2. */
  country: string | null
  vatId: string | null
  /** What the tax authorities say of the id; null as long as they have not answered. */
  isVatIdConfirmed: boolean | null
}

export type VatSeller = {
  /** A member state of the EU. */
  country: string
  /** Whether the seller declares the VAT of consumers elsewhere in the EU there, through the One Stop Shop. */
  isOssRegistered: boolean
  /** Whether a VAT id counts only when the tax authorities have confirmed it. */
  needsConfirmedVatIds: boolean
}

export type Vat = {
  treatment: VatTreatment
  /** Percent with two decimals. */
  rate: string
  netCents: number
  vatCents: number
  /** An invoice without VAT of the seller's country has to say why; null where it has that VAT. */
  note: string | null
}

/** VAT is part of the amount, and is rounded once, half up (docs/decisions/vat-and-receipts.md). */
export function decideVat(customer: VatCustomer, seller: VatSeller, payment: { amountCents: number; at: Date }): Vat {
  const { treatment, country } = decideTreatment(customer, seller)
  const rate = treatment === 'domestic' || treatment === 'oss' ? rateOf(country, payment.at) : 0
  const vatCents = vatWithin(payment.amountCents, rate)
  return {
    treatment,
    rate: percent(rate),
    netCents: payment.amountCents - vatCents,
    vatCents,
    note: noteOf(treatment, country),
  }
}

/**
 * The ISO code of the country that a VAT id belongs to by its prefix, which is EL for Greece. Null for prefixes from
 * outside the EU; XI, Northern Ireland, is one of them, for services.
 */
export function countryOfVatId(vatId: string): string | null {
  const prefix = vatId.slice(0, 2).toUpperCase()
  const country = prefix === 'EL' ? 'GR' : prefix
  return prefix !== 'GR' && memberStates.has(country) ? country : null
}

/** The member state whose VAT a country shares: Monaco is part of France (Directive 2006/112/EC, Article 7). */
export function vatTerritoryOf(country: string): string {
  return country === 'MC' ? 'FR' : country
}

function decideTreatment(customer: VatCustomer, seller: VatSeller): { treatment: VatTreatment; country: string } {
  const home = { treatment: 'domestic', country: seller.country } as const
  const stated = customer.country ?? (customer.vatId === null ? null : countryOfVatId(customer.vatId))
  if (stated === null) return home
  const country = vatTerritoryOf(stated)
  if (country === seller.country) return home
  if (!memberStates.has(country)) return { treatment: 'outside_scope', country }
  if (isBusiness(customer, country, seller)) return { treatment: 'reverse_charge', country }
  return seller.isOssRegistered ? { treatment: 'oss', country } : home
}

function isBusiness(customer: VatCustomer, country: string, { needsConfirmedVatIds }: VatSeller): boolean {
  if (customer.vatId === null || countryOfVatId(customer.vatId) !== country) return false
  return !needsConfirmedVatIds || customer.isVatIdConfirmed === true
}

function rateOf(country: string, at: Date): number {
  const rate = standardRate(country, at)
  if (rate === null) throw new Error(`There is no rate of VAT for ${country}.`)
  return rate
}

function vatWithin(grossCents: number, rate: number): number {
  const whole = 10_000 + rate
  return Math.floor((2 * grossCents * rate + whole) / (2 * whole))
}

function percent(rate: number): string {
  return `${Math.floor(rate / 100)}.${String(rate % 100).padStart(2, '0')}`
}

function noteOf(treatment: VatTreatment, country: string): string | null {
  switch (treatment) {
    case 'domestic':
      return null
    case 'reverse_charge':
      return 'Reverse charge: the customer accounts for VAT (Article 196 of Directive 2006/112/EC).'
    case 'oss':
      return `VAT of ${country}, declared through the One Stop Shop of the EU.`
    case 'outside_scope':
      return 'Not subject to VAT in the EU: the place of supply is outside (Articles 44 and 58 of Directive 2006/112/EC).'
  }
}
