import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, findingAlertOf, findingOf, fullBundleOf, namedIn, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi, netInPlaceOf } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { telegram, telegramMessage } from './telegram.ts'

const urlButton = z.strictObject({ text: z.string().min(1), url: z.url() })
/** What Telegram takes of what is sent here (https://core.telegram.org/bots/api#sendmessage). */
const published = z.strictObject({
  chat_id: z.union([z.int(), z.string().regex(/^@\w{4,32}$/)]),
  message_thread_id: z.int().optional(),
  text: z.string().min(1).max(4096),
  entities: z.array(z.strictObject({ type: z.enum(['bold', 'code']), offset: z.int(), length: z.int().min(1) })),
  link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
  reply_parameters: z
    .strictObject({ message_id: z.int().min(1), allow_sending_without_reply: z.literal(true) })
    .optional(),
  reply_markup: z
    .strictObject({
      inline_keyboard: z.tuple([z.tuple([urlButton], urlButton)]),
    })
    .optional(),
})

const token = '123456789:AAHunter2Hunter2Hunter2Hunter2Hunt-_'
const origin = 'https://api.telegram.org'
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: '-1001234567890',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
  options: { token },
}

function sentOf(
  alert: Alert,
  changes: Partial<typeof context & { earlier: { reference: string }; acknowledgeUrl: string }> = {},
) {
  const { url, body } = telegramMessage(alert, { ...context, ...changes })
  const sent = published.parse(JSON.parse(body))
  const marked = sent.entities.map(({ type, offset, length }) => [type, sent.text.slice(offset, offset + length)])
  return { url, sent, marked, codes: marked.flatMap(([type, text]) => (type === 'code' ? [text] : [])) }
}

/** The text outside of code, in which Telegram looks for links, names, tags and commands. */
function searchedText({ text, entities }: z.infer<typeof published>): string {
  const codes = entities.filter(({ type }) => type === 'code').toReversed()
  return codes.reduce((left, { offset, length }) => left.slice(0, offset) + left.slice(offset + length), text)
}

const found = /[@#$]\w|\/\w|:\/\/|\w\.\w/

function shownText(alert: Alert): string {
  return sentOf(alert).sent.text
}

describe('telegramMessage', () => {
  it('tells an outage with a bold headline and a button that opens the incident', () => {
    const { url, sent, marked } = sentOf(statusAlertOf('monitor.down'))
    assert.equal(url, `${origin}/bot${token}/sendMessage`)
    assert.equal(sent.chat_id, -1001234567890)
    assert.match(sent.text, /^🔴 Down: Shop API\nShop API is down\.\nCause: The server answered 503\.\nSince: /)
    assert.deepEqual(marked, [
      ['bold', 'Down: Shop API'],
      ['code', 'https://shop.example/health'],
    ])
    const [[button]] = sent.reply_markup?.inline_keyboard ?? assert.fail('no button')
    assert.equal(button.text, 'Open the incident')
    assert.match(button.url, /^https:\/\/perigee\.example\/incidents\//)
  })

  it('goes to a channel by its name, and to a topic by its number', () => {
    const options = { token, message_thread_id: 42 }
    const { sent } = sentOf(alertOf('test'), { destination: '@perigee_alerts', options })
    assert.deepEqual([sent.chat_id, sent.message_thread_id], ['@perigee_alerts', 42])
  })

  it('goes to a server of your own, below its path', () => {
    const options = { token, server: 'https://bots.example:8081/telegram/' }
    const { url } = sentOf(alertOf('test'), { options })
    assert.equal(url, `https://bots.example:8081/telegram/bot${token}/sendMessage`)
  })

  it('of a recovery or a reminder answers the message of its outage, and comes without it where that was deleted', () => {
    for (const type of ['monitor.up', 'monitor.reminder'] as const) {
      const { sent } = sentOf(statusAlertOf(type), { earlier: { reference: '4711' } })
      assert.deepEqual(sent.reply_parameters, { message_id: 4711, allow_sending_without_reply: true })
    }
  })

  it('answers the first message of a chat, too', () => {
    const { sent } = sentOf(statusAlertOf('monitor.up'), { earlier: { reference: '1' } })
    assert.equal(sent.reply_parameters?.message_id, 1)
  })

  for (const reference of ['', 'x', '0', '-1', '1.5', '1e400'])
    it(`answers no message "${reference}"`, () =>
      assert.equal(sentOf(statusAlertOf('monitor.up'), { earlier: { reference } }).sent.reply_parameters, undefined))

  for (const [type, mark] of [
    ['monitor.up', '🟢'],
    ['monitor.reminder', '🔴'],
    ['monitor.degraded', '🟠'],
    ['monitor.degraded_ended', '🟢'],
    ['monitor.slow', '🟠'],
    ['monitor.slow_ended', '🟢'],
    ['monitor.unstable', '🟠'],
    ['monitor.unstable_ended', '🟢'],
    ['certificate.expiring', '🟠'],
    ['test', '🔵'],
  ] as const)
    it(`begins ${type} with ${mark}`, () => assert.ok(sentOf(alertOf(type)).sent.text.startsWith(`${mark} `)))

  for (const type of alertTypes)
    it(`tells ${type} in a text in which Telegram finds no link`, () => {
      const { sent } = sentOf(alertOf(type, { name: 'www.shop.com @all #shop $USD /start a@b.com tg://x' }))
      assert.doesNotMatch(searchedText(sent), found)
      assert.equal(sent.reply_markup === undefined, type === 'test')
    })

  it('writes the address where Telegram would refuse a button', () => {
    const { sent, codes } = sentOf(alertOf('monitor.down'), { publicUrl: 'http://localhost:8080' })
    assert.equal(sent.reply_markup, undefined)
    const acknowledgeUrl = 'http://localhost:8080/incidents/acknowledge/token'
    const chosen = sentOf(alertOf('monitor.down'), { publicUrl: 'http://localhost:8080', acknowledgeUrl })
    assert.deepEqual(chosen.codes, [...codes.slice(0, -1), acknowledgeUrl, ...codes.slice(-1)])
    assert.match(codes.at(-1) ?? '', /^http:\/\/localhost:8080\/incidents\//)
  })

  it('leaves mark-up in names as it is', () => {
    const { sent } = sentOf(statusAlertOf('monitor.down', { name: '<b>*x*</b> &lt; `y`' }))
    assert.match(sent.text, /\n<b>\*x\*<\/\u2060b> &lt; `y` is down\.\n/)
  })

  it('names all of a bundle that has just room in 4,096 characters', () => {
    const { full, tooLong, count } = fullBundleOf(4096, shownText)
    assert.deepEqual([shownText(full).length, namedIn(shownText(full))], [4096, count])
    assert.ok(namedIn(shownText(tooLong)) < count)
  })

  it('stays within 4,096 characters', () => {
    for (const character of ['a', '.', '@x', 'ü', '😀']) {
      const long = character.repeat(5000)
      const down = statusAlertOf('monitor.down', { name: long })
      sentOf({ ...down, data: { ...down.data, incident: { ...down.data.incident, cause: long } } })
      const findings = Array.from({ length: 20 }, () =>
        findingOf({ summary: long, software_name: long, vuln_id: long }),
      )
      const { sent, codes } = sentOf(findingAlertOf(findings, 25))
      assert.ok(sent.text.isWellFormed())
      assert.match(codes.at(-1) ?? '', /^https:\/\/shop/, 'no fact is lost')
    }
  })
})

describe('what telegram takes', () => {
  for (const [topic, isTaken] of [
    [0, false],
    [1, true],
    [2_147_483_647, true],
    [2_147_483_648, false],
  ] as const)
    it(`${isTaken ? 'has' : 'has no'} topic ${topic}`, () =>
      assert.equal(telegram.options.safeParse({ token, message_thread_id: topic }).success, isTaken))

  for (const [chat, isTaken] of [
    ['1', true],
    ['4503599627370495', true],
    ['4503599627370496', false],
    ['-4503599627370496', false],
  ] as const)
    it(`${isTaken ? 'has' : 'has no'} chat ${chat}`, () =>
      assert.equal(telegram.destinationProblem(chat, () => false) === null, isTaken))
})

const input = (options: unknown, destination = '-1001234567890') => ({ kind: 'telegram', destination, options })

describe('a contact of telegram', async () => {
  const server = await startReceiver()
  const { api, made, refusedFields, test } = await contactApi(netInPlaceOf(origin, server.url))
  /** Refuses what the published schema does not have. */
  const stand = ({ body, path, headers }: Received) => {
    assert.ok(published.safeParse(JSON.parse(body)).success, body)
    assert.deepEqual([path, headers['content-type']], [`/bot${token}/sendMessage`, 'application/json'])
    return { status: 200, body: '{"ok":true,"result":{"message_id":1,"date":1643935928,"chat":{"id":-1001234567890}}}' }
  }
  beforeEach(() => server.react(stand))

  it('is shown without its token, with which it is sent', async () => {
    const contact = await made(input({ token, message_thread_id: 7 }))
    assert.deepEqual([contact.destination, contact.options], ['-1001234567890', { message_thread_id: 7 }])
    assert.equal(await test(contact.id), '')
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/i)
    const { rows } = await api.database.pool.query<{ row: string; host: string }>(
      'select alert_channels::text as row, host from alert_channels where id = $1',
      [contact.id],
    )
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/i)
    assert.equal(rows[0]?.host, 'api.telegram.org')
  })

  const refused = [
    undefined,
    {},
    { token: null },
    { token: `bot${token}` },
    { token: '123456:with/slash-and-more-of-it' },
    { token, message_thread_id: 0 },
    { token, server: 'https://10.0.0.8' },
    { token, server: 'http://bots.example' },
    { token, server: 'https://bots.example/?a=b' },
  ]
  for (const options of refused)
    it(`refuses ${JSON.stringify(options)}`, async () =>
      assert.match((await refusedFields(input(options))).join(), /^options\.(?:token|message_thread_id|server)$/))

  it('keeps its token from another server, unless it is given again', async () => {
    const { id } = await made(input({ token }))
    const changed = (options: unknown) => api.request('PATCH', `/alert-channels/${id}`, { body: { options } })
    const answer = await changed({ server: 'https://bots.example' })
    assert.equal(answer.status, 422)
    assert.match(answer.text, /"options\.token"/)
    assert.equal((await changed({ server: 'https://bots.example', token })).status, 200)
  })

  for (const destination of ['On call', '0', '-', '12345678901234567', '@abc', '@1abcd', 'https://t.me/perigee', token])
    it(`refuses the chat ${destination.slice(0, 20)}`, async () =>
      assert.deepEqual(await refusedFields(input({ token }, destination)), ['destination']))

  for (const destination of ['12345', '-4503599627370495', '@perigee_alerts'])
    it(`takes the chat ${destination}`, async () => {
      await made(input({ token }, destination))
    })

  it('says what Telegram says, without the token in its address', async () => {
    const { id } = await made(input({ token }))
    const description = `Not Found: ${origin}/bot${token}/sendMessage ${encodeURIComponent(token)}`
    server.react(() => ({ status: 404, body: JSON.stringify({ ok: false, error_code: 404, description }) }))
    const said = await test(id)
    assert.match(
      said,
      /The contact answered 404: Not Found: https:\/\/api\.telegram\.org\/bot••••••••\/sendMessage ••••••••$/,
    )
  })
})

/** Errors as https://core.telegram.org/bots/api#making-requests has them, in the words of Telegram's server. */
describe('judge of telegram', async () => {
  const server = await startReceiver()
  const carriers = testCarriers({ net: netInPlaceOf(origin, server.url) })
  const attemptWith = (status: number, description: string, parameters?: Record<string, number>) => {
    server.react(() => ({
      status,
      body: JSON.stringify({ ok: false, error_code: status, description, ...(parameters && { parameters }) }),
    }))
    return telegram.attempt(alertOf('test'), context, { carriers, signal: AbortSignal.timeout(10_000) })
  }

  for (const [status, description, outcome, isGone] of [
    [400, 'Bad Request: chat not found', 'failed', false],
    [400, 'Bad Request: message thread not found', 'failed', false],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'try_again', undefined],
    [400, 'Bad Request: need administrator rights in the channel chat', 'try_again', undefined],
    [400, 'Bad Request: TOPIC_CLOSED', 'try_again', undefined],
    [401, 'Unauthorized', 'try_again', undefined],
    [403, 'Forbidden: bot was kicked from the supergroup chat', 'try_again', undefined],
    [403, 'Forbidden: bot was blocked by the user', 'try_again', undefined],
    [403, 'Forbidden: the group chat was deleted', 'failed', true],
    [403, 'Forbidden: user is deactivated', 'failed', true],
    [404, 'Not Found', 'try_again', undefined],
    [500, 'Internal Server Error', 'try_again', undefined],
  ] as const)
    it(`takes "${description}" for ${outcome}`, async () => {
      const attempt = await attemptWith(status, description)
      assert.equal(attempt.outcome, outcome)
      assert.equal(attempt.outcome === 'failed' ? attempt.isGone : undefined, isGone)
    })

  it('waits as long as Telegram asks', async () => {
    const attempt = await attemptWith(429, 'Too Many Requests: retry after 35', { retry_after: 35 })
    assert.deepEqual([attempt.outcome, attempt.outcome === 'try_again' && attempt.afterSeconds], ['try_again', 35])
  })

  it('tells the new id of a group that became a supergroup', async () => {
    const description = 'Bad Request: group chat was upgraded to a supergroup chat'
    const error = `The contact answered 400: ${description}. The id of the chat is now -1009876543210.`
    assert.deepEqual(await attemptWith(400, description, { migrate_to_chat_id: -1009876543210 }), {
      outcome: 'failed',
      error,
      isGone: true,
      statusCode: 400,
    })
  })

  for (const [body, reference] of [
    ['{"ok":true,"result":{"message_id":4711,"chat":{"id":1}}}', '4711'],
    ['{"ok":true,"result":{"message_id":1,"chat":{"id":1}}}', '1'],
    ['{"ok":true,"result":{"message_id":0,"chat":{"id":1}}}', undefined],
    ['{"ok":true,"result":{}}', undefined],
    ['{"ok":true,"result":{"message_id":"x"}}', undefined],
    ['ok', undefined],
  ] as const)
    it(`takes ${reference ?? 'nothing'} for the id of the message in ${body}`, async () => {
      server.react(() => ({ status: 200, body }))
      const attempt = await telegram.attempt(alertOf('test'), context, {
        carriers,
        signal: AbortSignal.timeout(10_000),
      })
      assert.deepEqual(attempt, { outcome: 'delivered', statusCode: 200, ...(reference && { reference }) })
    })

  it('tries again after an answer that is none of Telegram', async () => {
    server.react(() => ({ status: 502, body: '<html></html>' }))
    const attempt = await telegram.attempt(alertOf('test'), context, { carriers, signal: AbortSignal.timeout(10_000) })
    assert.equal(attempt.outcome, 'try_again')
  })
})
