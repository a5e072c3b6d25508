import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Alert, StatusAlert } from '#core/contacts/alerting.ts'
import { type FoundAlert, statusAlertOf } from '../../test/support/alerts.ts'
import { alertmanagerMessage } from './alertmanager.ts'
import type { MessageContext } from './contact.ts'
import { discordMessage } from './discord.ts'
import { emailMessage } from './email.ts'
import { gotifyMessage } from './gotify.ts'
import { mattermostMessage } from './mattermost.ts'
import { ntfyMessage } from './ntfy.ts'
import { pagerdutyMessage } from './pagerduty.ts'
import { pushoverMessage } from './pushover.ts'
import { slackMessage } from './slack.ts'
import { teamsMessage } from './teams.ts'
import { telegramMessage } from './telegram.ts'
import { webhookMessage } from './webhook.ts'

const runbook = 'https://wiki.example/shop?page=1#restart'
const context: MessageContext = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'https://alerts.example/in',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}

function guided(notes: string, url = runbook): FoundAlert {
  const { data, ...rest } = statusAlertOf('monitor.down')
  return { ...rest, data: { ...data, monitor: { ...data.monitor, notes, runbook_url: url } } }
}
const alert = guided('Ask Ann.\r\n\n- restart it\u202e')
const url = 'https://chat.example/hooks/1'

/** What each kind makes of a runbook: a button where it has them, else a line of its own. */
const kinds: [name: string, bodyOf: (alert: Alert) => string, button: string][] = [
  ['slack', (each) => slackMessage(each, context).body, `<${runbook}|Open the runbook>`],
  [
    'discord',
    (each) =>
      discordMessage(each, { ...context, options: { webhook_url: 'https://discord.com/api/webhooks/1/t' } }).body,
    `[Open the runbook](${runbook})`,
  ],
  [
    'telegram',
    (each) => telegramMessage(each, { ...context, options: { token: '1:t' } }).body,
    `{"text":"Open the runbook","url":"${runbook}"}`,
  ],
  [
    'teams',
    (each) => teamsMessage(each, { ...context, options: { webhook_url: url } }).body,
    `{"type":"Action.OpenUrl","title":"Open the runbook","url":"${runbook}"}`,
  ],
  [
    'ntfy',
    (each) => ntfyMessage(each, { ...context, options: {} }).body,
    `{"action":"view","label":"Open the runbook","url":"${runbook}"}`,
  ],
  [
    'gotify',
    (each) => gotifyMessage(each, { ...context, options: { server: url, token: 't' } }).body,
    String.raw`\nOpen the runbook: ${runbook}"`,
  ],
  [
    'mattermost',
    (each) => mattermostMessage(each, { ...context, options: { webhook_url: url } }).body,
    String.raw`\n[Open the runbook](${runbook})"`,
  ],
  [
    'pushover',
    (each) => {
      const sent = pushoverMessage(each, { ...context, options: { app_token: 't', user_key: 'u' } }).body
      return JSON.stringify(Object.fromEntries(new URLSearchParams(sent)))
    },
    String.raw`\nOpen the runbook: ${runbook}"`,
  ],
  [
    'pagerduty',
    (each) => pagerdutyMessage(each, { ...context, options: { routing_key: 'k' } }).body,
    `{"href":"${runbook}","text":"Open the runbook"}`,
  ],
  [
    'alertmanager',
    (each) => alertmanagerMessage(each, { ...context, options: { server: url } }).body,
    `"runbook_url":"${runbook}"`,
  ],
]

describe('the notes and the runbook of a monitor', () => {
  for (const [name, bodyOf, button] of kinds)
    it(`are shown by ${name}, and only where the monitor has them`, () => {
      const body = bodyOf(alert)
      assert.ok(body.includes(button), body)
      assert.match(body, /Ask Ann\\*\. /)
      assert.doesNotMatch(bodyOf(statusAlertOf('monitor.down')), /runbook|notes/i)
    })

  it('are a line and a button of a mail, behind the link to the incident', () => {
    const { text, html } = emailMessage(alert, context)
    assert.match(text, /\nNotes: Ask Ann\. - restart it\n/)
    assert.match(text, /\nOpen the incident: \S+\nOpen the runbook: https:\/\/wiki\.example\/shop\?page=1#restart\n/)
    assert.match(html, /<a href="https:\/\/wiki\.example\/shop\?page=1#restart" style="[^"]+">Open the runbook<\/a>/)
  })

  it('are members of the monitor for a webhook, the notes with their lines', () => {
    const { data }: Alert = JSON.parse(webhookMessage(alert, context).body)
    assert.equal(data.monitor?.notes, 'Ask Ann.\n\n- restart it')
    assert.equal(data.monitor?.runbook_url, runbook)
  })

  it('are cut by bytes, and left out where the rest of the alert takes all room', () => {
    const { data }: Alert = JSON.parse(webhookMessage(guided('漢'.repeat(4000)), context).body)
    assert.equal(Buffer.byteLength(data.monitor?.notes ?? ''), 1500)
    assert.ok(data.monitor?.notes?.endsWith('漢…'))
    const long = '漢'.repeat(5000)
    const full = guided(long, `https://wiki.example/${'漢'.repeat(900)}`)
    const { monitor, incident, result } = full.data
    const crowded: StatusAlert = {
      ...full,
      data: {
        monitor: { ...monitor, name: long, url: `https://a.example/${long}` },
        incident: { ...incident, title: long, cause: long },
        result: { ...result, error: long },
        children: { total: 20, names: Array.from({ length: 20 }, () => '漢'.repeat(50)) },
      },
    }
    const body = webhookMessage(crowded, context).body
    assert.ok(Buffer.byteLength(body) < 20_000, String(Buffer.byteLength(body)))
    assert.doesNotMatch(body, /"notes"|"runbook_url"/)
  })
})
