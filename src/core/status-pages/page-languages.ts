// The languages of status pages and of the mails to their subscribers: which there are, and which one a reader gets.
import { kept } from '#core/language/kept.ts'
import { type Translation, createTexts } from '#core/language/texts.ts'
import { type PageTexts, pageTexts } from './page-texts.ts'
import { german } from './texts-de.ts'
import { spanish } from './texts-es.ts'
import { french } from './texts-fr.ts'
import { japanese } from './texts-ja.ts'
import { portuguese } from './texts-pt.ts'

export const pageLanguages = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const
export type PageLanguage = (typeof pageLanguages)[number]

type Language = {
  /** BCP 47 */
  locale: string
  /** What its speakers call it. */
  name: string
  translation: Translation
}

const languages: Readonly<Record<PageLanguage, Language>> = {
  en: { locale: 'en', name: 'English', translation: {} },
  de: { locale: 'de', name: 'Deutsch', translation: german },
  fr: { locale: 'fr', name: 'Français', translation: french },
  es: { locale: 'es', name: 'Español', translation: spanish },
  pt: { locale: 'pt-BR', name: 'Português', translation: portuguese },
  ja: { locale: 'ja', name: '日本語', translation: japanese },
}

export function languageOf(language: PageLanguage): Language {
  return languages[language]
}

/** Null for what is no language of pages. */
export function findPageLanguage(name: string): PageLanguage | null {
  return pageLanguages.find((language) => language === name) ?? null
}

/** The texts of each language, made when it is first asked for. */
export function createPageLanguages(): (language: PageLanguage) => PageTexts {
  return kept((language: PageLanguage) => {
    const { locale, translation } = languages[language]
    return pageTexts(createTexts(locale, translation))
  })
}

/** Browsers name a few languages; what a longer list says beyond these is not read. */
const maxRanges = 20
const maxLetters = 1000

/**
 * The language that an `Accept-Language` header asks for first (RFC 9110 12.5.4), among those that there are. A range
 * such as `de-AT` is content with German. English where it names none of them.
 */
export function preferredLanguage(acceptLanguage: string): PageLanguage {
  const ranges = acceptLanguage.slice(0, maxLetters).split(',', maxRanges).map(readRange)
  const found = ranges
    .flatMap(({ language, weight }) => (language === null || weight === 0 ? [] : [{ language, weight }]))
    .toSorted((one, other) => other.weight - one.weight)
  return found[0]?.language ?? 'en'
}

const rangeForm = /^\s*([a-z]{1,8})(?:-[a-z\d-]{1,80})?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i

function readRange(range: string): { language: PageLanguage | null; weight: number } {
  const [, name = '', weight = '1'] = rangeForm.exec(range) ?? []
  return { language: findPageLanguage(name.toLowerCase()), weight: Math.min(1, Number(weight)) }
}
