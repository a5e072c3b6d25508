import { i18n } from '@lingui/core'

/** Makes a value for the reader's language once, with its first use: by then the language is known. */
export function inLanguage<T>(make: (locale: string) => T): () => T {
  let made: T | null = null
  return () => (made ??= make(i18n.locale))
}

/** Made once: `toLocaleString` makes one for each number. */
const number = inLanguage((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }))

/** With three decimals at most. */
export function numberText(value: number): string {
  return number().format(value)
}

const list = inLanguage((locale) => new Intl.ListFormat(locale, { type: 'unit' }))

/** Words side by side: "A, B, C". */
export function listed(words: readonly string[]): string {
  return list().format(words)
}

/** From Monday on, which is 1. */
export const weekdayNames = inLanguage((locale) => {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  // The first of January 2024 was a Monday.
  return [1, 2, 3, 4, 5, 6, 7].map((value) => ({ value, name: format.format(Date.UTC(2024, 0, value)) }))
})
