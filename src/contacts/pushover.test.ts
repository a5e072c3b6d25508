import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, findingAlertOf, findingOf, fullBundleOf, namedIn, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi, netInPlaceOf } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { pushover, pushoverMessage } from './pushover.ts'

const key = z.string().regex(/^[A-Za-z0-9]{30}$/)
const common = {
  token: key,
  user: key,
  device: z
    .string()
    .regex(/^[\w-]{1,25}$/)
    .optional(),
  title: z.string().min(1).max(250),
  message: z.string().min(1).max(1024),
  sound: z.string().min(1).optional(),
  timestamp: z.string().regex(/^\d+$/),
  url: z.url().max(512).optional(),
  url_title: z.string().min(1).max(100).optional(),
}
/** What Pushover takes of what is sent here (https://pushover.net/api). */
const published = z.discriminatedUnion('priority', [
  z.strictObject({ ...common, priority: z.literal('0') }),
  z.strictObject({ ...common, priority: z.literal('1') }),
  z.strictObject({
    ...common,
    priority: z.literal('2'),
    retry: z.coerce.number().min(30),
    expire: z.coerce.number().max(10_800),
  }),
])

const origin = 'https://api.pushover.net'
const secrets = { app_token: 'aHunter2aHunter2aHunter2aHunte', user_key: 'uHunter2uHunter2uHunter2uHunte' }
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: "Ada's phone",
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
  options: secrets,
}

function readForm(body: string) {
  return published.safeParse(Object.fromEntries(new URLSearchParams(body)))
}

function sentOf(alert: Alert, options: Record<string, unknown> = {}, publicUrl = context.publicUrl) {
  const { url, body } = pushoverMessage(alert, { ...context, publicUrl, options: { ...secrets, ...options } })
  return { url, sent: readForm(body).data ?? assert.fail(body) }
}

function shownText(alert: Alert): string {
  return sentOf(alert).sent.message
}

/** An address of this length. */
function addressOf(length: number): string {
  const start = 'https://perigee.example/'
  return start + 'a'.repeat(length - start.length)
}

/** Whether a text has a link that acknowledges of this length. */
function hasTaking(length: number): boolean {
  const { body } = pushoverMessage(statusAlertOf('monitor.down'), { ...context, acknowledgeUrl: addressOf(length) })
  return readForm(body).data?.message.includes('\nAcknowledge: https://') ?? assert.fail(body)
}

describe('pushoverMessage', () => {
  it('tells an outage with high priority and a link that opens the incident', () => {
    const { url, sent } = sentOf(statusAlertOf('monitor.down'))
    assert.equal(url, `${origin}/1/messages.json`)
    assert.deepEqual(
      [sent.token, sent.user, sent.device, sent.sound],
      [...Object.values(secrets), undefined, undefined],
    )
    assert.deepEqual([sent.title, sent.priority], ['Down: Shop API', '1'])
    assert.match(sent.message, /^Shop API is down\.\nCause: The server answered 503\.\nSince: /)
    assert.match(sent.url ?? '', /^https:\/\/perigee\.example\/incidents\//)
    assert.equal(sent.url_title, 'Open the incident')
    assert.equal(sent.timestamp, String(Date.parse('2026-11-21T10:04:00.000Z') / 1000))
  })

  it('repeats an outage until it is confirmed, where that is chosen', () => {
    const { sent } = sentOf(statusAlertOf('monitor.down'), { emergency: true })
    assert.partialDeepStrictEqual(sent, { priority: '2', retry: 60, expire: 3000 })
    assert.equal(sentOf(statusAlertOf('monitor.up'), { emergency: true }).sent.priority, '0')
  })

  it('goes to the chosen device, with the chosen sound in outages', () => {
    const chosen = { device: 'pixel-9', sound: 'siren' }
    const down = sentOf(statusAlertOf('monitor.down'), chosen).sent
    assert.deepEqual([down.device, down.sound], ['pixel-9', 'siren'])
    const up = sentOf(statusAlertOf('monitor.up'), chosen).sent
    assert.deepEqual([up.device, up.sound, up.priority], ['pixel-9', undefined, '0'])
  })

  for (const type of alertTypes)
    it(`tells ${type} in a text in which the apps find no link`, () => {
      const { sent } = sentOf(alertOf(type, { name: 'www.shop.com a@b.com https://x.example <b>x</b>' }))
      for (const shown of [sent.title, sent.message]) assert.doesNotMatch(shown, /:\/\/|@\w|\w\.[a-z]/)
      assert.equal(sent.url === undefined, type === 'test')
    })

  it('leaves out a link that is too long', () =>
    assert.equal(
      sentOf(statusAlertOf('monitor.down'), {}, `https://perigee.example/${'a'.repeat(500)}`).sent.url,
      undefined,
    ))

  it('has links of up to 512 characters, beside its text and in it', () => {
    const incident = '/incidents/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22'
    const urlOf = (length: number) =>
      sentOf(statusAlertOf('monitor.down'), {}, addressOf(length - incident.length)).sent.url
    assert.deepEqual([urlOf(512)?.length, urlOf(513)], [512, undefined])
    assert.deepEqual([hasTaking(512), hasTaking(513)], [true, false])
  })

  const titles: [name: string, title: string][] = [
    ['a'.repeat(244), `Down: ${'a'.repeat(244)}`],
    ['a'.repeat(245), `Down: ${'a'.repeat(118)}…`],
    ['@'.repeat(200), `Down: ${'@\u2060'.repeat(118)}…`],
  ]
  for (const [name, title] of titles)
    it(`cuts a title of ${name.length} times ${name.slice(0, 1)} to ${title.length} characters`, () =>
      assert.equal(sentOf(statusAlertOf('monitor.down', { name })).sent.title, title))

  it('names all of a bundle that has just room in a message', () => {
    const { full, tooLong, count } = fullBundleOf(1024, shownText)
    assert.deepEqual([shownText(full).length, namedIn(shownText(full))], [1024, count])
    assert.ok(namedIn(shownText(tooLong)) < count)
  })

  it("stays within Pushover's limits", () => {
    for (const character of ['a', '.', '@x', 'ü', '😀']) {
      const long = character.repeat(5000)
      const down = statusAlertOf('monitor.down', { name: long })
      sentOf({ ...down, data: { ...down.data, incident: { ...down.data.incident, cause: long } } })
      const findings = Array.from({ length: 20 }, () =>
        findingOf({ summary: long, software_name: long, vuln_id: long }),
      )
      const { sent } = sentOf(findingAlertOf(findings, 25))
      assert.ok(`${sent.title}${sent.message}`.isWellFormed())
      assert.match(sent.message, /\nAddress: [^\n]+$/, 'no fact is lost')
    }
  })
})

const input = (options: unknown, destination = context.destination) => ({ kind: 'pushover', destination, options })

/** Refuses what the published schema does not have. */
function stand({ body, path, headers }: Received) {
  assert.ok(readForm(body).success, body)
  assert.deepEqual([path, headers['content-type']], ['/1/messages.json', 'application/x-www-form-urlencoded'])
  return { status: 200, body: '{"status":1,"request":"647d2300-702c-4b38-8b2f-d56326ae460b"}' }
}

describe('a contact of pushover', async () => {
  const server = await startReceiver()
  const { api, made, refusedFields, test } = await contactApi(netInPlaceOf(origin, server.url))
  beforeEach(() => server.react(stand))

  it('is shown without token and key, with which it is sent', async () => {
    const contact = await made(input({ ...secrets, sound: 'siren' }))
    assert.deepEqual([contact.destination, contact.options], [context.destination, { sound: 'siren' }])
    assert.equal(await test(contact.id), '')
    assert.doesNotMatch((await api.get('/alert-channels')).text, /Hunter2/)
    const { rows } = await api.database.pool.query<{ row: string; host: string }>(
      'select alert_channels::text as row, host from alert_channels where id = $1',
      [contact.id],
    )
    assert.doesNotMatch(rows[0]?.row ?? 'Hunter2', /Hunter2/)
    assert.equal(rows[0]?.host, 'api.pushover.net')
  })

  const refused = [
    undefined,
    {},
    { app_token: secrets.app_token },
    { user_key: secrets.user_key },
    { ...secrets, user_key: 'ada@example.com' },
    { ...secrets, device: 'a b' },
    { ...secrets, sound: '' },
    { ...secrets, emergency: 'yes' },
    { ...secrets, server: 'https://10.0.0.8' },
  ]
  for (const options of refused)
    it(`refuses ${JSON.stringify(options)}`, async () =>
      assert.match(
        (await refusedFields(input(options))).join(),
        /^(?:options\.(?:app_token|user_key|device|sound|emergency|server),?)+$/,
      ))

  it('says what Pushover says, without token and key', async () => {
    const { id } = await made(input(secrets))
    const errors = [`application token ${secrets.app_token} is invalid for ${secrets.user_key}`]
    server.react(() => ({ status: 400, body: JSON.stringify({ token: 'invalid', errors, status: 0, request: 'r' }) }))
    assert.match(await test(id), /The contact answered 400: application token •••••••• is invalid for ••••••••$/)
  })
})

/** Errors as https://pushover.net/api#response and #friendly describe them. */
describe('judge of pushover', async () => {
  const server = await startReceiver()
  const carriers = testCarriers({ net: netInPlaceOf(origin, server.url) })
  const attempted = () => pushover.attempt(alertOf('test'), context, { carriers, signal: AbortSignal.timeout(10_000) })

  for (const [status, errors, outcome, isGone] of [
    [400, ['application token is invalid'], 'failed', false],
    [400, ['user identifier is not a valid user, group, or subscribed user key'], 'failed', false],
    [400, ['device name is not valid for this user'], 'failed', false],
    [413, ['request is too large'], 'failed', false],
    [499, ['request was closed'], 'failed', false],
    [500, ['internal server error'], 'try_again', undefined],
    [503, [], 'try_again', undefined],
  ] as const)
    it(`takes ${status} "${errors.join()}" for ${outcome}`, async () => {
      server.react(() => ({ status, body: JSON.stringify({ errors, status: 0, request: 'r' }) }))
      const attempt = await attempted()
      assert.equal(attempt.outcome, outcome)
      assert.equal(attempt.outcome === 'failed' ? attempt.isGone : undefined, isGone)
    })

  for (const [header, seconds] of [
    [String(Math.floor(Date.now() / 1000) + 86_400), 86_400],
    ['1', 0],
    ['soon', null],
  ] as const)
    it(`waits where the month's messages are used up until ${header}`, async () => {
      const headers = { 'x-limit-app-limit': '10000', 'x-limit-app-remaining': '0', 'x-limit-app-reset': header }
      const body = '{"errors":["account has exceeded its monthly message limit"],"status":0,"request":"r"}'
      server.react(() => ({ status: 429, headers, body }))
      const attempt = await attempted()
      assert.equal(attempt.outcome, 'try_again')
      const waited = attempt.outcome === 'try_again' ? attempt.afterSeconds : null
      if (seconds === null || waited === null) assert.equal(waited, seconds)
      else assert.ok(waited <= seconds && waited >= seconds - 600, String(waited))
    })
})
