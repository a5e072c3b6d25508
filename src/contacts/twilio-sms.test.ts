import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, findingAlertOf, findingOf, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi, netInPlaceOf } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { twilioMessage, twilioSms } from './twilio-sms.ts'

const common = { To: z.string().regex(/^\+[1-9]\d{1,14}$/), Body: z.string().min(1).max(320) }
/** What Twilio takes of what is sent here (https://www.twilio.com/docs/messaging/api/message-resource). */
const published = z.union([
  z.strictObject({ ...common, From: z.string().min(1) }),
  z.strictObject({ ...common, MessagingServiceSid: z.string().regex(/^MG[0-9a-f]{32}$/) }),
])

const origin = 'https://api.twilio.com'
const account = `AC${'0123456789abcdef'.repeat(2)}`
const token = 'hunter2hunter2hunter2hunter2hunt'
const options = { account_sid: account, auth_token: token, from: '+15005550006' }
const path = `/2010-04-01/Accounts/${account}/Messages.json`
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: '+491701234567',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
  options,
}

function readForm(body: string) {
  return published.safeParse(Object.fromEntries(new URLSearchParams(body)))
}

function basic(user: string): string {
  return `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`
}

function sentOf(alert: Alert, changes: Record<string, unknown> = {}) {
  const { url, headers, body } = twilioMessage(alert, { ...context, options: { ...options, ...changes } })
  return { url, headers, sent: readForm(body).data ?? assert.fail(body) }
}

describe('twilioMessage', () => {
  it('tells an outage in one part of a short message, with its address', () => {
    const { url, headers, sent } = sentOf(statusAlertOf('monitor.down'))
    assert.equal(url, origin + path)
    assert.equal(headers['authorization'], basic(account))
    assert.partialDeepStrictEqual(sent, { To: '+491701234567', From: '+15005550006' })
    assert.match(
      sent.Body,
      /^Down: Shop API\nCause: The server answered 503\.\nSince: 2026-11-21 10:00:00 UTC\nhttps:\/\/perigee\.example\/incidents\/[\w-]{36}$/,
    )
    assert.ok(sent.Body.length <= 160)
  })

  it('is sent by a messaging service, a sender id or an API key', () => {
    const service = `MG${'0123456789abcdef'.repeat(2)}`
    assert.partialDeepStrictEqual(sentOf(alertOf('test'), { from: service }).sent, { MessagingServiceSid: service })
    assert.partialDeepStrictEqual(sentOf(alertOf('test'), { from: 'Perigee' }).sent, { From: 'Perigee' })
    const keySid = `SK${'0123456789abcdef'.repeat(2)}`
    assert.equal(sentOf(alertOf('test'), { api_key_sid: keySid }).headers['authorization'], basic(keySid))
  })

  for (const type of alertTypes)
    it(`tells ${type} within two parts`, () => {
      const { sent } = sentOf(alertOf(type))
      assert.match(sent.Body, /^[\x20-\x7e\n]+$/)
      assert.ok(sent.Body.length <= 306)
    })

  it('stays within two parts, however long the texts are', () => {
    for (const [character, limit] of [
      ['a', 306],
      ['^', 153],
      ['ж', 134],
      ['😀', 134],
    ] as const) {
      const long = character.repeat(5000)
      const down = statusAlertOf('monitor.down', { name: long })
      const findings = Array.from({ length: 20 }, () =>
        findingOf({ summary: long, software_name: long, vuln_id: long }),
      )
      for (const alert of [
        { ...down, data: { ...down.data, incident: { ...down.data.incident, cause: long } } },
        findingAlertOf(findings, 25),
      ]) {
        const { Body } = sentOf(alert).sent
        assert.ok(Body.length <= limit && Body.isWellFormed(), `${character}: ${Body.length}`)
      }
    }
  })
})

describe('the senders that twilio takes', () => {
  const digits = '0123456789abcdef'.repeat(2)
  for (const [from, isTaken] of [
    ['+15005550006', true],
    [`MG${digits}`, true],
    ['Perigee', true],
    ['Perigee Inc', true],
    ['15005550006000', false],
    [`MG${digits}0`, false],
    ['Perigee Alert', false],
    ['', false],
  ] as const)
    it(`${isTaken ? 'have' : 'have not'} ${from || 'none'}`, () =>
      assert.equal(twilioSms.options.safeParse({ ...options, from }).success, isTaken))
})

const input = (given: unknown, destination = context.destination) => ({
  kind: 'twilio_sms',
  destination,
  options: given,
})

/** Refuses what the published schema does not have. */
function stand(received: Received) {
  const { body, headers } = received
  assert.ok(readForm(body).success, body)
  assert.deepEqual([received.path, headers['content-type']], [path, 'application/x-www-form-urlencoded'])
  assert.equal(headers.authorization, basic(account))
  return { status: 201, body: '{"sid":"SM0123456789abcdef0123456789abcdef","status":"queued","error_code":null}' }
}

describe('a contact of twilio_sms', async () => {
  const server = await startReceiver()
  const { api, made, refusedFields, test } = await contactApi(netInPlaceOf(origin, server.url))
  beforeEach(() => server.react(stand))

  it('is shown without its token, with which it is sent', async () => {
    const contact = await made(input(options))
    const { auth_token: _, ...shown } = options
    assert.deepEqual([contact.destination, contact.options], [context.destination, shown])
    assert.equal(await test(contact.id), '')
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/)
    const { rows } = await api.database.pool.query<{ row: string; host: string }>(
      'select alert_channels::text as row, host from alert_channels where id = $1',
      [contact.id],
    )
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/)
    assert.equal(rows[0]?.host, 'api.twilio.com')
  })

  const refused = [
    undefined,
    {},
    { ...options, account_sid: account.toUpperCase() },
    { ...options, account_sid: 'AC../../x' },
    { ...options, auth_token: null },
    { ...options, api_key_sid: account },
    { ...options, from: '' },
    { ...options, from: 'Perigee alerts' },
    { ...options, from: '0170 1234567x' },
    { ...options, server: 'https://10.0.0.8' },
  ]
  for (const given of refused)
    it(`refuses ${JSON.stringify(given)}`, async () =>
      assert.match(
        (await refusedFields(input(given))).join(),
        /^(?:options\.(?:account_sid|auth_token|api_key_sid|from|server),?)+$/,
      ))

  for (const destination of ['01701234567', '+0170123456', '+49 170 1234567', '+4917012345678901', 'Ada'])
    it(`refuses the number ${destination}`, async () =>
      assert.deepEqual(await refusedFields(input(options, destination)), ['destination']))

  it('is not of pay-as-you-go', async () => {
    const { token: payer } = await api.addWorkspace('pay_as_you_go')
    const body = { name: 'Phone', ...input(options) }
    assert.equal((await api.post('/alert-channels', body, { token: payer })).status, 422)
  })

  it('says what Twilio says, without the token', async () => {
    const { id } = await made(input(options))
    const message = `Authenticate ${basic(account)}`
    server.react(() => ({ status: 401, body: JSON.stringify({ code: 20003, message, more_info: '', status: 401 }) }))
    assert.match(await test(id), /The contact answered 401: Authenticate Basic ••••••••$/)
  })
})

/** Errors as https://www.twilio.com/docs/api/errors lists them. */
describe('judge of twilio_sms', async () => {
  const server = await startReceiver()
  const carriers = testCarriers({ net: netInPlaceOf(origin, server.url) })
  const attempted = () => twilioSms.attempt(alertOf('test'), context, { carriers, signal: AbortSignal.timeout(10_000) })

  for (const [status, code, message, outcome, isGone] of [
    [400, 21211, "Invalid 'To' Phone Number", 'failed', false],
    [400, 21408, 'Permission to send an SMS has not been enabled for the region', 'try_again', undefined],
    [400, 21608, 'The number is unverified', 'try_again', undefined],
    [400, 21610, 'Attempt to send to unsubscribed recipient', 'failed', true],
    [400, 21611, 'This From number has exceeded the maximum number of queued messages', 'try_again', undefined],
    [400, 21614, "'To' number is not a valid mobile number", 'failed', false],
    [400, 21660, 'Mismatch between the From number and the account', 'failed', false],
    [401, 20003, 'Authenticate', 'try_again', undefined],
    [403, 20005, 'Account not active', 'try_again', undefined],
    [404, 20404, 'The requested resource was not found', 'try_again', undefined],
    [429, 20429, 'Too Many Requests', 'try_again', undefined],
    [400, 30001, 'Queue overflow', 'try_again', undefined],
    [503, 20503, 'Service unavailable', 'try_again', undefined],
  ] as const)
    it(`takes ${status} ${code} ${message} for ${outcome}`, async () => {
      server.react(() => ({ status, body: JSON.stringify({ code, message, more_info: '', status }) }))
      const attempt = await attempted()
      assert.equal(attempt.outcome, outcome)
      assert.equal(attempt.outcome === 'failed' ? attempt.isGone : undefined, isGone)
    })

  it('waits as long as Twilio asks', async () => {
    server.react(() => ({ status: 429, headers: { 'retry-after': '3' }, body: '{"code":20429}' }))
    const attempt = await attempted()
    assert.deepEqual([attempt.outcome, attempt.outcome === 'try_again' && attempt.afterSeconds], ['try_again', 3])
  })
})
