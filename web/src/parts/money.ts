import { t } from '@lingui/core/macro'
import { ApiError } from '../api/ask.ts'
import { inLanguage } from './language.ts'

const format = inLanguage((locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }))

/** Cents as people read them: $12.50, -$0.03. */
export function dollars(cents: number): string {
  return format().format(cents / 100)
}

/** With its sign, as a ledger shows what came and went. */
export function change(cents: number): string {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents)
}

/** Reads an amount in dollars; null where it is no amount of whole cents. */
export function centsOf(text: string): number | null {
  const [, whole, part = ''] = /^\$?\s*(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** What a field has, as `centsOf` reads it. Throws a refusal that is shown at the field. */
export function typedCents(text: string, field: string): number {
  const cents = centsOf(text)
  if (cents !== null) return cents
  const problem = t`Must be an amount in dollars, such as 5 or 12.50.`
  throw new ApiError({ status: 422, code: 'validation_failed', message: problem, fields: { [field]: [problem] } })
}
