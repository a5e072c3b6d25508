import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alertOf } from '../../test/support/alerts.ts'
import type { MessageContext } from './contact.ts'
import { emailMessage } from './email.ts'
import { contactKinds } from './index.ts'
import { ntfyMessage } from './ntfy.ts'
import { slackMessage } from './slack.ts'
import { wordingOf } from '#contacts/wording/wording.ts'

const context: MessageContext = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'alerts',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}
const words = { title: 'Shop <b> & co', body: 'First <!channel>\n\nSecond & last' }
const templated = { ...context, words }
const down = alertOf('monitor.down')

describe('the words of a contact’s own templates', () => {
  it('take the place of the headline, and of the lead with its facts', () => {
    const builtIn = wordingOf(down, context)
    assert.deepEqual(wordingOf(down, templated), { ...builtIn, headline: words.title, lead: words.body, facts: [] })
    assert.deepEqual(wordingOf(down, { ...context, words: { title: 'Mine', body: null } }), {
      ...builtIn,
      headline: 'Mine',
    })
    assert.deepEqual(wordingOf(down, { ...context, words: { title: null, body: null } }), builtIn)
  })

  it('are in a mail, escaped, with their lines', () => {
    const { subject, text, html } = emailMessage(down, templated)
    assert.equal(subject, words.title)
    assert.match(text, /^First <!channel>\n\nSecond & last\n\nOpen the incident: https:/)
    assert.match(html, /<h1[^>]*>Shop &lt;b&gt; &amp; co<\/h1>/)
    assert.match(html, /white-space:pre-line">First &lt;!channel&gt;\n\nSecond &amp; last<\/p>/)
    assert.doesNotMatch(text, /The server answered/)
  })

  it('are in a message of Slack, and mention nobody', () => {
    const { text } = JSON.parse(slackMessage(down, templated).body)
    assert.match(text, /^\*Shop &lt;b&gt; &amp; co\*\nFirst &lt;!channel&gt;\n\nSecond &amp; last\n<https:/)
  })

  it('are in a message of ntfy', () => {
    const { title, message, click } = JSON.parse(ntfyMessage(down, { ...templated, options: {} }).body)
    assert.deepEqual([title, message], [words.title, words.body])
    assert.match(click, /^https:\/\/perigee\.example\/incidents\//)
  })

  it('have no place in a webhook, which is for programs', () =>
    assert.deepEqual(
      Object.values(contactKinds)
        .filter(({ isForPrograms }) => isForPrograms)
        .map(({ name }) => name),
      ['webhook'],
    ))
})
