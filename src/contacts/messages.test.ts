import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Alert, alertTypes, type DomainAlert } from '#core/contacts/alerting.ts'
import type { Compared } from '#core/software/comparison.ts'
import { feedSources } from '#core/software/feed-sources.ts'
import {
  alertOf,
  endOfLifeOf,
  findingAlertOf,
  findingOf,
  maintenanceAlertOf,
  statusAlertOf,
} from '../../test/support/alerts.ts'
import { anyCharacter } from '../../test/support/any-character.ts'
import type { MessageContext } from './contact.ts'
import { emailMessage } from './email.ts'
import { contactDisabledMail, confirmationMail } from './notices.ts'
import { slackMessage } from './slack.ts'
import { signingSecretOf, webhookMessage } from './webhook.ts'

const context: MessageContext = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'https://alerts.example/in?key=1',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}

describe('webhookMessage', () => {
  const secrets = [signingSecretOf(randomBytes(32)), signingSecretOf(randomBytes(32))]
  const message = webhookMessage(alertOf('monitor.down'), { ...context, signingSecrets: secrets })

  it('has the headers of Standard Webhooks and names its sender', () => {
    assert.equal(message.url, context.destination)
    assert.equal(message.headers['content-type'], 'application/json')
    assert.equal(message.headers['user-agent'], 'perigee-alerts/1')
    assert.equal(message.headers['webhook-id'], context.deliveryId)
    assert.equal(message.headers['webhook-timestamp'], String(Math.floor(context.sentAt.getTime() / 1000)))
    assert.match(message.headers['webhook-signature'] ?? '', /^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
  })

  it('holds the members that docs/alerts.md lists, without the secrets of the address', () => {
    const body: Alert = JSON.parse(message.body)
    assert.deepEqual(Object.keys(body), ['type', 'timestamp', 'data'])
    assert.deepEqual(Object.keys(body.data), ['monitor', 'incident', 'result'])
    assert.deepEqual(Object.keys(body.data.monitor ?? {}), ['id', 'name', 'kind', 'url', 'current_status'])
    assert.equal(body.data.monitor?.url, 'https://shop.example/health')
    assert.doesNotMatch(message.body, /secret|token/)
  })

  it('holds its members in the documented order, whatever order the database gives them in', () => {
    for (const type of alertTypes) {
      const alert = alertOf(type)
      const stored: Alert = JSON.parse(JSON.stringify(withKeysSorted(alert)))
      assert.equal(webhookMessage(stored, context).body, webhookMessage(alert, context).body)
    }
  })

  const ends = { expires_at: '2026-11-28T10:00:00.000Z', days_left: 7, seen_at: '2026-11-21T09:00:00.000Z' }
  const expiring = [
    ['domain.expiring', { ...ends, domain_name: 'shop.example' }],
    ['certificate.expiring', { ...ends, cert_host: 'www.shop.example', cert_issuer: 'E7' }],
  ] as const
  for (const [type, members] of expiring)
    it(`tells of ${type} without an incident or a result`, () => {
      const { data, ...rest }: Alert = JSON.parse(webhookMessage(alertOf(type), context).body)
      assert.deepEqual(rest, { type, timestamp: '2026-11-21T10:04:00.000Z' })
      const { monitor, ...others } = data
      assert.equal(monitor?.url, 'https://shop.example/health')
      assert.deepEqual(others, { incident: null, result: null, ...members })
    })

  it('stays below 20 kB whatever a target says', () =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 500, maxLength: 70_000 }), (text) => {
        const { data, ...rest } = statusAlertOf('monitor.down', { name: text })
        const alert: Alert = {
          ...rest,
          data: {
            monitor: { ...data.monitor, url: `https://shop.example/${text}` },
            incident: { ...data.incident, title: text, cause: text },
            result: { ...data.result, error: text },
            children: { total: 1000, names: Array.from({ length: 20 }, () => text) },
          },
        }
        assert.ok(Buffer.byteLength(webhookMessage(alert, context).body) < 20_000)
      }),
      { numRuns: 50 },
    ))

  it('stays below 20 kB whatever the names of a maintenance and its monitors are', () => {
    const text = '\u0001😀"'.repeat(500)
    const alert = maintenanceAlertOf('maintenance.started', { name: text })
    const monitors = { total: 1000, names: Array.from({ length: 20 }, () => text) }
    const maintenance = { ...alert.data.maintenance, monitors }
    const { body } = webhookMessage({ ...alert, data: { ...alert.data, maintenance } }, context)
    assert.ok(Buffer.byteLength(body) < 20_000)
  })
})

const textOf = (alert: Alert): string => JSON.parse(slackMessage(alert, context).body).text

describe('slackMessage', () => {
  it('says whose certificate ends when, and what to do', () =>
    assert.equal(
      textOf(alertOf('certificate.expiring')),
      [
        '*Certificate expiring in 7 days: www.shop.example*',
        'The certificate of www.shop.example expires in 7 days (on 2026-11-28). Automatic renewal should have replaced it by now. Find out why it did not, or renew the certificate by hand.',
        'Monitor: Shop API',
        'Expires: 2026-11-28 10:00:00 UTC',
        'Issuer: E7',
        'Address: https://shop.example/health',
        '<https://perigee.example/monitors/0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11|Open the monitor>',
      ].join('\n'),
    ))

  it('says which domain ends when, and when that was read if it was long ago', () => {
    const alert = domainAlertOf({ seen_at: '2026-11-14T09:00:00.000Z' })
    assert.equal(
      textOf(alert),
      [
        '*Domain expiring in 7 days: shop.example*',
        'The registration of shop.example expires in 7 days (on 2026-11-28). Renew it with your registrar.',
        'Monitor: Shop API',
        'Expires: 2026-11-28 10:00:00 UTC',
        'Last read: 2026-11-14 09:00:00 UTC',
        'Address: https://shop.example/health',
        '<https://perigee.example/monitors/0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11|Open the monitor>',
      ].join('\n'),
    )
  })

  const leads: [string, number, string, string][] = [
    ['2026-11-22T10:00:00.000Z', 1, 'Domain expiring in 1 day: shop.example', 'expires in 1 day (on 2026-11-22)'],
    [
      '2026-11-21T15:00:00.000Z',
      0,
      'Domain expiring in less than a day: shop.example',
      'expires in less than a day (on 2026-11-21)',
    ],
    ['2026-11-21T09:00:00.000Z', 0, 'Domain expired: shop.example', 'expired on 2026-11-21. The domain may'],
    [
      '2026-11-20T10:00:00.000Z',
      -1,
      'Domain expired: shop.example',
      'expired on 2026-11-20 (1 day ago). The domain may',
    ],
    [
      '2026-11-11T10:00:00.000Z',
      -10,
      'Domain expired: shop.example',
      'expired on 2026-11-11 (10 days ago). The domain may',
    ],
  ]
  for (const [expires_at, days_left, headline, lead] of leads)
    it(`calls an end at ${expires_at} "${headline}"`, () => {
      const [first, second] = textOf(domainAlertOf({ expires_at, days_left })).split('\n')
      assert.equal(first, `*${headline}*`)
      assert.ok(second?.includes(lead), second)
    })

  it('says what happened, why, since when, where, and links to the incident', () =>
    assert.equal(
      textOf(alertOf('monitor.down')),
      [
        '*Down: Shop API*',
        'Shop API is down.',
        'Cause: The server answered 503.',
        'Since: 2026-11-21 10:00:00 UTC',
        'Seen from: fra',
        'Address: https://shop.example/health',
        '<https://perigee.example/incidents/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22|Open the incident>',
      ].join('\n'),
    ))

  it('mentions nobody and links nowhere, whatever a monitor is called', () =>
    fc.assert(
      fc.property(fc.string(), (name) => {
        const text = textOf(alertOf('monitor.down', { name: `<!channel> & <https://evil.example|${name}>` }))
        const links = text.match(/<[^>]*>/g)
        assert.deepEqual(links?.length, 1)
        assert.doesNotMatch(text, /&(?!amp;|lt;|gt;)/)
      }),
    ))
})

function comparedOf(state: Compared['state'], more: Partial<Compared> = {}): Compared {
  const isRead = state === 'current' || state === 'old'
  return { source: 'osv', ecosystem: 'npm', data_as_of: isRead ? '2026-11-20T12:00:00.000Z' : null, state, ...more }
}

describe('alerts of findings', () => {
  const exploited = findingOf({
    vuln_id: 'CVE-2026-0002',
    exploited_on: '2026-11-19',
    severity: 'critical',
    score: 9.8,
  })
  const unknown = { version: null, version_known: false, severity: null, score: null, fix_version: null } as const
  const cases = [
    [
      'one vulnerability',
      [findingOf()],
      ['Vulnerability in nginx 1.26.1: Shop API', 'CVE-2026-0001 (high) affects nginx 1.26.1 on Shop API.'],
    ],
    [
      'one that is exploited',
      [exploited],
      [
        'Exploited vulnerability in nginx 1.26.1: Shop API',
        'CVE-2026-0002 (critical) affects nginx 1.26.1 on Shop API. It is known to be exploited.',
      ],
    ],
    [
      'one that only may apply',
      [findingOf(unknown)],
      ['Vulnerability in nginx: Shop API', 'CVE-2026-0001 (unrated) may affect nginx on Shop API.'],
    ],
    [
      'the end of support',
      [endOfLifeOf()],
      ['End of support for PHP 8.1.27: Shop API', 'PHP 8.1.27 is no longer supported. It runs on Shop API.'],
    ],
    [
      'the end of support of several',
      [endOfLifeOf(), endOfLifeOf({ vuln_id: 'EOL:nginx-1.26' })],
      ['End of support for 2 releases: Shop API', '2 releases that are no longer supported run on Shop API.'],
    ],
    [
      'several of all sorts',
      [exploited, findingOf(), endOfLifeOf()],
      [
        '3 new findings: Shop API',
        'There are 3 new findings in the software of Shop API. One of them is known to be exploited.',
      ],
    ],
  ] as const
  for (const [what, findings, [subject, lead]] of cases)
    it(`tell of ${what}`, () => {
      const mail = emailMessage(findingAlertOf([...findings]), context)
      assert.equal(mail.subject, subject)
      assert.ok(mail.text.includes(lead), mail.text)
    })

  it('list each with its severity, its software, its fix and what it is, in every kind of contact', () => {
    const alert = findingAlertOf([exploited, findingOf(unknown), endOfLifeOf()], 25)
    const lines = [
      ['CVE-2026-0002', 'critical 9.8, exploited since 2026-11-19: nginx 1.26.1, fixed in 1.26.2. A request can end'],
      ['CVE-2026-0001', 'unrated, may apply: nginx, fixed in 1.26.2. A request can end the process.'],
      ['EOL:php-8.1', 'PHP 8.1.27, next 8.2.30. PHP 8.1 has been without support since 2025-12-31.'],
      ['And', '22 more'],
    ]
    const { text, html } = emailMessage(alert, context)
    const chat = slackMessage(alert, context).body
    for (const [label = '', value = ''] of lines) {
      for (const shown of [text, html, chat]) assert.ok(shown.includes(label) && shown.includes(value), shown)
    }
    const { data }: typeof alert = JSON.parse(webhookMessage(alert, context).body)
    assert.deepEqual(data.findings, alert.data.findings)
    assert.equal(data.total, 25)
  })

  const nvd = { source: 'nvd', ecosystem: null } as const
  const cve = { source: 'cve', ecosystem: null } as const
  const facts: readonly [compared: Compared[] | undefined, said: string[], unsaid: RegExp][] = [
    [undefined, [], /Not compared|Old data|Compared with/],
    [
      [comparedOf('current'), comparedOf('current', nvd)],
      ['Compared with data from: 2026-11-20 12:00:00 UTC'],
      /Not compared|Old data|Being compared/,
    ],
    [
      [comparedOf('unread'), comparedOf('unread', nvd)],
      ['Not compared with: npm, NVD (not read yet)'],
      /Old data|Compared with/,
    ],
    [
      [comparedOf('off', nvd), comparedOf('off', cve)],
      ['Not compared with: NVD, CVE list (switched off here)'],
      /Old data/,
    ],
    [
      [comparedOf('unread'), comparedOf('off', nvd), comparedOf('old', cve)],
      [
        'Not compared with: npm (not read yet), NVD (switched off here)',
        'Old data: CVE list from 2026-11-20; nothing newer has been read since',
      ],
      /PyPI/,
    ],
  ]
  for (const [compared, said, unsaid] of facts)
    it(`say with what it was not compared, and what is old: ${said.join(' ') || 'nothing'}`, () => {
      const alert = findingAlertOf([findingOf()])
      const told = compared === undefined ? alert.data : { ...alert.data, comparison: 'partial' as const, compared }
      const { text } = JSON.parse(slackMessage({ ...alert, data: told }, context).body)
      for (const line of said) assert.ok(text.split('\n').includes(line), text)
      assert.doesNotMatch(text, unsaid)
      const { data }: typeof alert = JSON.parse(webhookMessage({ ...alert, data: told }, context).body)
      assert.deepEqual(data.compared, compared)
    })

  it('stay below 20 kB, whatever the advisories say', () =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 3000 }), (text) => {
        const huge = findingOf({
          aliases: Array.from({ length: 50 }, () => text),
          vuln_id: text,
          product: text,
          software_name: text,
          version: text,
          summary: text,
          fixed_in: text,
          fix_version: text,
          url: `https://example.com/${text}`,
        })
        const alert = findingAlertOf(Array.from({ length: 20 }, () => huge))
        alert.data.monitor.name = text.slice(0, 160)
        alert.data.monitor.url = `https://example.com/${text}`
        alert.data.comparison = 'complete'
        alert.data.compared = feedSources.map((source) => comparedOf('current', source))
        alert.data.entries_to_compare = 50_000
        const { body } = webhookMessage(alert, context)
        assert.ok(Buffer.byteLength(body) < 20_000, `${Buffer.byteLength(body)}`)
        assert.ok(Buffer.byteLength(slackMessage(alert, context).body) < 40_000)
        const shown: typeof alert = JSON.parse(body)
        assert.ok(shown.data.findings.length > 0)
      }),
    ))
})

describe('emailMessage', () => {
  for (const [type, subject] of [
    ['monitor.down', 'Down: Shop API'],
    ['monitor.up', 'Up again: Shop API (was down 4 min)'],
    ['monitor.reminder', 'Still down: Shop API (for 4 min)'],
    ['domain.expiring', 'Domain expiring in 7 days: shop.example'],
    ['certificate.expiring', 'Certificate expiring in 7 days: www.shop.example'],
    ['vulnerability.found', 'Vulnerability in nginx 1.26.1: Shop API'],
    ['end_of_life.reached', 'End of support for PHP 8.1.27: Shop API'],
    ['test', 'Test alert from Perigee'],
  ] as const)
    it(`has the subject "${subject}" for ${type}`, () =>
      assert.equal(emailMessage(alertOf(type), context).subject, subject))

  it('tells cause, time, location, address and link, in text and in HTML', () => {
    const { text, html } = emailMessage(alertOf('monitor.down'), context)
    for (const part of [
      'Shop API is down.',
      'The server answered 503.',
      '2026-11-21 10:00:00 UTC',
      'fra',
      'https://shop.example/health',
      'https://perigee.example/incidents/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22',
      context.unsubscribeUrl,
    ]) {
      assert.ok(text.includes(part), `text has ${part}`)
      assert.ok(html.includes(part), `html has ${part}`)
    }
  })

  it('can be ended in one click, by the header of RFC 8058', () => {
    const { headers } = emailMessage(alertOf('monitor.down'), context)
    assert.equal(headers['List-Unsubscribe'], `<${context.unsubscribeUrl}>`)
    assert.equal(headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
  })

  it('puts both messages of an incident into one thread, and keeps its id on every try', () => {
    const down = emailMessage(alertOf('monitor.down'), context).headers
    const up = emailMessage(alertOf('monitor.up'), { ...context, deliveryId: 'another' }).headers
    assert.equal(down['References'], '<incident-6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22@perigee.example>')
    assert.equal(down['References'], up['References'])
    assert.equal(down['Message-ID'], `<${context.deliveryId}@perigee.example>`)
  })

  it('has no line break in its subject and no markup of its own, whatever a monitor is called', () =>
    fc.assert(
      fc.property(fc.constantFrom(...alertTypes), fc.string({ unit: anyCharacter }), (type, name) => {
        const alert = alertOf(type, { name: `${name}\r\nBcc: all@example.com\n<script>"'&` })
        const { subject, html, headers } = emailMessage(alert, context)
        for (const line of [subject, ...Object.values(headers)]) assert.doesNotMatch(line, /[\r\n]/)
        assert.doesNotMatch(html, /<script|<img|src=|url\(/)
      }),
    ))
})

describe('notices', () => {
  it('asks for confirmation without a word of whoever added the address', () => {
    const confirmUrl = 'https://perigee.example/contacts/confirm/t'
    const mail = confirmationMail({ to: 'a@example.com', confirmUrl, publicUrl: context.publicUrl })
    assert.equal(mail.to, 'a@example.com')
    assert.ok(mail.text.includes(confirmUrl) && mail.html.includes(confirmUrl))
    assert.match(mail.text, /within 7 days/)
  })

  it('tells of a contact that was switched off without the key in its address', () => {
    const mail = contactDisabledMail({
      to: 'a@example.com',
      contact: { name: 'Chat\r\nBcc: x', kind: 'slack', destination: 'https://hooks.chat.example/services/key' },
      reason: 'It has not accepted anything for three days.',
      publicUrl: context.publicUrl,
      unsubscribeUrl: context.unsubscribeUrl,
    })
    assert.equal(mail.subject, 'Alerts to Chat Bcc: x were switched off')
    assert.match(mail.text, /hooks\.chat\.example/)
    assert.doesNotMatch(mail.text, /services/)
  })
})

function domainAlertOf(changes: Partial<DomainAlert['data']>): DomainAlert {
  const alert = alertOf('domain.expiring')
  assert.ok(alert.type === 'domain.expiring')
  return { ...alert, data: { ...alert.data, ...changes } }
}

/** Sorts keys as jsonb does, shorter keys first. */
function withKeysSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysSorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => a.length - b.length || a.localeCompare(b))
  return Object.fromEntries(entries.map(([key, member]) => [key, withKeysSorted(member)]))
}
