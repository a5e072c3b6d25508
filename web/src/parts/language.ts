import { i18n } from '@lingui/core'

/** Makes a value for the reader's language once, with its first use: by then the language is known. */
export function inLanguage<T>(make: (locale: string) => T): () => T {
  let made: T | null = null
  return () => (made ??= make(i18n.locale))
}

const list = inLanguage((locale) => new Intl.ListFormat(locale, { type: 'unit' }))

/** Words side by side: "A, B, C". */
export function listed(words: readonly string[]): string {
  return list().format(words)
}
