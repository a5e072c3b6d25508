import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Token, parse } from '@messageformat/parser'
import fc from 'fast-check'
import { serverMessages } from '../../test/support/server-messages.ts'
import { unknownLink } from '#http/contact-pages.ts'
import { busyPage } from '#http/page-admission.ts'
import { createTexts } from '#core/language/texts.ts'
import {
  type PageLanguage,
  createPageLanguages,
  languageOf,
  pageLanguages,
  preferredLanguage,
} from '#core/status-pages/page-languages.ts'
import { daysText, momentText, monthText, spanText } from '#core/status-pages/page-texts.ts'

/** What readers of status pages and their subscribers are told, by the keys of translations. */
const messages = new Map(
  serverMessages(['status-site', 'core', 'contacts']).map(({ message, key }) => [key, message] as const),
)
// These pages of another folder are shown to readers of status pages, too.
for (const page of [unknownLink, busyPage])
  page({
    ...createTexts(),
    _: (message) => {
      messages.set(message, message)
      return message
    },
  })

const translated = pageLanguages.filter((language) => language !== 'en')
const textsIn = createPageLanguages()

function daysAgo(language: PageLanguage, days: number): string {
  return textsIn(language)._('{days, plural, one {# day ago} other {# days ago}}', { days })
}

type Parts = {
  /** Places and tags, each once. */
  places: Set<string>
  /** The forms of each plural. */
  plurals: string[][]
  words: string
}

function partsOf(tokens: readonly Token[]): Parts {
  const parts: Parts = { places: new Set(), plurals: [], words: '' }
  for (const token of tokens)
    switch (token.type) {
      case 'content':
        for (const [tag] of token.value.matchAll(/<\/?\w+\/?>/g)) parts.places.add(tag)
        parts.words += token.value.replaceAll(/<\/?\w+\/?>/g, '')
        break
      case 'argument':
        parts.places.add(token.arg)
        break
      case 'plural': {
        parts.places.add(token.arg)
        parts.plurals.push(token.cases.map(({ key }) => key))
        for (const { places, words } of token.cases.map((each) => partsOf(each.tokens))) {
          for (const place of places) parts.places.add(place)
          parts.words += words
        }
        break
      }
      case 'octothorpe':
        break
      case 'function':
      case 'select':
      case 'selectordinal':
        throw new Error(`Messages of status pages have no {${token.type}}.`)
    }
  return parts
}

describe('a language of status pages', () => {
  for (const language of translated) {
    const { locale, translation } = languageOf(language)
    it(`${language} has every message, and none that there is not`, () => {
      assert.deepEqual(Object.keys(translation).toSorted(), [...messages.keys()].toSorted())
    })

    it(`${language} has the places and tags of each, and all forms of its plurals`, () => {
      const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions()
      for (const [key, message] of messages) {
        const [source, made] = [partsOf(parse(message)), partsOf(parse(translation[key] ?? assert.fail(key)))]
        assert.deepEqual([...made.places].toSorted(), [...source.places].toSorted(), key)
        for (const forms of made.plurals)
          assert.deepEqual(forms.filter((form) => !form.startsWith('=')).toSorted(), pluralCategories.toSorted(), key)
      }
    })

    it(`${language} is no English`, () => {
      const units = /\b(?:ms|min|h|d|JSON|UTC)\b/g
      const left = [...messages].filter(([key, message]) => {
        const words = partsOf(parse(message)).words.replaceAll(units, '')
        return (
          /\p{Letter}/u.test(words) && partsOf(parse(translation[key] ?? '')).words === partsOf(parse(message)).words
        )
      })
      assert.deepEqual(
        left.map(([key]) => key),
        [],
      )
    })
  }

  it('counts as its grammar wants', () => {
    assert.deepEqual([daysAgo('de', 1), daysAgo('de', 2)], ['Vor 1 Tag', 'Vor 2 Tagen'])
    assert.deepEqual([daysAgo('fr', 0), daysAgo('fr', 2)], ['Il y a 0 jour', 'Il y a 2 jours'])
    assert.equal(daysAgo('fr', 1_000_000).replaceAll(/\s/g, ' '), 'Il y a 1 000 000 de jours')
    assert.deepEqual([daysAgo('es', 1), daysAgo('pt', 1), daysAgo('ja', 1)], ['Hace 1 día', 'Há 1 dia', '1日前'])
  })
})

describe('dates, times and numbers of a language', () => {
  const at = new Date('2026-11-21T23:04:00Z')
  const rows = {
    en: ['21 Nov 2026, 23:04 UTC', 'November 2026', '21 to 24 Nov', '30 Oct 2026 to 2 Nov 2026', '99.98 %', '2 d 4 h'],
    de: [
      '21. Nov. 2026, 23:04 UTC',
      'November 2026',
      '21. bis 24. Nov.',
      '30. Okt. 2026 bis 2. Nov. 2026',
      '99,98 %',
      '2 Tage 4 Std.',
    ],
    fr: [
      '21 nov. 2026 à 23:04 UTC',
      'novembre 2026',
      '21 au 24 nov.',
      '30 oct. 2026 au 2 nov. 2026',
      '99,98 %',
      '2 j 4 h',
    ],
    es: [
      '21 nov 2026, 23:04 UTC',
      'noviembre de 2026',
      '21 al 24 nov',
      '30 oct 2026 al 2 nov 2026',
      '99,98 %',
      '2 d 4 h',
    ],
    pt: [
      '21 de nov. de 2026, 23:04 UTC',
      'novembro de 2026',
      '21 a 24 de nov.',
      '30 de out. de 2026 a 2 de nov. de 2026',
      '99,98%',
      '2 d 4 h',
    ],
    ja: [
      '2026年11月21日 23:04 UTC',
      '2026年11月',
      '11月21日～24日',
      '2026年10月30日～2026年11月2日',
      '99.98%',
      '2日4時間',
    ],
  } as const satisfies Record<(typeof pageLanguages)[number], readonly string[]>
  for (const language of pageLanguages)
    it(`${language}: ${rows[language].join(', ')}`, () => {
      const i18n = textsIn(language)
      const shown = [
        momentText(i18n, at),
        monthText(i18n, '2026-11-03'),
        daysText(i18n, { from: '2026-11-21', to: '2026-11-24' }, true),
        daysText(i18n, { from: '2026-10-30', to: '2026-11-02' }, false),
        i18n.percent(99.98),
        spanText(i18n, 52 * 3_600_000),
      ]
      assert.deepEqual(
        shown.map((text) => text.replaceAll('\u00a0', ' ')),
        rows[language],
      )
    })

  it('are in the zone of a reader, on the day that it is there', () => {
    const [german, japanese, english] = [textsIn('de'), textsIn('ja'), textsIn('en')]
    assert.equal(momentText(german, at, 'Europe/Berlin'), '22. Nov. 2026, 00:04 MEZ')
    assert.equal(momentText(german, new Date('2026-07-01T10:00:00Z'), 'Europe/Berlin'), '1. Juli 2026, 12:00 MESZ')
    assert.equal(momentText(japanese, at, 'Asia/Tokyo'), '2026年11月22日 08:04 JST')
    assert.equal(momentText(english, at, 'America/New_York'), '21 Nov 2026, 18:04 EST')
    assert.equal(momentText(english, at, 'Asia/Kathmandu'), '22 Nov 2026, 04:49 GMT+5:45')
  })
})

describe('the language that a browser asks for', () => {
  for (const [header, language] of [
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['de-CH-1996', 'de'],
    ['pt-PT,pt;q=0.9,en;q=0.8', 'pt'],
    ['nl,fr;q=0.5,ja;q=0.7', 'ja'],
    ['en;q=0.5, es ; q=0.9', 'es'],
    ['fr;q=0, es;q=0.1', 'es'],
    ['fr;q=0', 'en'],
    ['fr;q=0.8,es;q=0.8', 'fr'],
    ['zh-Hans-CN, ko', 'en'],
    ['dex', 'en'],
    ['de;q=nonsense,ja;q=0.1', 'ja'],
    ['de;q=9', 'en'],
    [`${'xx,'.repeat(500)}de`, 'en'],
    ['__proto__,constructor,ja;q=0.1', 'ja'],
  ] as const)
    it(`${JSON.stringify(header.slice(0, 40))} is ${language}`, () => assert.equal(preferredLanguage(header), language))

  it('is one that there is, whatever the header says, and quickly', () => {
    const pieces = fc.constantFrom('de', 'ja', '-', ';', 'q=', '0.5', ',', ' ', '*', '1', '.', '\t')
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 400 }), (written) => {
        assert.ok(pageLanguages.includes(preferredLanguage(written.join(''))))
      }),
    )
  })
})
