import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { statusMessageSchema, statusMessageTypes } from '#core/status-pages/status-message.ts'
import { statusEventTypes } from '#core/status-pages/status-page.ts'
import { pageTexts } from '#core/status-pages/page-texts.ts'
import { createTexts } from '#core/language/texts.ts'
import { newsMail, newsWebhook, type StatusNews } from './status-mails.ts'

const at = new Date('2026-11-21T10:00:00Z')
const news: Omit<StatusNews, 'type'> = {
  eventId: randomUUID(),
  at,
  page: { id: randomUUID(), title: 'Acme', url: 'https://perigee.example/status/acme' },
  logo: null,
  incident: { id: randomUUID(), name: 'Shop', startedAt: at, resolvedAt: null },
  post: { id: randomUUID(), state: null, title: 'Move', body: 'We move.', postedAt: at },
  maintenance: {
    id: randomUUID(),
    title: 'Upgrade',
    description: '',
    monitors: ['Shop'],
    startsAt: at,
    endsAt: new Date('2026-11-21T12:00:00Z'),
  },
}
const to = { destination: 'https://a.example/', signingSecrets: [], sentAt: at }

describe('news of a status page for a webhook', () => {
  it('are of the types that the document of the API names, and as it says', () => {
    const told = statusEventTypes.map((type) => statusMessageSchema.parse(bodyOf({ ...news, type })).type)
    assert.deepEqual(told.toSorted(), statusMessageTypes.toSorted())
    statusMessageSchema.parse(bodyOf({ ...news, type: 'post', incident: null, post: null, maintenance: null }))
  })
})

describe('news of a status page by mail', () => {
  it('have the logo of the page, as large as a mail has room for', () => {
    const logo = { url: 'https://perigee.example/status/acme/images/a.png', width: 800, height: 400, alt: '"Acme"' }
    const of = {
      to: 'a@b.example',
      subscriberId: '1',
      timeZone: 'UTC',
      readUrl: 'https://perigee.example/status/acme?lang=de',
      publicUrl: 'https://perigee.example',
      unsubscribeUrl: 'https://c/',
    }
    const html = (with_: StatusNews['logo']) =>
      newsMail(pageTexts(createTexts()), { ...news, type: 'post', logo: with_ }, of).html
    assert.ok(html(logo).includes(`<img src="${logo.url}" alt="&quot;Acme&quot;" width="96" height="48"`))
    assert.ok(html({ ...logo, width: 20, height: 16 }).includes('width="20" height="16"'))
    assert.ok(!html(null).includes('<img'))
    assert.ok(!JSON.stringify(bodyOf({ ...news, type: 'post', logo })).includes('images/a.png'))
  })
})

function bodyOf(of: StatusNews): unknown {
  return JSON.parse(newsWebhook(of, to).body)
}

describe('the mail of news', () => {
  const reader = {
    to: 'a@b.example',
    subscriberId: '1',
    timeZone: 'UTC',
    readUrl: 'https://perigee.example/status/acme',
    publicUrl: 'https://perigee.example',
    unsubscribeUrl: 'https://c/',
  }
  const mailOf = (type: StatusNews['type'], change: Partial<StatusNews> = {}) =>
    newsMail(pageTexts(createTexts()), { ...news, post: null, maintenance: null, ...change, type }, reader)
  const { incident, post, maintenance } = news
  assert.ok(incident !== null && post !== null && maintenance !== null)
  const later = new Date('2026-11-21T12:00:00Z')
  const cases: [what: string, mail: ReturnType<typeof mailOf>, subject: string, has: RegExp, hasNot: RegExp][] = [
    ['an outage', mailOf('opened'), 'Acme: Shop is down', /Shop does not work as it should\./, /It lasted/],
    [
      'its end',
      mailOf('resolved', { incident: { ...incident, resolvedAt: later } }),
      'Acme: Shop works again',
      /It lasted: 2 h/,
      /Since/,
    ],
    ['an announcement', mailOf('post', { post, incident: null }), 'Acme: Move', /We move\./, /About/],
    ['an announcement beside an incident', mailOf('post', { post }), 'Acme: Move', /We move\./, /About/],
    [
      'a post of an incident',
      mailOf('post', { post: { ...post, state: 'resolved', title: null } }),
      'Acme: Resolved: Shop',
      /About: +Shop/i,
      /Announcement/,
    ],
    [
      'maintenance that is planned',
      mailOf('maintenance_planned', { maintenance: { ...maintenance, description: 'New disks.' }, incident: null }),
      'Acme: Maintenance planned: Upgrade',
      /New disks\.[^]*About: +Shop/,
      /It lasted/,
    ],
    [
      'maintenance of no monitor',
      mailOf('maintenance_planned', { maintenance: { ...maintenance, monitors: [] } }),
      'Acme: Maintenance planned: Upgrade',
      /From/,
      /About/,
    ],
    ...(['maintenance_ended', 'maintenance_cancelled'] as const).map((type): (typeof cases)[number] => [
      type,
      mailOf(type, { maintenance: { ...maintenance, description: 'New disks.' } }),
      `Acme: Maintenance ${type === 'maintenance_ended' ? 'ended' : 'cancelled'}: Upgrade`,
      /From/,
      /About|New disks/,
    ]),
  ]
  for (const [what, { subject, text }, expected, has, hasNot] of cases)
    it(`tells of ${what}`, () => {
      assert.equal(subject, expected)
      assert.match(text, has)
      assert.doesNotMatch(text, hasNot)
    })

  const colours = { bad: '#d33a3a', warning: '#c98a1b', good: '#2c9a5b', plain: '#7a7f87' }
  const looks: [what: string, mail: ReturnType<typeof mailOf>, tone: keyof typeof colours][] = [
    ['an outage', mailOf('opened'), 'bad'],
    ['its end', mailOf('resolved'), 'good'],
    ['a post that ends an incident', mailOf('post', { post: { ...post, state: 'resolved' } }), 'good'],
    ['a post of one that goes on', mailOf('post', { post: { ...post, state: 'identified' } }), 'warning'],
    ['an announcement', mailOf('post', { post }), 'plain'],
    ['maintenance that has ended', mailOf('maintenance_ended', { maintenance }), 'good'],
    ['maintenance that is planned', mailOf('maintenance_planned', { maintenance }), 'plain'],
    ['maintenance that was cancelled', mailOf('maintenance_cancelled', { maintenance }), 'plain'],
  ]
  for (const [what, { html }, tone] of looks)
    it(`has the colour of ${tone} news for ${what}`, () =>
      assert.equal(/border-left:4px solid (#\w{6})/.exec(html)?.[1], colours[tone]))

  it('refers to its incident, or to the time of its maintenance', () => {
    const threadOf = (change: Partial<StatusNews>): unknown => mailOf('post', change).headers['References']
    assert.equal(threadOf({}), `<status-incident-${incident.id}@perigee.example>`)
    const thread = `<status-maintenance-${maintenance.id}-${at.getTime()}@perigee.example>`
    assert.equal(threadOf({ incident: null, maintenance }), thread)
    assert.equal('References' in mailOf('post', { incident: null, post }).headers, false)
  })
})
