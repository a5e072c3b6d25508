import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, findingAlertOf, findingOf, fullBundleOf, namedIn, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi, netInPlaceOf } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { discord, discordMessage } from './discord.ts'

/**
 * What Discord takes of what is sent here, within its limits
 * (https://docs.discord.com/developers/resources/message#embed-object).
 */
const published = z.strictObject({
  embeds: z.tuple([
    z.strictObject({
      title: z.string().min(1).max(256),
      description: z.string().min(1).max(4096),
      color: z.int().min(0).max(0xffffff),
      timestamp: z.iso.datetime(),
    }),
  ]),
  allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
})

const token = 'Hunter2Hunter2_Hunter2-Hunter2Hunter2Hunter2Hunter2Hunter2'
const origin = 'https://discord.com'
const webhookUrl = `${origin}/api/webhooks/1234567890123456789/${token}`
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: '#on-call',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
  options: { webhook_url: webhookUrl },
}

function sentOf(alert: Alert, changes: Partial<typeof context> = {}) {
  const { url, body } = discordMessage(alert, { ...context, ...changes })
  const [embed] = published.parse(JSON.parse(body)).embeds
  return { url, embed, lines: embed.description.split('\n') }
}

const escaped = /\\[^0-9A-Za-z\s]/g
const markup = /[*_~`|>#[\]()<:@]/

function shownText(alert: Alert): string {
  return sentOf(alert).embed.description
}

describe('discordMessage', () => {
  it('tells an outage in a red embed with a link that opens the incident', () => {
    const { url, embed, lines } = sentOf(statusAlertOf('monitor.down'))
    assert.equal(url, `${origin}/api/v10/webhooks/1234567890123456789/${token}?wait=true`)
    assert.equal(embed.title.replaceAll('\\', ''), 'Down: Shop API')
    assert.equal(embed.color, 0xda373c)
    assert.equal(lines[0], 'Shop API is down.')
    assert.equal(lines[1], '**Cause:** The server answered 503.')
    assert.match(lines.at(-1) ?? '', /^\[Open the incident\]\(https:\/\/perigee\.example\/incidents\/[\w-]+\)$/)
  })

  it('writes to the thread that the address names, by one release of the API', () => {
    const options = { webhook_url: `${webhookUrl.replace('/api/', '/api/v9/')}?thread_id=42` }
    const { url } = sentOf(alertOf('test'), { options })
    assert.equal(url, `${origin}/api/v10/webhooks/1234567890123456789/${token}?thread_id=42&wait=true`)
  })

  it('of a recovery is green', () => assert.equal(sentOf(statusAlertOf('monitor.up')).embed.color, 0x23a55a))

  for (const type of alertTypes)
    it(`tells ${type}, and takes neither mention nor link nor mark-up from names`, () => {
      const name = '@everyone <@1> <t:1> :smile: [a](https://x.example) *b* _c_ ~~d~~ `e` ||f|| \\*'
      const { embed, lines } = sentOf(alertOf(type, { name }))
      const isLinked =
        /^\[Open the (?:incident|monitor|objective|maintenance)\]\(https:\/\/perigee\.example\/[\w/-]+\)$/
      assert.equal(isLinked.test(lines.at(-1) ?? ''), type !== 'test')
      const texts = lines.filter((line) => !isLinked.test(line)).map((line) => line.replace(/^\*\*(.*?):\*\*/, '$1'))
      for (const text of [embed.title, ...texts]) assert.doesNotMatch(text.replaceAll(escaped, ''), markup)
    })

  for (const name of ['# Shop', '- Shop', '+ Shop', '> Shop', '1. Shop', '-# Shop'])
    it(`begins no heading, list or quotation with "${name}"`, () => {
      const { lines } = sentOf(statusAlertOf('monitor.down', { name }))
      assert.doesNotMatch(lines[0] ?? '', /^(?:[-+#>]|\d+\.)/)
      assert.equal(lines[0]?.replaceAll('\\', ''), `${name} is down.`)
    })

  const titles: [name: string, title: string][] = [
    ['a'.repeat(249), `Down\\: ${'a'.repeat(249)}`],
    ['a'.repeat(250), `Down\\: ${'a'.repeat(121)}…`],
    ['*'.repeat(200), `Down\\: ${String.raw`\*`.repeat(121)}…`],
  ]
  for (const [name, title] of titles)
    it(`cuts a title of ${name.length} times ${name.slice(0, 1)} to ${title.length} characters`, () =>
      assert.equal(sentOf(statusAlertOf('monitor.down', { name })).embed.title, title))

  it('names all of a bundle that has just room in a description', () => {
    const { full, tooLong, count } = fullBundleOf(4096, shownText)
    assert.deepEqual([shownText(full).length, namedIn(shownText(full))], [4096, count])
    assert.ok(namedIn(shownText(tooLong)) < count)
  })

  it("stays within Discord's limits", () => {
    for (const character of ['a', '*', 'ü', '😀']) {
      const long = character.repeat(5000)
      const down = statusAlertOf('monitor.down', { name: long })
      sentOf({ ...down, data: { ...down.data, incident: { ...down.data.incident, cause: long } } })
      const findings = Array.from({ length: 20 }, () =>
        findingOf({ summary: long, software_name: long, vuln_id: long }),
      )
      const { embed, lines } = sentOf(findingAlertOf(findings, 25))
      assert.ok(`${embed.title}${embed.description}`.isWellFormed())
      assert.match(lines.at(-2) ?? '', /^\*\*Address:\*\* https\\:\/\/shop/, 'no fact is lost')
    }
  })
})

const input = (options: unknown, destination = '#on-call') => ({ kind: 'discord', destination, options })

/** Refuses what the published schema does not have. */
function stand({ body, path }: Received) {
  assert.ok(published.safeParse(JSON.parse(body)).success, body)
  assert.equal(path, `/api/v10/webhooks/1234567890123456789/${token}?wait=true`)
  return { status: 200, body: '{"id":"1234567890123456790","type":0,"content":"","channel_id":"1"}' }
}

describe('a contact of discord', async () => {
  const server = await startReceiver()
  const { api, made, refusedFields, test } = await contactApi(netInPlaceOf(origin, server.url))
  beforeEach(() => server.react(stand))

  it('is shown without the address of its webhook, to which it is sent', async () => {
    const contact = await made(input({ webhook_url: webhookUrl }))
    assert.deepEqual([contact.destination, contact.options ?? {}], ['#on-call', {}])
    assert.equal(await test(contact.id), '')
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/i)
    const { rows } = await api.database.pool.query<{ row: string; host: string }>(
      'select alert_channels::text as row, host from alert_channels where id = $1',
      [contact.id],
    )
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/i)
    assert.equal(rows[0]?.host, 'discord.com')
  })

  const refused = [
    undefined,
    {},
    { webhook_url: null },
    { webhook_url: webhookUrl, colour: 'red' },
    { webhook_url: webhookUrl.replace('https:', 'http:') },
    { webhook_url: webhookUrl.replace('discord.com', 'discord.com.x.example') },
    { webhook_url: webhookUrl.replace('https://', 'https://user:secret@') },
    { webhook_url: `${webhookUrl}/slack` },
    { webhook_url: `${webhookUrl}?wait=false` },
    { webhook_url: `${webhookUrl}?wait=1` },
    { webhook_url: `${webhookUrl}?thread_id=x` },
    { webhook_url: `${origin}/api/webhooks/1234567890123456789` },
    { webhook_url: 'https://10.0.0.8/api/webhooks/1/t' },
  ]
  for (const options of refused)
    it(`refuses ${JSON.stringify(options)}`, async () =>
      assert.match((await refusedFields(input(options))).join(), /^options\.(?:webhook_url|colour)$/))

  for (const host of ['ptb.discord.com', 'canary.discord.com', 'discordapp.com'])
    it(`takes the address of a webhook at ${host}`, async () => {
      await made(input({ webhook_url: `${webhookUrl.replace('discord.com', host)}?thread_id=1` }))
    })

  it('refuses the address as the name', async () =>
    assert.deepEqual(await refusedFields(input({ webhook_url: webhookUrl }, webhookUrl)), ['destination']))

  it('says what Discord says, without the address', async () => {
    const { id } = await made(input({ webhook_url: webhookUrl }))
    const message = `Missing Permissions at ${webhookUrl} with ${token}`
    server.react(() => ({ status: 403, body: JSON.stringify({ message, code: 50013 }) }))
    assert.match(await test(id), /The contact answered 403: Missing Permissions at •••••••• with ••••••••$/)
  })
})

/** Errors as https://docs.discord.com/developers/topics/opcodes-and-status-codes lists them. */
describe('judge of discord', async () => {
  const server = await startReceiver()
  const carriers = testCarriers({ net: netInPlaceOf(origin, server.url) })
  const attempted = () => discord.attempt(alertOf('test'), context, { carriers, signal: AbortSignal.timeout(10_000) })

  for (const [status, code, message, outcome, isGone] of [
    [400, 50035, 'Invalid Form Body', 'failed', false],
    [400, 220001, 'Webhooks posted to forum channels must have a thread_name or thread_id', 'failed', false],
    [401, 0, '401: Unauthorized', 'try_again', undefined],
    [401, 50027, 'Invalid Webhook Token', 'failed', false],
    [403, 50013, 'Missing Permissions', 'try_again', undefined],
    [404, 10015, 'Unknown Webhook', 'failed', true],
    [404, 10003, 'Unknown Channel', 'failed', true],
    [404, 0, '404: Not Found', 'try_again', undefined],
    [413, 40005, 'Request entity too large', 'failed', false],
    [500, 0, 'Internal Server Error', 'try_again', undefined],
  ] as const)
    it(`takes ${status} ${code} ${message} for ${outcome}`, async () => {
      server.react(() => ({ status, body: JSON.stringify({ message, code }) }))
      const attempt = await attempted()
      assert.equal(attempt.outcome, outcome)
      assert.equal(attempt.outcome === 'failed' ? attempt.isGone : undefined, isGone)
    })

  for (const [headers, seconds] of [
    [{}, 65],
    [{ 'retry-after': '70' }, 70],
  ] as const)
    it(`waits ${seconds} s where Discord asks for it`, async () => {
      const body = '{"message":"You are being rate limited.","retry_after":64.57,"global":false}'
      server.react(() => ({ status: 429, headers, body }))
      const attempt = await attempted()
      assert.deepEqual(
        [attempt.outcome, attempt.outcome === 'try_again' && attempt.afterSeconds],
        ['try_again', seconds],
      )
    })

  it('tries again where something before Discord refuses it', async () => {
    server.react(() => ({ status: 429, headers: { 'content-type': 'text/html' }, body: '<html></html>' }))
    assert.equal((await attempted()).outcome, 'try_again')
  })
})
