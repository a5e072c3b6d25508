import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, findingAlertOf, findingOf, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi, netInPlaceOf } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { googleChat, googleChatMessage } from './google-chat.ts'

const paragraph = z.strictObject({ textParagraph: z.strictObject({ text: z.string().min(1) }) })
const button = z.strictObject({
  text: z.string().min(1),
  onClick: z.strictObject({ openLink: z.strictObject({ url: z.url() }) }),
})
/**
 * What Google takes of what is sent here
 * (https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages#Message).
 */
const published = z.strictObject({
  fallbackText: z.string().min(1),
  cardsV2: z.tuple([
    z.strictObject({
      cardId: z.string(),
      card: z.strictObject({
        sections: z.tuple([
          z.strictObject({
            widgets: z.array(
              z.union([paragraph, z.strictObject({ buttonList: z.strictObject({ buttons: z.array(button) }) })]),
            ),
          }),
        ]),
      }),
    }),
  ]),
  thread: z.strictObject({ threadKey: z.string().min(1).max(4000) }).optional(),
})

const key = 'AIzaSyHunter2Hunter2Hunter2Hunter2Hunt'
const token = 'hunter2-hunter2_hunter2=='
const origin = 'https://chat.googleapis.com'
const webhookUrl = `${origin}/v1/spaces/AAQAhunter2/messages?key=${key}&token=${encodeURIComponent(token)}`
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'On call',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
  options: { webhook_url: webhookUrl },
}

function sentOf(alert: Alert) {
  const { url, headers, body } = googleChatMessage(alert, context)
  assert.ok(Buffer.byteLength(body) <= 32_000, `${Buffer.byteLength(body)} bytes`)
  const sent = published.parse(JSON.parse(body))
  const { widgets } = sent.cardsV2[0].card.sections[0]
  const texts = widgets.flatMap((widget) => ('textParagraph' in widget ? [widget.textParagraph.text] : []))
  const buttons = widgets.flatMap((widget) => ('buttonList' in widget ? widget.buttonList.buttons : []))
  return { url: new URL(url), headers, sent, texts, buttons }
}

describe('googleChatMessage', () => {
  it('tells an outage in a card with a button that opens the incident', () => {
    const { headers, sent, texts, buttons } = sentOf(statusAlertOf('monitor.down'))
    assert.equal(headers['content-type'], 'application/json; charset=UTF-8')
    assert.equal(sent.fallbackText, 'Down: Shop API')
    assert.equal(texts[0], '<font color="#c5221f"><b>Down: Shop API</b></font>')
    assert.equal(texts[1], 'Shop API is down.')
    assert.match(texts[2] ?? '', /^<b>Cause:<\/b> The server answered 503\.<br><b>Since:<\/b> /)
    assert.deepEqual(
      buttons.map(({ text }) => text),
      ['Open the incident'],
    )
  })

  it('answers an outage with its recovery: both name one thread, and keep the key and the token', () => {
    const [down, up] = (['monitor.down', 'monitor.up'] as const).map((type) => sentOf(statusAlertOf(type)))
    assert.equal(down?.sent.thread?.threadKey, '6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22')
    assert.deepEqual(up?.sent.thread, down?.sent.thread)
    assert.equal(up?.url.pathname, '/v1/spaces/AAQAhunter2/messages')
    assert.deepEqual(Object.fromEntries(up?.url.searchParams ?? []), {
      key,
      token,
      messageReplyOption: 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD',
    })
  })

  for (const type of alertTypes)
    it(`tells ${type}, in a thread of its own unless it is of an incident, an episode, an objective or a maintenance`, () => {
      const { sent, url, buttons } = sentOf(alertOf(type))
      const isThreaded = ['monitor.', 'slo.', 'maintenance.'].some((start) => type.startsWith(start))
      assert.equal(sent.thread !== undefined, isThreaded)
      assert.equal(url.searchParams.has('messageReplyOption'), isThreaded)
      assert.equal(buttons.length, type === 'test' ? 0 : 1)
    })

  it('takes no mark-up and no mention from names', () => {
    const name = '<users/all> <a href="https://x.example">*x*</a> &lt;'
    const { texts } = sentOf(statusAlertOf('monitor.down', { name }))
    assert.equal(texts[1], '&lt;users/all&gt; &lt;a href="https://x.example"&gt;*x*&lt;/a&gt; &amp;lt; is down.')
    for (const shown of texts)
      assert.doesNotMatch(shown.replaceAll(/<\/?(?:b|br|font)(?: color="#\w+")?>/g, ''), /[<>]/)
  })

  it('stays within 32,000 bytes', () => {
    for (const character of ['&', '"', 'ü', '😀']) {
      const long = character.repeat(5000)
      const down = statusAlertOf('monitor.down', { name: long })
      sentOf({ ...down, data: { ...down.data, incident: { ...down.data.incident, cause: long } } })
      sentOf(alertOf('certificate.expiring', { name: long }))
      const findings = Array.from({ length: 20 }, () =>
        findingOf({ summary: long, software_name: long, vuln_id: long }),
      )
      const { texts } = sentOf(findingAlertOf(findings, 25))
      assert.match(texts[2] ?? '', /<br><b>Address:<\/b> https:\/\/shop\.example\/health$/, 'no fact is lost')
    }
  })
})

const input = (options: unknown, destination = 'On call') => ({ kind: 'google_chat', destination, options })

describe('a contact of google_chat', async () => {
  const server = await startReceiver()
  const { api, made, refusedFields, test } = await contactApi(netInPlaceOf(origin, server.url))
  /** Refuses what the published schema does not have. */
  const stand = ({ body, path }: Received) => {
    assert.ok(published.safeParse(JSON.parse(body)).success, body)
    assert.equal(path, new URL(webhookUrl).pathname + new URL(webhookUrl).search)
    return { status: 200, body: '{"name":"spaces/AAQAhunter2/messages/x.x","thread":{"name":"spaces/A/threads/x"}}' }
  }
  beforeEach(() => server.react(stand))

  it('is shown without the address of its webhook, to which it is sent', async () => {
    const contact = await made(input({ webhook_url: webhookUrl }))
    assert.deepEqual([contact.destination, contact.options ?? {}], ['On call', {}])
    assert.equal(await test(contact.id), '')
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/i)
    const { rows } = await api.database.pool.query<{ row: string; host: string }>(
      'select alert_channels::text as row, host from alert_channels where id = $1',
      [contact.id],
    )
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/i)
    assert.equal(rows[0]?.host, 'chat.googleapis.com')
  })

  const refused = [
    undefined,
    {},
    { webhook_url: null },
    { webhook_url: webhookUrl, colour: 'red' },
    { webhook_url: webhookUrl.replace('https:', 'http:') },
    { webhook_url: webhookUrl.replace('chat.', 'chat.x.') },
    { webhook_url: webhookUrl.replace('https://', 'https://user:secret@') },
    { webhook_url: webhookUrl.replace(/&token=.*/, '') },
    { webhook_url: webhookUrl.replace('/messages', '') },
    { webhook_url: 'https://10.0.0.8/v1/spaces/A/messages?key=k&token=t' },
  ]
  for (const options of refused)
    it(`refuses ${JSON.stringify(options)}`, async () =>
      assert.match((await refusedFields(input(options))).join(), /^options\.(?:webhook_url|colour)$/))

  it('refuses the address as the name', async () =>
    assert.deepEqual(await refusedFields(input({ webhook_url: webhookUrl }, webhookUrl)), ['destination']))

  it('says what Google says, without the address', async () => {
    const { id } = await made(input({ webhook_url: webhookUrl }))
    const message = `No rights at ${webhookUrl}, token ${token}, key ${key}`
    const body = JSON.stringify({ error: { code: 403, message, status: 'PERMISSION_DENIED' } })
    server.react(() => ({ status: 403, headers: { 'content-type': 'application/json; charset=UTF-8' }, body }))
    const said = await test(id)
    assert.match(said, /The contact answered 403: No rights at ••••••••, token ••••••••, key ••••••••$/)
  })
})

/** Errors of Google's APIs (https://google.aip.dev/193), and of the quotas of Chat. */
describe('judge of google_chat', async () => {
  const server = await startReceiver()
  const carriers = testCarriers({ net: netInPlaceOf(origin, server.url) })
  for (const [status, code, outcome, isGone] of [
    [200, null, 'delivered', undefined],
    [400, 'INVALID_ARGUMENT', 'failed', false],
    [401, 'UNAUTHENTICATED', 'try_again', undefined],
    [403, 'PERMISSION_DENIED', 'try_again', undefined],
    [404, 'NOT_FOUND', 'try_again', undefined],
    [404, null, 'try_again', undefined],
    [413, null, 'failed', false],
    [429, 'RESOURCE_EXHAUSTED', 'try_again', undefined],
    [500, 'INTERNAL', 'try_again', undefined],
    [503, 'UNAVAILABLE', 'try_again', undefined],
  ] as const)
    it(`takes ${status} ${code} for ${outcome}`, async () => {
      const body =
        code === null ? '<html></html>' : JSON.stringify({ error: { code: status, message: '', status: code } })
      server.react(() => ({ status, headers: { 'retry-after': '30' }, body }))
      const signal = AbortSignal.timeout(10_000)
      const attempt = await googleChat.attempt(alertOf('test'), context, { carriers, signal })
      assert.equal(attempt.outcome, outcome)
      assert.equal(attempt.outcome === 'failed' ? attempt.isGone : undefined, isGone)
      if (attempt.outcome === 'try_again') assert.equal(attempt.afterSeconds, 30)
    })
})
