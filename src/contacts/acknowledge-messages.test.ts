import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Alert } from '#core/contacts/alerting.ts'
import { alertOf, statusAlertOf } from '../../test/support/alerts.ts'
import { alertmanagerMessage } from './alertmanager.ts'
import { appriseMessage } from './apprise.ts'
import type { MessageContext } from './contact.ts'
import { discordMessage } from './discord.ts'
import { emailMessage } from './email.ts'
import { googleChatMessage } from './google-chat.ts'
import { gotifyMessage } from './gotify.ts'
import { matrixMessage } from './matrix.ts'
import { mattermostMessage } from './mattermost.ts'
import { ntfyMessage } from './ntfy.ts'
import { pagerdutyMessage } from './pagerduty.ts'
import { pushoverMessage } from './pushover.ts'
import { slackMessage } from './slack.ts'
import { teamsMessage } from './teams.ts'
import { telegramMessage } from './telegram.ts'
import { twilioMessage } from './twilio-sms.ts'
import { webhookMessage } from './webhook.ts'

const acknowledgeUrl = 'https://perigee.example/incidents/acknowledge/token'
const incidentUrl = 'https://perigee.example/incidents/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22'
const plain: MessageContext = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'https://alerts.example/in',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}
const chosen: MessageContext = { ...plain, acknowledgeUrl }
const down = statusAlertOf('monitor.down')

describe('an alert with a link that acknowledges', () => {
  it('has a button in mails, and the link in their text, before the one to the incident', () => {
    const { text, html } = emailMessage(down, chosen)
    assert.ok(text.includes(`\n\nAcknowledge: ${acknowledgeUrl}\nOpen the incident: ${incidentUrl}\n\n`), text)
    assert.match(html, new RegExp(`<a href="${acknowledgeUrl}" style="[^"]+">Acknowledge</a>`))
  })

  it('has it as a link in a chat', () => {
    const { text }: { text: string } = JSON.parse(slackMessage(down, chosen).body)
    assert.equal(text.split('\n').at(-1), `<${acknowledgeUrl}|Acknowledge> · <${incidentUrl}|Open the incident>`)
  })

  it('has it as an action of a push message, which itself leads to the incident', () => {
    const { click, actions } = JSON.parse(ntfyMessage(down, { ...chosen, options: {} }).body)
    assert.equal(click, incidentUrl)
    assert.deepEqual(actions, [
      { action: 'view', label: 'Acknowledge', url: acknowledgeUrl },
      { action: 'view', label: 'Open the incident', url: incidentUrl },
    ])
  })

  it('has it as the last member of what a webhook gets', () => {
    const { data }: Alert = JSON.parse(webhookMessage(down, chosen).body)
    assert.deepEqual(Object.keys(data), ['monitor', 'incident', 'result', 'acknowledge_url'])
    assert.ok(webhookMessage(down, chosen).body.includes(`"acknowledge_url":"${acknowledgeUrl}"`))
  })

  it('is otherwise the same', () => {
    for (const type of ['monitor.down', 'test'] as const) {
      const alert = alertOf(type)
      const without = [
        emailMessage(alert, plain).text,
        slackMessage(alert, plain).body,
        webhookMessage(alert, plain).body,
      ]
      for (const text of without) assert.doesNotMatch(text, /acknowledge/i)
    }
  })
})

const url = 'https://chat.example/hooks/1'
const server = 'https://alerts.example'
const inLines = String.raw`\nAcknowledge: ${acknowledgeUrl}\nOpen the incident: ${incidentUrl}"`
type Kind = [name: string, bodyOf: (alert: Alert, context: MessageContext) => string, shown: string[]]
/** What each kind makes of both links; what its provider takes stands in its own test. */
const kinds: Kind[] = [
  [
    'discord',
    (alert, context) =>
      discordMessage(alert, { ...context, options: { webhook_url: 'https://discord.com/api/webhooks/1/t' } }).body,
    [`[Acknowledge](${acknowledgeUrl}) · [Open the incident](${incidentUrl})`],
  ],
  [
    'telegram',
    (alert, context) => telegramMessage(alert, { ...context, options: { token: '1:t' } }).body,
    [`[[{"text":"Acknowledge","url":"${acknowledgeUrl}"},{"text":"Open the incident","url":"${incidentUrl}"}]]`],
  ],
  [
    'teams',
    (alert, context) => teamsMessage(alert, { ...context, options: { webhook_url: url } }).body,
    [
      `"actions":[{"type":"Action.OpenUrl","title":"Acknowledge","url":"${acknowledgeUrl}"},`,
      `{"type":"Action.OpenUrl","title":"Open the incident","url":"${incidentUrl}"}]`,
    ],
  ],
  [
    'google_chat',
    (alert, context) => googleChatMessage(alert, { ...context, options: { webhook_url: url } }).body,
    [
      `{"buttons":[{"text":"Acknowledge","onClick":{"openLink":{"url":"${acknowledgeUrl}"}}},`,
      `{"text":"Open the incident","onClick":{"openLink":{"url":"${incidentUrl}"}}}]}`,
    ],
  ],
  ['gotify', (alert, context) => gotifyMessage(alert, { ...context, options: { server, token: 't' } }).body, [inLines]],
  [
    'mattermost',
    (alert, context) => mattermostMessage(alert, { ...context, options: { webhook_url: url } }).body,
    [`"title_link":"${incidentUrl}"`, String.raw`\n[Acknowledge](${acknowledgeUrl})","fields"`],
  ],
  [
    'matrix',
    (alert, context) => matrixMessage(alert, { ...context, options: { homeserver: server, access_token: 't' } }).body,
    [
      inLines,
      String.raw`<br><a href=\"${acknowledgeUrl}\">Acknowledge</a><br><a href=\"${incidentUrl}\">Open the incident</a>`,
    ],
  ],
  [
    'pushover',
    (alert, context) => {
      const sent = pushoverMessage(alert, { ...context, options: { app_token: 't', user_key: 'u' } }).body
      return JSON.stringify(Object.fromEntries(new URLSearchParams(sent)))
    },
    [String.raw`\nAcknowledge: ${acknowledgeUrl}"`, `"url":"${incidentUrl}"`],
  ],
  [
    'pagerduty',
    (alert, context) => pagerdutyMessage(alert, { ...context, options: { routing_key: 'k' } }).body,
    [
      `"links":[{"href":"${acknowledgeUrl}","text":"Acknowledge"},{"href":"${incidentUrl}","text":"Open the incident"}]`,
    ],
  ],
  [
    'apprise',
    (alert, context) => appriseMessage(alert, { ...context, options: { server, config_key: 'k' } }).body,
    [inLines],
  ],
  [
    'alertmanager',
    (alert, context) => alertmanagerMessage(alert, { ...context, options: { server } }).body,
    [`"acknowledge_url":"${acknowledgeUrl}"`, `"generatorURL":"${incidentUrl}"`],
  ],
  [
    'twilio_sms',
    (alert, context) => {
      const options = { account_sid: 'AC', auth_token: 't', from: 'Perigee' }
      const sent = twilioMessage(alert, { ...context, options }).body
      return JSON.stringify(Object.fromEntries(new URLSearchParams(sent)))
    },
    [String.raw`\nAcknowledge: ${acknowledgeUrl}\n${incidentUrl}"`],
  ],
]

describe('a message with a link that acknowledges', () => {
  for (const [name, bodyOf, shown] of kinds)
    it(`shows it by ${name}, in an outage and a reminder, and has none unless it was chosen`, () => {
      for (const alert of [down, statusAlertOf('monitor.reminder')]) {
        const body = bodyOf(alert, chosen)
        for (const each of shown) assert.ok(body.includes(each), body)
        assert.doesNotMatch(bodyOf(alert, plain), /acknowledge/i)
      }
    })

  for (const [name, bodyOf] of kinds)
    it(`keeps it whole by ${name}, however long the other texts are`, () => {
      for (const character of ['a', '<', '.', '漢', '😀']) {
        const long = character.repeat(5000)
        const { data, ...rest } = statusAlertOf('monitor.down', { name: long })
        const body = bodyOf({ ...rest, data: { ...data, incident: { ...data.incident, cause: long } } }, chosen)
        // A short message has no room for it beside such a text.
        assert.equal(body.includes(acknowledgeUrl), name !== 'twilio_sms' || body.includes('Acknowledge: '), body)
      }
    })
})
