// The texts of public status pages, and of the mails to their subscribers, in one language.
import { kept } from './kept.ts'
import { type Token, parse } from '@messageformat/parser'

/**
 * Values for the placeholders of a message. A number chooses among plurals; elsewhere it is written with all its
 * digits.
 */
export type Values = Readonly<Record<string, string | number>>

/**
 * The texts of one language. Code calls a value of this type `i18n` and passes messages as literals, because that is
 * how `npm run texts` finds them.
 */
export type Texts = {
  /** BCP 47 */
  locale: string
  /** Fills in an ICU message. `context` tells apart meanings for which English has one word. */
  _: (message: string, values?: Values, options?: { context: string }) => string
  /** `1,440` */
  count: (number: number) => string
  /** `99.50`, always with two decimals. */
  decimal: (number: number) => string
  /** The month as it stands in a date; January is 0. */
  month: (index: number, length: 'short' | 'long') => string
  /** `Shop, Mail, Search` */
  list: (names: readonly string[]) => string
}

/** Translated messages by the English message, or by `messageKey` where the message has a context. */
export type Translation = Readonly<Record<string, string>>

/** A message that `translation` lacks stays English. Throws when a translation is no ICU message. */
export function createTexts(locale = 'en', translation: Translation = {}): Texts {
  const whole = new Intl.NumberFormat(locale)
  const hundredths = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const language = { plural: new Intl.PluralRules(locale), count: kept((number: number) => whole.format(number)) }
  const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
  const months = { short: monthsOf(locale, 'short'), long: monthsOf(locale, 'long') }
  const fills = new Map(Object.entries(translation).map(([key, text]) => [key, fillOf(parse(text), language)]))
  return {
    locale,
    _: (message, values = {}, options) => {
      const key = options === undefined ? message : messageKey(message, options.context)
      let fill = fills.get(key)
      if (fill === undefined) {
        fill = fillOf(parse(message), language)
        // The map stays small: messages are literals of the code.
        fills.set(key, fill)
      }
      return fill(values, '')
    },
    count: language.count,
    decimal: kept((number: number) => hundredths.format(number)),
    month: (index, length) => months[length][index] ?? '',
    list: (names) => list.format(names),
  }
}

/** The key is formed as gettext joins `msgctxt` and `msgid`. */
export function messageKey(message: string, context: string): string {
  return `${context}\u0004${message}`
}

/** `number` is the text for `#`. */
type Fill = (values: Values, number: string) => string

type Language = { plural: Intl.PluralRules; count: (number: number) => string }

function fillOf(tokens: readonly Token[], language: Language): Fill {
  const pieces = tokens.map((token) => pieceOf(token, language))
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return only
  return (values, number) => {
    let text = ''
    for (const piece of pieces) text += piece(values, number)
    return text
  }
}

function pieceOf(token: Token, language: Language): Fill {
  switch (token.type) {
    case 'content':
      return () => token.value
    case 'octothorpe':
      return (_, number) => number
    case 'argument':
      return argumentOf(token.arg)
    case 'plural':
      return pluralOf(token, language)
    case 'function':
    case 'select':
    case 'selectordinal':
      throw new Error(`Messages of the server have plurals and places alone, not {${token.arg}, ${token.type}}.`)
  }
}

function argumentOf(name: string): Fill {
  return (values) => {
    const value = values[name]
    return typeof value === 'string' ? value : String(value ?? '')
  }
}

function pluralOf({ arg, cases, pluralOffset = 0 }: Extract<Token, { cases: unknown }>, language: Language): Fill {
  const fills = new Map(cases.map(({ key, tokens }) => [key, fillOf(tokens, language)]))
  const other = fills.get('other')
  if (other === undefined) throw new Error(`The plural of {${arg}} has no form for other numbers.`)
  return (values) => {
    const value = Number(values[arg])
    const counted = value - pluralOffset
    const fill = fills.get(`=${value}`) ?? fills.get(language.plural.select(counted)) ?? other
    return fill(values, language.count(counted))
  }
}

/**
 * The month is formatted beside a day or a year, because some languages have another form of it when it stands alone.
 */
function monthsOf(locale: string, month: 'short' | 'long'): string[] {
  const beside = month === 'short' ? ({ day: 'numeric' } as const) : ({ year: 'numeric' } as const)
  const format = new Intl.DateTimeFormat(locale, { ...beside, month, timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, index) => {
    const parts = format.formatToParts(Date.UTC(2026, index, 1))
    return parts.find(({ type }) => type === 'month')?.value ?? ''
  })
}
