// Every surface in every language, as its readers get it: nothing of ours is left in English.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from '@messageformat/parser'
import { type NewsReader, newsMail, subscriptionMail } from '#contacts/mails/status-mails.ts'
import { type PageLanguage, createPageLanguages, languageOf, pageLanguages } from '#core/status-pages/page-languages.ts'
import { statusEventTypes } from '#core/status-pages/status-page.ts'
import { answer } from '#http/contact-pages.ts'
import { serverMessages, textsOf } from '../../test/support/server-messages.ts'
import { newsOf, storyAt, storyOf } from '../../test/support/status-stories.ts'
import { createStatusAssets } from './status-assets.ts'
import { renderBadge, renderPageBadge } from './status-badge.ts'
import { renderDoor, renderNothing, renderNotice } from './status-door.ts'
import { renderAtom, renderRss } from './status-feed.ts'
import type { StatusPlace } from './status-frame.ts'
import { endPage, subscriptionPage } from './status-mail-pages.ts'
import { renderStatusEmbed, renderStatusHistory, renderStatusPage } from './status-page.ts'

const textsIn = createPageLanguages()
const days = storyOf({ isWhole: false })
const whole = storyOf({ isWhole: true })
const url = 'https://perigee.example/status/0'

function placeIn(language: PageLanguage): StatusPlace {
  const assets = createStatusAssets()
  return { base: '/status/0', url, canSubscribe: true, assets, language, i18n: textsIn(language), chosen: null }
}

/** Each surface in one language: its documents, and what of them is read. */
async function surfacesIn(language: PageLanguage): Promise<{ pages: string[]; texts: string[] }> {
  const place = placeIn(language)
  const { i18n } = place
  const history = { head: days, at: storyAt, month: '2026-10-01', first: '2026-09-01', last: '2026-11-01' }
  const past = { incidents: days.ended, announcements: days.announcements, maintenance: days.maintenance }
  const destination = '1@2.3'
  const links = [
    ...(['expired', 'waiting', 'confirmed'] as const).map((state) => subscriptionPage(i18n, { state, destination })),
    ...(['unknown', 'ended'] as const).map((state) => endPage(i18n, { state })),
    endPage(i18n, { state: 'told', destination }),
  ]
  const pages = [
    renderStatusPage(days, place),
    renderStatusPage({ ...whole, layout: 'compact' }, { ...place, canSubscribe: false }),
    renderStatusEmbed(days, place),
    renderStatusHistory({ ...history, ...past }, place),
    renderStatusHistory({ ...history, incidents: [], announcements: [], maintenance: [] }, place),
    renderDoor('auto', place, { is: 'wrong' }),
    renderDoor('auto', place, { is: 'too_often', resetSeconds: 90 }),
    renderNothing(place),
    ...(['asked', 'no_address'] as const).map((is) => renderNotice(days, place, { is })),
    ...(await Promise.all(links.map((each) => answer(i18n, each).text()))),
  ]
  const monitorId = '0'
  const pictures = [
    renderPageBadge(days, i18n),
    renderBadge(days, { monitorId, kind: 'uptime', days: 30 }, i18n) ?? assert.fail(),
    renderBadge(days, { monitorId, kind: 'response', days: 1 }, i18n) ?? assert.fail(),
  ]
  const reader: NewsReader = {
    to: destination,
    subscriberId: '1',
    timeZone: 'UTC',
    readUrl: url,
    publicUrl: url,
    unsubscribeUrl: url,
  }
  const mails = [
    subscriptionMail(i18n, { to: destination, confirmUrl: url, pageUrl: url }),
    ...statusEventTypes.flatMap((type) => newsOf(type)).map((news) => newsMail(i18n, news, reader)),
  ]
  const feeds = [renderAtom(days, place), renderRss(days, place)]
  return {
    pages: [...pages, ...mails.map(({ html }) => html)],
    texts: [
      ...[...pages, ...pictures, ...mails.map(({ html }) => html)].flatMap((markup) => textsOf(markup)),
      ...feeds.flatMap((feed) => textsOf(feed, { isXml: true })),
      ...mails.flatMap(({ subject, text }) => [subject, text]),
    ],
  }
}

/** Names of formats, and addresses. */
const international = /\b(?:Atom|RSS|JSON|Perigee)\b|\S+\/\S+/g

/** Words of English messages that no translation into the language has, by themselves. */
function foreignWords(language: PageLanguage): Set<string> {
  const english = serverMessages(['status-site', 'core', 'contacts']).flatMap(({ message }) => wordsIn(message))
  const own = new Set(Object.values(languageOf(language).translation).flatMap(wordsIn))
  return new Set(english.filter((word) => !own.has(word)))
}

function wordsIn(message: string): string[] {
  return JSON.stringify(parse(message)).match(/\p{Letter}{4,}/gu) ?? []
}

describe('a status page, its feeds, badges and mails', () => {
  for (const language of pageLanguages.filter((each) => each !== 'en'))
    it(`are ${languageOf(language).name} and nothing else`, async () => {
      const { pages, texts } = await surfacesIn(language)
      for (const page of pages) assert.match(page, new RegExp(`<html lang="${languageOf(language).locale}"`))
      const foreign = foreignWords(language)
      assert.ok(foreign.size > 100)
      const read = texts.map((text) => text.replaceAll(international, ''))
      const left = read.flatMap((text) => text.match(/\p{Letter}{4,}/gu) ?? []).filter((word) => foreign.has(word))
      assert.deepEqual(left, [])
      // The texts of a page that nobody translated would be found.
      const english = (await surfacesIn('en')).texts.flatMap((text) => text.match(/\p{Letter}{4,}/gu) ?? [])
      assert.ok(english.filter((word) => foreign.has(word)).length > 500)
    })
})

describe('the languages of a page', () => {
  it('are links with their own names, of which one is the current one', () => {
    const html = renderStatusPage(days, placeIn('de'))
    const links = [...html.matchAll(/<li><a href="([^"]+)" lang="([^"]+)"( aria-current="true")?>([^<]+)/g)]
    assert.deepEqual(
      links.map(([, href, lang, , name]) => `${name} ${lang} ${href}`),
      [
        'English en /status/0?lang=en',
        'Deutsch de /status/0?lang=de',
        'Français fr /status/0?lang=fr',
        'Español es /status/0?lang=es',
        'Português pt-BR /status/0?lang=pt',
        '日本語 ja /status/0?lang=ja',
      ],
    )
    assert.deepEqual(
      links.filter(([, , , current]) => current !== undefined).map(([, , lang]) => lang),
      ['de'],
    )
  })

  it('are kept by every link and form of the page once one was chosen', () => {
    const place: StatusPlace = { ...placeIn('fr'), chosen: 'fr' }
    const history = { head: days, at: storyAt, month: '2026-10-01', first: '2026-09-01', last: '2026-11-01' }
    const past = { incidents: [], announcements: [], maintenance: [] }
    for (const html of [
      renderStatusPage(days, place),
      renderStatusHistory({ ...history, ...past }, place),
      renderDoor('auto', place, null),
      renderNotice(days, place, { is: 'asked' }),
    ]) {
      const own = [...html.matchAll(/(?:href|action)="(\/status\/[^"]+)"/g)].map(([, address = '']) => address)
      assert.ok(own.length > 0)
      for (const address of own) assert.match(address, /[?;]lang=[a-z]{2}$/)
      assert.ok(own.some((address) => address.endsWith('lang=fr')))
    }
    assert.match(
      renderAtom(days, place),
      /rel="self"[^>]* href="https:\/\/perigee\.example\/status\/0\/feed\.atom\?lang=fr"/,
    )
  })

  it('are told to search engines, with the address that has none', () => {
    const html = renderStatusPage(days, placeIn('en'))
    const told = [...html.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)]
    assert.deepEqual(
      told.map(([, language, href]) => `${language} ${href}`),
      [
        ...pageLanguages.map((language) => `${languageOf(language).locale} ${url}?lang=${language}`),
        `x-default ${url}`,
      ],
    )
  })
})
