import { i18n, type Messages } from '@lingui/core'

/** The translations that exist, by language: each is a file of its own, loaded by readers of that language. */
const translations = import.meta.glob<{ messages: Messages }>(['../texts/*.po', '!../texts/en.po'])
const english = 'en'

/**
 * Takes the first language that the reader wants and that there is; English stands in the code and in what has no
 * translation. Called once, before anything is shown.
 */
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  const language = wanted.map(baseOf).find((name) => name === english || pathOf(name) in translations) ?? english
  const read = translations[pathOf(language)]
  i18n.loadAndActivate({ locale: language, messages: read === undefined ? {} : (await read()).messages })
  document.documentElement.lang = language
}

function baseOf(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? ''
}

function pathOf(language: string): string {
  return `../texts/${language}.po`
}
