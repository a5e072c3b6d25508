import { type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { PaymentRecord, VatPreviewRecord } from '../api/money.ts'
import { inLanguage, numberText } from './language.ts'

/** What a treatment means for the payer; the sentence that an invoice needs is a text of its own. */
export function vatWords({
  vat_treatment: treatment,
  vat_rate: rate,
}: Pick<VatPreviewRecord, 'vat_treatment' | 'vat_rate'>): string {
  const percent = percentOf(rate)
  switch (treatment) {
    case 'domestic':
      return t`VAT of ${percent}, that of the seller's country, is part of the price.`
    case 'oss':
      return t`VAT of ${percent}, that of your country, is part of the price.`
    case 'reverse_charge':
      return t`Reverse charge: no VAT is charged, and your business accounts for it in its own country.`
    case 'outside_scope':
      return t`No VAT is charged: your country is outside the EU.`
  }
}

/** 20.00 as 20 %. */
export function percentOf(rate: string): string {
  return `${numberText(Number(rate))} %`
}

export const purposeWords: Readonly<Record<PaymentRecord['purpose'], MessageDescriptor>> = {
  credit: msg`Credit`,
  monitor: msg`Monitor`,
  renewal: msg`Renewal`,
  locations: msg`More locations`,
}

export const methodWords: Readonly<Record<PaymentRecord['method'], MessageDescriptor>> = {
  card: msg`Card`,
  chain: msg`Stablecoin`,
}

const regions = inLanguage((locale) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }))

/** The name of a country by its code (ISO 3166-1 alpha-2). */
export function countryName(code: string): string {
  return regions().of(code) ?? code
}
