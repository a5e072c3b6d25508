import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Token, parse } from '@messageformat/parser'
import { newsMail, subscriptionMail } from '#contacts/mails/status-mails.ts'
import { statusEventTypes } from '#core/status-pages/status-page.ts'
import { wallStates } from '#core/screen-wall.ts'
import { standingOf } from '#core/status-pages/status-standing.ts'
import { type Texts, createTexts, messageKey } from '#core/language/texts.ts'
import { serverMessages, textsOf } from '../../test/support/server-messages.ts'
import { newsOf, pageStates, storyAt, storyOf } from '../../test/support/status-stories.ts'
import { acknowledgePage, tooManyVisits } from '#http/acknowledge-pages.ts'
import { answer, confirmationPage, unsubscriptionPage } from '#http/contact-pages.ts'
import { busyPage } from '#http/page-admission.ts'
import { reportEndPage } from '#http/report-pages.ts'
import { renderScreen } from '#http/overview/screen-page.ts'
import { nothingHere } from '#http/overview/screen-routes.ts'
import type { ShownScreen } from '#operations/overview/screen-visit.ts'
import { createStatusAssets } from './status-assets.ts'
import { badgeKinds, renderBadge, renderPageBadge } from './status-badge.ts'
import { renderDoor, renderNothing, renderNotice } from './status-door.ts'
import { renderAtom, renderRss } from './status-feed.ts'
import type { StatusPlace } from './status-frame.ts'
import { endPage, subscriptionPage } from './status-mail-pages.ts'
import { renderStatusEmbed, renderStatusHistory, renderStatusPage } from './status-page.ts'
import { pageTexts } from '#core/status-pages/page-texts.ts'

/** All messages of the server. */
const messages = serverMessages(['status-site', 'http', 'contacts', 'core'])

/** Without a Latin letter: whatever is shown in one stands in no catalogue. */
const translation = Object.fromEntries(messages.map(({ message, key }) => [key, retell(parse(message))]))

function retell(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      switch (token.type) {
        case 'content':
          return token.value.replaceAll(/<\/?\w+\/?>|\p{Script=Latin}/gu, (part) => (part.length > 1 ? part : 'ж'))
        case 'octothorpe':
          return '#'
        case 'argument':
          return `{${token.arg}}`
        case 'plural': {
          const cases = token.cases.map((each) => `${each.key} {${retell(each.tokens)}}`)
          return `{${token.arg}, plural, few {# ж} many {# ж} ${cases.join(' ')}}`
        }
        case 'function':
        case 'select':
        case 'selectordinal':
          throw new Error(`The server has no {${token.type}}.`)
      }
    })
    .join('')
}

const asked = new Set<string>()
const ukrainian = createTexts('uk', translation)
const i18n = pageTexts({
  ...ukrainian,
  _: (message, values, options) => {
    asked.add(options === undefined ? message : messageKey(message, options.context))
    return ukrainian._(message, values, options)
  },
} satisfies Texts)

const place: StatusPlace = {
  base: '/status/0',
  url: 'https://perigee.example/status/0',
  canSubscribe: true,
  assets: createStatusAssets(),
  i18n,
  language: 'en',
  chosen: null,
}
const address = '1@2.3'
const days = storyOf({ isWhole: false })
const whole = storyOf({ isWhole: true })

/** Names of formats, what is no text of a page, and an example of an address. */
const international = /\b(?:UTC|Atom|RSS|JSON|Perigee|you@example\.com)\b|https?:\/\/\S+/g

function assertTold(texts: readonly string[]): void {
  assert.ok(texts.length > 0)
  for (const text of texts) assert.doesNotMatch(text.replaceAll(international, ''), /\p{Script=Latin}/u)
}

describe('what readers of status pages see in another language', () => {
  for (const [what, model] of [
    ['90 days', days],
    ['the whole history', whole],
  ] as const)
    it(`is the page, with ${what}`, () => {
      const html = renderStatusPage(model, place)
      assert.match(html, /<html lang="uk">/)
      assertTold(textsOf(html))
      assertTold(textsOf(renderStatusPage({ ...model, layout: 'compact' }, { ...place, canSubscribe: false })))
      assertTold(textsOf(renderStatusEmbed(model, place)))
    })

  it('is a page without anything', () => {
    const nothing = { running: [], ended: [], announcements: [], endedAnnouncements: [], maintenance: [], sections: [] }
    assertTold(textsOf(renderStatusPage({ ...days, ...nothing }, place)))
  })

  it('is the history', () => {
    const { running, ended, announcements, maintenance } = days
    const past = { head: days, at: storyAt, month: '2026-10-01', first: '2026-09-01', last: '2026-11-01' }
    for (const month of [
      { incidents: [...running, ...ended], announcements, maintenance },
      { incidents: ended.map((incident) => Object.assign({}, incident, { byHand: true })), announcements, maintenance },
      { incidents: [], announcements: [], maintenance: [] },
    ])
      assertTold(textsOf(renderStatusHistory({ ...past, ...month }, place)))
  })

  it('is how all are, in every mixture of up to four', () => {
    for (const first of pageStates)
      for (const second of pageStates)
        for (const states of [[first], [first, second], [first, second, 'up'], [first, first, second, 'up']] as const)
          assertTold(textsOf(renderPageBadge({ ...days, standing: standingOf(states) }, i18n)))
    assertTold(textsOf(renderPageBadge({ ...days, standing: standingOf([]) }, i18n)))
  })

  it('are badges', () => {
    for (const { id: monitorId } of days.sections.flatMap(({ monitors }) => monitors))
      for (const kind of badgeKinds)
        for (const count of [1, 30]) {
          const badge = renderBadge(days, { monitorId, kind, days: count }, i18n)
          if (badge !== null) assertTold(textsOf(badge))
        }
  })

  it('are feeds, but for the names of the formats', () => {
    for (const model of [days, { ...days, description: 'Усе.' }])
      for (const feed of [renderAtom(model, place), renderRss(model, place)])
        assertTold(textsOf(feed.replaceAll('&lt;br/&gt;', ' '), { isXml: true }))
  })

  it('is what they are told instead of a page', () => {
    const tooOften = { is: 'too_often', resetSeconds: 61 } as const
    assertTold(textsOf(renderNothing(place)))
    for (const problem of [null, { is: 'wrong' }, tooOften] as const)
      assertTold(textsOf(renderDoor('auto', place, problem)))
    for (const notice of [{ is: 'asked' }, { is: 'no_address' }, tooOften] as const)
      assertTold(textsOf(renderNotice(days, place, notice)))
  })

  it('are the pages behind links in mails', async () => {
    const destination = address
    const at = new Date('2026-11-21T10:04:00Z')
    const shown = [
      confirmationPage(i18n, { state: 'unknown' }),
      subscriptionPage(i18n, { state: 'unknown' }),
      ...(['expired', 'waiting', 'confirmed'] as const).flatMap((state) => [
        confirmationPage(i18n, { state, destination }),
        subscriptionPage(i18n, { state, destination }),
      ]),
      reportEndPage(i18n, { state: 'ended' }),
      reportEndPage(i18n, { state: 'sent', report: '1', destination }),
      unsubscriptionPage(i18n, { state: 'unknown' }),
      unsubscriptionPage(i18n, { state: 'ended' }),
      unsubscriptionPage(i18n, { state: 'alerting', destination }),
      acknowledgePage(i18n, { state: 'unknown' }),
      acknowledgePage(i18n, { state: 'expired' }),
      acknowledgePage(i18n, { state: 'open', name: '1', formToken: '2' }),
      acknowledgePage(i18n, { state: 'acknowledged', name: '1', actor: '2', at }),
      acknowledgePage(i18n, { state: 'acknowledged', name: '1', actor: null, at }),
      acknowledgePage(i18n, { state: 'over', name: '1', at }),
      tooManyVisits(i18n),
      busyPage(i18n),
      endPage(i18n, { state: 'unknown' }),
      endPage(i18n, { state: 'ended' }),
      endPage(i18n, { state: 'told', destination }),
    ]
    for (const each of shown) {
      const html = await answer(i18n, each).text()
      assert.match(html, /<html lang="uk">/)
      assertTold(textsOf(html))
    }
  })

  it('are mails to subscribers', () => {
    const url = 'https://perigee.example/'
    const reader = { to: address, subscriberId: '1', timeZone: 'UTC', readUrl: url }
    const mails = [
      subscriptionMail(i18n, { to: address, confirmUrl: url, pageUrl: 'https://1.2/3' }),
      ...statusEventTypes
        .flatMap((type) => newsOf(type))
        .map((news) => newsMail(i18n, news, { ...reader, publicUrl: url, unsubscribeUrl: url })),
    ]
    for (const { subject, text, html } of mails) {
      assert.match(html, /<html lang="uk">/)
      assertTold([subject, text, ...textsOf(html)])
    }
  })

  it('are walls of screens', async () => {
    const counts = wallStates.map((state) => ({ state, count: 2 }))
    const tiles = wallStates.map((state) => ({ name: '1', state }))
    const wall = { tiles, counts, others: counts, all: 12, downSince: storyAt }
    const screen: ShownScreen = { wall, total: 13, quietSince: storyAt, look: 'auto', at: storyAt }
    const walls: ShownScreen[] = [
      screen,
      { ...screen, wall: { ...wall, counts: [{ state: 'down', count: 1 }] } },
      { ...screen, wall: { ...wall, counts: [{ state: 'up', count: 3 }], downSince: null } },
      { ...screen, wall: { ...wall, tiles: [], counts: [], others: [], all: 0, downSince: null } },
    ]
    for (const each of walls) assertTold(textsOf(renderScreen(each, i18n)))
    assertTold(textsOf(await answer(i18n, nothingHere(i18n)).text()))
  })

  it('is all that there is: each text of the server was shown here', () => {
    assert.deepEqual(
      [...new Set(messages.map(({ key }) => key))].filter((key) => !asked.has(key)),
      [],
    )
  })
})
