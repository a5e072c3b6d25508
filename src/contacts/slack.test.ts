import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alertOf } from '../../test/support/alerts.ts'
import { slackMessage } from './slack.ts'

const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'https://hooks.slack.example/services/1',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}

describe('a message of slack', () => {
  it('has no preview of its links, and no line for them where there are none', () =>
    assert.deepEqual(JSON.parse(slackMessage(alertOf('test'), context).body), {
      text: '*Test alert from Perigee*\nThis is a test. Alerts will reach you here.',
      unfurl_links: false,
      unfurl_media: false,
    }))

  it('keeps apart what an address holds and what is shown of it', () => {
    const publicUrl = 'https://perigee.example/a|b<c>&d'
    const { text }: { text: string } = JSON.parse(slackMessage(alertOf('monitor.slow'), { ...context, publicUrl }).body)
    const shown = 'https://perigee.example/a%7Cb&lt;c&gt;&amp;d/monitors/0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11'
    assert.equal(text.split('\n').at(-1), `<${shown}|Open the monitor>`)
  })
})
