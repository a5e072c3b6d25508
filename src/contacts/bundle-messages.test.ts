import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Alert, BundleAlert } from '#core/contacts/alerting.ts'
import { type ContactKindName, contactTraits } from '#core/contacts/contact-kinds.ts'
import { alertOf, bundleOf, statusAlertOf } from '../../test/support/alerts.ts'
import { appriseMessage } from './apprise.ts'
import { discordMessage } from './discord.ts'
import { emailMessage } from './email.ts'
import { googleChatMessage } from './google-chat.ts'
import { gotifyMessage } from './gotify.ts'
import { matrixMessage } from './matrix.ts'
import { mattermostMessage } from './mattermost.ts'
import { ntfyMessage } from './ntfy.ts'
import { pushoverMessage } from './pushover.ts'
import { slackMessage } from './slack.ts'
import { teamsMessage } from './teams.ts'
import { telegramMessage } from './telegram.ts'
import { twilioMessage } from './twilio-sms.ts'
import { webhookMessage } from './webhook.ts'

const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date('2026-11-21T10:01:00.000Z'),
  destination: 'ops@example.com',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}
const webhookUrl = 'https://chat.example/hooks/abc'
const discordUrl = 'https://discord.com/api/webhooks/1/abc'

/** Of each kind that bundles: the part with a limit, and whether it is within that. Those without one have any. */
const kinds: Readonly<Partial<Record<ContactKindName, (alert: Alert) => [shown: string, isWithin: boolean]>>> = {
  email: (alert) => {
    const { text, subject } = emailMessage(alert, context)
    return [text, subject.length <= 250]
  },
  webhook: (alert) => {
    const { body } = webhookMessage(alert, context)
    return [body, Buffer.byteLength(body) < 20_000]
  },
  slack: (alert) => {
    const { text } = JSON.parse(slackMessage(alert, context).body)
    return [text, text.length <= 40_000]
  },
  ntfy: (alert) => {
    const { message } = JSON.parse(ntfyMessage(alert, { ...context, options: {} }).body)
    return [message, Buffer.byteLength(message) <= 4096]
  },
  gotify: (alert) => {
    const options = { server: 'https://push.example', token: 'A'.repeat(15) }
    return [gotifyMessage(alert, { ...context, options }).body, true]
  },
  google_chat: (alert) => {
    const { body } = googleChatMessage(alert, { ...context, options: { webhook_url: webhookUrl } })
    return [body, Buffer.byteLength(body) <= 32_000]
  },
  teams: (alert) => {
    const { body } = teamsMessage(alert, { ...context, options: { webhook_url: webhookUrl } })
    return [body, Buffer.byteLength(body) <= 28_000]
  },
  telegram: (alert) => {
    const { text } = JSON.parse(telegramMessage(alert, { ...context, options: { token: '1:A' } }).body)
    return [text, text.length <= 4096]
  },
  discord: (alert) => {
    const { embeds } = JSON.parse(discordMessage(alert, { ...context, options: { webhook_url: discordUrl } }).body)
    return [embeds[0].description, embeds[0].description.length <= 4096 && embeds[0].title.length <= 256]
  },
  mattermost: (alert) => {
    const { body } = mattermostMessage(alert, { ...context, options: { webhook_url: webhookUrl } })
    return [body, body.length <= 8000]
  },
  matrix: (alert) => {
    const options = { homeserver: 'https://matrix.example', access_token: 'A'.repeat(15) }
    const { body } = matrixMessage(alert, { ...context, options })
    return [body, Buffer.byteLength(body) <= 65_536]
  },
  pushover: (alert) => {
    const options = { app_token: 'a'.repeat(30), user_key: 'u'.repeat(30) }
    const sent = new URLSearchParams(pushoverMessage(alert, { ...context, options }).body)
    const message = sent.get('message') ?? ''
    return [message, message.length <= 1024 && (sent.get('title') ?? '').length <= 250]
  },
  twilio_sms: (alert) => {
    const options = { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'a'.repeat(32), from: 'Perigee' }
    const body = new URLSearchParams(twilioMessage(alert, { ...context, options }).body).get('Body') ?? ''
    return [body, body.length <= (smsAlphabet.test(body) ? 306 : 134)]
  },
  apprise: (alert) => {
    const options = { server: 'https://apprise.example', config_key: 'key' }
    return [appriseMessage(alert, { ...context, options }).body, true]
  },
}

/** By https://www.twilio.com/docs/glossary/what-is-gsm-7-character-encoding. */
const smsAlphabet = /^[A-Za-z0-9@£$¥èéùìòÇ\n\rØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà^{}\\[~\]|€]*$/

const storm = bundleOf(
  Array.from({ length: 50 }, (_, index) => statusAlertOf('monitor.down', { name: `Shop ${index}` })),
  { total: 480, down: 480 },
)

describe('a bundle as a message', () => {
  it('is made by every kind that bundles', () => {
    // A message for a browser is encrypted; it is shortened by the same function as those of other kinds.
    const expected = Object.entries(contactTraits)
      .filter(([name, { bundleSeconds }]) => bundleSeconds !== null && name !== 'web_push')
      .map(([name]) => name)
    assert.deepEqual(Object.keys(kinds).toSorted(), expected.toSorted())
  })

  for (const [name, shownOf] of Object.entries(kinds)) {
    it(`tells ${name} how many there are, the first ones and where to look`, () => {
      const [shown, isWithin] = shownOf(storm)
      assert.ok(isWithin)
      assert.match(shown, /480/)
      assert.match(shown, /Shop 0/)
    })

    it(`stays within what ${name} takes, whatever names and causes are`, () =>
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), (text) => {
          const long = text.repeat(20)
          const { data, ...rest } = statusAlertOf('monitor.down', { name: long })
          const alert = { ...rest, data: { ...data, incident: { ...data.incident, cause: long } } }
          const [, isWithin] = shownOf(bundleOf(Array.from({ length: 50 }, () => alert)))
          assert.ok(isWithin)
        }),
        { numRuns: 20 },
      ))
  }

  it('names as many as fit in what is short', () => {
    assert.deepEqual([namedBy('ntfy'), namedBy('pushover')], [50, 20])
    assert.ok(namedBy('discord') >= 40)
  })

  it('is a short text with the first names and the list of incidents', () =>
    assert.equal(
      kinds.twilio_sms?.(storm)[0],
      [
        '480 monitors down: Shop 0, Shop 1 and 478 more',
        'Shop 0: Down. The server answered 503.',
        'Shop 1: Down. The server answered 503.',
        'https://perigee.example/incidents',
      ].join('\n'),
    ))
})

describe('the body of a webhook with a bundle', () => {
  it('has each alert as it would have been alone', () => {
    const alerts = [alertOf('monitor.down'), alertOf('certificate.expiring'), alertOf('monitor.up')]
    const alone = alerts.map((alert) => JSON.parse(webhookMessage(alert, context).body))
    const { data } = bodyOf(bundleOf(alerts))
    assert.deepEqual(data.alerts, alone)
    assert.deepEqual([data.total, data.down, data.up], [3, 1, 1])
  })

  it('has the first that fit, and the number of all', () => {
    const { data } = bodyOf(storm)
    assert.equal(data.total, 480)
    assert.ok(data.alerts.length >= 25)
    assert.deepEqual(
      data.alerts.map(({ data: { monitor } }) => monitor?.name),
      data.alerts.map((_, index) => `Shop ${index}`),
    )
  })

  it('looks as docs/alerts.md shows it', () => {
    const page = readFileSync(new URL('../../docs/alerts.md', import.meta.url), 'utf8')
    const [, example = ''] = /^```json\n(\{\n {2}"type": "alerts\.bundle".*?)^```/ms.exec(page) ?? []
    const shown: BundleAlert = JSON.parse(example)
    assert.equal(webhookMessage(shown, context).body, JSON.stringify(shown))
  })
})

/** How many monitors of the storm its message names. */
function namedBy(name: ContactKindName): number {
  return (kinds[name]?.(storm)[0].match(/Shop \d+/g) ?? []).length
}

function bodyOf(alert: Alert): BundleAlert {
  return JSON.parse(webhookMessage(alert, context).body)
}
