import { z } from 'zod'
import type { EuroRate, Seller } from '#core/money/receipt.ts'
import { countryOfVatId } from '#core/money/vat.ts'
import { memberStates } from '#core/money/vat-rates.ts'
import { address, matching, variable } from './config-values.ts'

/** The seller on receipts of test payments, where the operator has named none. No such company exists. */
const exampleSeller = {
  name: 'Example Company Ltd.',
  address: '1 Example Street, 1000 Sofia',
  country: 'BG',
  companyId: '000000000',
  vatId: 'BG000000000',
}

const viesAddress =
  'the http:// or https:// address of VIES, such as https://ec.europa.eu/taxation_customs/vies/rest-api'

/** Who sells and how VAT is declared (docs/decisions/vat-and-receipts.md). */
export const moneyVariables = {
  PERIGEE_SELLER_NAME: matching('1 to 200 characters', /^.{1,200}$/).optional(),
  PERIGEE_SELLER_ADDRESS: matching('1 to 1000 characters', /^[^]{1,1000}$/).optional(),
  PERIGEE_SELLER_COUNTRY: variable('the code of a member state of the EU, such as BG', (text) =>
    memberStates.has(text) ? text : null,
  ).optional(),
  PERIGEE_SELLER_COMPANY_ID: matching('1 to 40 letters, digits and .-/', /^[A-Za-z0-9.\-/ ]{1,40}$/).optional(),
  PERIGEE_SELLER_VAT_ID: matching('a VAT id of the EU such as BG000000000', /^[A-Z]{2}[A-Z0-9+*]{2,13}$/).optional(),
  PERIGEE_SELLER_OSS: z.enum(['true', 'false'], { error: 'true or false' }).default('false'),
  PERIGEE_EURO_RATE: variable('euro for a dollar and its day, such as 0.8612@2026-11-20', euroRate).optional(),
  PERIGEE_VIES_URL: address(viesAddress, ['http', 'https']).optional(),
}

const moneyShape = z.object(moneyVariables)
export type MoneyVariables = z.infer<typeof moneyShape>

export function sellerOf(read: MoneyVariables): Seller {
  const { PERIGEE_SELLER_NAME: name, PERIGEE_SELLER_ADDRESS: place } = read
  const { PERIGEE_SELLER_COUNTRY: country, PERIGEE_SELLER_VAT_ID: vatId } = read
  const isNamed = name !== undefined && place !== undefined && country !== undefined && vatId !== undefined
  const companyId = read.PERIGEE_SELLER_COMPANY_ID ?? null
  return {
    ...(isNamed ? { name, address: place, country, vatId, companyId } : exampleSeller),
    isOssRegistered: read.PERIGEE_SELLER_OSS === 'true',
    needsConfirmedVatIds: read.PERIGEE_VIES_URL !== undefined,
    euroRate: read.PERIGEE_EURO_RATE ?? null,
  }
}

const sellerVariables = [
  'PERIGEE_SELLER_NAME',
  'PERIGEE_SELLER_ADDRESS',
  'PERIGEE_SELLER_COUNTRY',
  'PERIGEE_SELLER_VAT_ID',
] as const

/** A seller is named whole or not at all, and no real money is taken for the example. */
export function moneyContradictions(read: MoneyVariables & { PERIGEE_PAYMENTS: string }): string[] {
  const missing = sellerVariables.filter((name) => read[name] === undefined)
  const all = sellerVariables.join(', ')
  if (missing.length === sellerVariables.length)
    return read.PERIGEE_PAYMENTS === 'live' ? [`PERIGEE_PAYMENTS=live needs the seller for receipts: set ${all}.`] : []
  if (missing.length > 0) return [`${all} must be set together. ${missing.join(', ')} must be set too.`]
  const { PERIGEE_SELLER_COUNTRY: country = '', PERIGEE_SELLER_VAT_ID: vatId = '' } = read
  if (countryOfVatId(vatId) === country) return []
  return [`PERIGEE_SELLER_VAT_ID must belong to PERIGEE_SELLER_COUNTRY, which is ${country}; it is "${vatId}".`]
}

/** Up to six decimals, above 0 and below 1,000. */
function euroRate(text: string): EuroRate | null {
  const [, rate, date] = /^(\d{1,3}(?:\.\d{1,6})?)@(\d{4}-\d{2}-\d{2})$/.exec(text) ?? []
  if (rate === undefined || date === undefined || Number(rate) === 0) return null
  return z.iso.date().safeParse(date).success ? { rate, date } : null
}
