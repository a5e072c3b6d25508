import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, findingAlertOf, findingOf, fullBundleOf, namedIn, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { mattermost, mattermostMessage } from './mattermost.ts'
import { errorOf } from './send.ts'

/**
 * What Mattermost takes of what is sent here
 * (https://developers.mattermost.com/integrate/webhooks/incoming/ and /integrate/reference/message-attachments/).
 */
const published = z.strictObject({
  channel: z.string().min(1),
  attachments: z.tuple([
    z.strictObject({
      fallback: z.string().min(1),
      color: z.string().regex(/^#[0-9a-f]{6}$/),
      title: z.string().min(1),
      title_link: z.url().optional(),
      text: z.string().min(1),
      fields: z.array(z.strictObject({ title: z.string().min(1), value: z.string(), short: z.boolean() })),
    }),
  ]),
})

const token = 'hunter2hunter2hunter2hunte'
const webhookUrl = `https://chat.example/hooks/${token}`
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'on-call',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
  options: { webhook_url: webhookUrl },
}

function sentOf(alert: Alert) {
  const { url, body } = mattermostMessage(alert, context)
  const { channel, attachments } = published.parse(JSON.parse(body))
  return { url, channel, attachments, attachment: attachments[0] }
}

/** As a server older than 6.0 counts it. */
function keptLength(attachments: unknown): number {
  return JSON.stringify(attachments).replaceAll(/[<>&]/g, '\\u0000').length
}

/** The text in which the server looks for mentions: without code, and without backslashes. */
function searched(shown: string): string {
  return shown.replaceAll(/(`+)[^`].*?[^`]\1(?!`)/g, ' ').replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')
}

function shownText(alert: Alert): string {
  return JSON.stringify(sentOf(alert).attachments)
}

describe('mattermostMessage', () => {
  it('tells an outage in the channel, in red, with a title that opens the incident', () => {
    const { url, channel, attachment } = sentOf(statusAlertOf('monitor.down'))
    assert.deepEqual([url, channel], [webhookUrl, 'on-call'])
    assert.deepEqual([attachment.title, attachment.color], ['Down: Shop API', '#d24b4e'])
    assert.match(attachment.title_link ?? '', /^https:\/\/perigee\.example\/incidents\//)
    assert.equal(attachment.text, 'Shop API is down.')
    assert.deepEqual(attachment.fields[0], { title: 'Cause', value: 'The server answered 503.', short: true })
    assert.deepEqual(attachment.fields.at(-1), {
      title: 'Address',
      value: '`https://shop.example/health`',
      short: true,
    })
  })

  it('of a recovery is green', () => assert.equal(sentOf(statusAlertOf('monitor.up')).attachment.color, '#3db887'))

  for (const type of alertTypes)
    it(`tells ${type}, and takes neither mention nor link nor mark-up from names`, () => {
      const name = '@channel <!here> #tag ~town-square :smile: [a](https://x.example) *b* __c__ ~~d~~ `e` www.x.example'
      const { attachment } = sentOf(alertOf(type, { name }))
      assert.equal(attachment.title_link === undefined, type === 'test')
      const { title, fallback, text, fields } = attachment
      for (const shown of [title, fallback, text, ...fields.flatMap((field) => [field.title, field.value])])
        assert.doesNotMatch(searched(shown), /[@#~][\w]|<!|:(?!\d\d:)\w+:|:\/\/|\w\.[a-z]|\]\(/)
      for (const shown of [text, ...fields.map(({ value }) => value)])
        assert.doesNotMatch(shown.replaceAll(/(`+)[^`].*?[^`]\1(?!`)/g, '').replaceAll(/\\./g, ''), /[*_`[\]#>|]/)
    })

  for (const name of ['# Shop', '- Shop', '+ Shop', '> Shop', '1. Shop', '1) Shop'])
    it(`begins no heading, list or quotation with "${name}"`, () => {
      const { text } = sentOf(statusAlertOf('monitor.down', { name })).attachment
      assert.match(text, /^(?:\d+)?\\/)
      assert.equal(text.replaceAll('\\', ''), `${name} is down.`)
    })

  it('writes an address as code, whatever it holds', () => {
    const down = statusAlertOf('monitor.down')
    const cause = 'Sent to https://x.example/``a`@b'
    const { attachment } = sentOf({ ...down, data: { ...down.data, incident: { ...down.data.incident, cause } } })
    assert.equal(attachment.fields[0]?.value, `\`\`\` ${cause.replace('@', '@\u2060')} \`\`\``)
  })

  it('names all of a bundle that older servers just take', () => {
    const { full, tooLong, count } = fullBundleOf(7600, shownText)
    assert.deepEqual([shownText(full).length, namedIn(shownText(full))], [7600, count])
    assert.ok(namedIn(shownText(tooLong)) < count)
  })

  it('has fields of up to 30 characters side by side', () => {
    const down = statusAlertOf('monitor.down')
    const isShort = (length: number): boolean | undefined => {
      const incident = { ...down.data.incident, cause: 'c'.repeat(length) }
      return sentOf({ ...down, data: { ...down.data, incident } }).attachment.fields[0]?.short
    }
    assert.deepEqual([isShort(30), isShort(31)], [true, false])
  })

  it('stays within the limit of older servers', () => {
    for (const character of ['a', '<', '*', '@x', 'ü', '😀']) {
      const long = character.repeat(5000)
      const down = statusAlertOf('monitor.down', { name: long })
      sentOf({ ...down, data: { ...down.data, incident: { ...down.data.incident, cause: long } } })
      const findings = Array.from({ length: 20 }, () =>
        findingOf({ summary: long, software_name: long, vuln_id: long }),
      )
      const { attachments } = sentOf(findingAlertOf(findings, 25))
      assert.ok(keptLength(attachments) <= 7600, `${character}: ${keptLength(attachments)}`)
      assert.ok(JSON.stringify(attachments).isWellFormed())
      assert.match(attachments[0].fields.at(-1)?.value ?? '', /^`https:\/\/shop/, 'no fact is lost')
    }
  })
})

const input = (options: unknown, destination = 'on-call') => ({ kind: 'mattermost', destination, options })

describe('a contact of mattermost', async () => {
  const server = await startReceiver()
  const url = `${server.url}/chat/hooks/${token}`
  const { api, made, refusedFields, test } = await contactApi()
  /** Refuses what the published schema does not have. */
  const stand = ({ body, path, headers }: Received) => {
    assert.ok(published.safeParse(JSON.parse(body)).success, body)
    assert.deepEqual([path, headers['content-type']], [`/chat/hooks/${token}`, 'application/json'])
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' }
  }
  beforeEach(() => server.react(stand))

  it('is shown without the address of its webhook, to which it is sent', async () => {
    const contact = await made(input({ webhook_url: url }))
    assert.deepEqual([contact.destination, contact.options ?? {}], ['on-call', {}])
    assert.equal(await test(contact.id), '')
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/)
    const { rows } = await api.database.pool.query<{ row: string; host: string }>(
      'select alert_channels::text as row, host from alert_channels where id = $1',
      [contact.id],
    )
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/)
    assert.equal(rows[0]?.host, new URL(url).host)
  })

  const refused = [
    undefined,
    {},
    { webhook_url: null },
    { webhook_url: webhookUrl, colour: 'red' },
    { webhook_url: webhookUrl.replace('https:', 'http:') },
    { webhook_url: webhookUrl.replace('https://', 'https://user:secret@') },
    { webhook_url: 'https://chat.example/' },
    { webhook_url: `${webhookUrl}?a=b` },
    { webhook_url: `${webhookUrl}#a` },
    { webhook_url: `https://10.0.0.8/hooks/${token}` },
  ]
  for (const options of refused)
    it(`refuses ${JSON.stringify(options)}`, async () =>
      assert.match((await refusedFields(input(options))).join(), /^options\.(?:webhook_url|colour)$/))

  for (const destination of ['Town Square', '#on-call', '~on-call', '@', 'a'.repeat(65), webhookUrl])
    it(`refuses the channel ${destination.slice(0, 20)}`, async () =>
      assert.deepEqual(await refusedFields(input({ webhook_url: webhookUrl }, destination)), ['destination']))

  for (const destination of ['town-square', 'on_call2', '@ada.lovelace'])
    it(`takes the channel ${destination}`, async () => {
      await made(input({ webhook_url: webhookUrl }, destination))
    })

  it('says what Mattermost says, without the address', async () => {
    const { id } = await made(input({ webhook_url: url }))
    const message = `Invalid webhook ${token} at ${url}`
    server.react(() => ({
      status: 400,
      body: JSON.stringify({ id: 'web.incoming_webhook.invalid.app_error', message, status_code: 400 }),
    }))
    assert.match(await test(id), /The contact answered 400: Invalid webhook •••••••• at ••••••••$/)
  })
})

/** Errors as https://developers.mattermost.com/api-documentation/ has them, in the words of its server. */
describe('judge of mattermost', async () => {
  const server = await startReceiver()
  const options = { webhook_url: `${server.url}/hooks/${token}` }
  const attempted = () =>
    mattermost.attempt(
      alertOf('test'),
      { ...context, options },
      { carriers: testCarriers(), signal: AbortSignal.timeout(10_000) },
    )

  for (const [status, id, message, outcome, isGone] of [
    [400, 'web.incoming_webhook.invalid', 'Invalid webhook.', 'try_again', undefined],
    [400, 'web.incoming_webhook.user', "Couldn't find the user.", 'try_again', undefined],
    [400, 'web.incoming_webhook.text', 'No text specified.', 'failed', false],
    [400, 'web.incoming_webhook.split_props_length', 'Unable to split webhook props.', 'failed', false],
    [403, 'web.incoming_webhook.channel_locked', 'Not permitted in the requested channel.', 'try_again', undefined],
    [403, 'web.incoming_webhook.permissions', 'Inappropriate channel permissions.', 'try_again', undefined],
    [404, 'web.incoming_webhook.channel', "Couldn't find the channel.", 'failed', true],
    [404, 'api.context.404', 'Sorry, we could not find the page.', 'try_again', undefined],
    [413, 'api.context.request_body_too_large', 'Request body too large.', 'failed', false],
    [500, 'web.incoming_webhook.channel', "Couldn't find the channel.", 'try_again', undefined],
    [501, 'web.incoming_webhook.disabled', 'Incoming webhooks have been disabled.', 'try_again', undefined],
  ] as const)
    it(`takes ${status} "${message}" for ${outcome}`, async () => {
      const body = JSON.stringify({ id: `${id}.app_error`, message, request_id: 'r', status_code: status })
      server.react(() => ({ status, body }))
      const attempt = await attempted()
      assert.equal(attempt.outcome, outcome)
      assert.equal(attempt.outcome === 'failed' ? attempt.isGone : undefined, isGone)
      assert.equal(errorOf(attempt), `The contact answered ${status}: ${message}`)
    })

  it('waits as long as Mattermost asks', async () => {
    server.react(() => ({ status: 429, headers: { 'retry-after': '7' }, body: 'limit exceeded' }))
    const attempt = await attempted()
    assert.deepEqual([attempt.outcome, attempt.outcome === 'try_again' && attempt.afterSeconds], ['try_again', 7])
  })

  it('tries again where something before Mattermost answers 404', async () => {
    server.react(() => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<html></html>' }))
    assert.equal((await attempted()).outcome, 'try_again')
  })
})
