import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Alert } from '#core/contacts/alerting.ts'
import { alertOf, statusAlertOf } from '../../test/support/alerts.ts'
import type { MessageContext } from './contact.ts'
import { emailMessage } from './email.ts'
import { ntfyMessage } from './ntfy.ts'
import { slackMessage } from './slack.ts'
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
