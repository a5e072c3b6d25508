import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { gotify, gotifyMessage } from './gotify.ts'

/** What Gotify takes: its API document (https://gotify.net/api-docs) and the extras (https://gotify.net/docs/msgextras). */
const published = z.strictObject({
  title: z.string().min(1),
  message: z.string().min(1),
  priority: z.int().min(0).max(10),
  extras: z.strictObject({
    'client::display': z.strictObject({ contentType: z.literal('text/plain') }),
    'client::notification': z.strictObject({ click: z.strictObject({ url: z.url() }) }).optional(),
  }),
})

const token = 'Ahunter2hunter2'
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'Perigee',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}

const urgent = new Set<string>(['monitor.down', 'monitor.reminder', 'exposure.reminder'])

function sentOf(alert: Alert, options = {}) {
  const { url, headers, body } = gotifyMessage(alert, {
    ...context,
    options: { server: 'https://gotify.example', token, ...options },
  })
  return { url, headers, sent: published.parse(JSON.parse(body)) }
}

describe('gotifyMessage', () => {
  it('tells an outage in plain text, and leads to the incident', () => {
    const { url, headers, sent } = sentOf(statusAlertOf('monitor.down', { name: '![x](https://x.example/x.png)' }))
    assert.deepEqual([url, headers['x-gotify-key']], ['https://gotify.example/message', token])
    assert.equal(sent.title, 'Down: ![x](https://x.example/x.png)')
    assert.match(sent.message, / is down\.\nCause: The server answered 503\.\n/)
    const click = sent.extras['client::notification']?.click.url
    assert.match(click ?? '', /^https:\/\/perigee\.example\/incidents\//)
    assert.ok(sent.message.endsWith(`\nOpen the incident: ${click}`))
  })

  for (const type of alertTypes)
    it(`tells ${type}`, () => {
      const { sent } = sentOf(alertOf(type))
      assert.equal(sent.priority, urgent.has(type) ? 8 : 5)
      assert.equal(sent.extras['client::notification'] === undefined, type === 'test')
    })

  for (const [server, url] of [
    ['https://gotify.example:8443', 'https://gotify.example:8443/message'],
    ['https://example.com/gotify', 'https://example.com/gotify/message'],
    ['https://example.com/gotify/', 'https://example.com/gotify/message'],
  ] as const)
    it(`goes to the messages of ${server}`, () => assert.equal(sentOf(alertOf('test'), { server }).url, url))

  it('has the chosen priority for outages, and never a higher one for anything else', () => {
    const priorities = [0, 3, 10].map((priority) => [
      sentOf(statusAlertOf('monitor.down'), { priority }).sent.priority,
      sentOf(statusAlertOf('monitor.up'), { priority }).sent.priority,
    ])
    assert.deepEqual(priorities, [
      [0, 0],
      [3, 3],
      [10, 5],
    ])
  })
})

describe('the priorities that gotify takes', () => {
  for (const [priority, isTaken] of [
    [-1, false],
    [0, true],
    [10, true],
    [11, false],
  ] as const)
    it(`${isTaken ? 'have' : 'have not'} ${priority}`, () =>
      assert.equal(gotify.options.safeParse({ server: 'https://gotify.example', token, priority }).success, isTaken))
})

const input = (options: unknown, destination = 'Perigee') => ({ kind: 'gotify', destination, options })

/** Refuses what the API document does not have. */
const stand = ({ path, headers, body }: Received) => {
  assert.ok(published.safeParse(JSON.parse(body)).success, body)
  assert.deepEqual([path, headers['content-type']], ['/message', 'application/json'])
  return { status: 200, body: '{"id":25,"appid":5,"message":"…","date":"2026-11-21T10:00:00Z"}' }
}

describe('a contact of gotify', async () => {
  const server = await startReceiver()
  const { api, made, refusedFields, test } = await contactApi()
  beforeEach(() => {
    server.received.length = 0
    server.react(stand)
  })

  it('is shown without the token, which is sent', async () => {
    const contact = await made(input({ server: server.url, token, priority: 7 }))
    assert.deepEqual(contact.options, { server: server.url, priority: 7 })
    assert.equal(await test(contact.id), '')
    assert.equal(server.received[0]?.headers['x-gotify-key'], token)
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/)
  })

  const address = 'https://gotify.example'
  it('has its token sent to no other server or path, unless it is given again', async () => {
    const { id } = await made(input({ server: server.url, token }))
    const changed = (options: unknown) => api.request('PATCH', `/alert-channels/${id}`, { body: { options } })
    for (const elsewhere of ['https://elsewhere.example', `${server.url}/other`]) {
      const answer = await changed({ server: elsewhere })
      assert.equal(answer.status, 422)
      assert.match(answer.text, /"options\.token"/)
    }
    assert.equal((await changed({ server: server.url, priority: 5 })).status, 200)
    assert.equal((await changed({ server: `${server.url}/other`, token })).status, 200)
  })

  const refused = [
    [{ token }, 'options.server'],
    [{ server: address }, 'options.token'],
    [{ server: 'https://10.0.0.8', token }, 'options.server'],
    [{ server: 'http://gotify.example', token }, 'options.server'],
    [{ server: 'https://user:secret@gotify.example', token }, 'options.server'],
    [{ server: `${address}/message?token=${token}`, token }, 'options.server'],
    [{ server: address, token: 'with space' }, 'options.token'],
    [{ server: address, token: null }, 'options.token'],
    [{ server: address, token, priority: 11 }, 'options.priority'],
    [{ server: address, token, colour: 'red' }, 'options.colour'],
  ] as const
  for (const [options, field] of refused)
    it(`refuses ${JSON.stringify(options)}`, async () => assert.deepEqual(await refusedFields(input(options)), [field]))

  for (const destination of [' ', 'two\nlines', 'https://gotify.example', 'a'.repeat(101)])
    it(`refuses the name ${JSON.stringify(destination).slice(0, 30)}`, async () =>
      assert.deepEqual(await refusedFields(input({ server: address, token }, destination)), ['destination']))

  /** As the API document has its errors. */
  const failures = [
    [400, 'Bad Request', "Field 'message' is required"],
    [401, 'Unauthorized', 'you need to provide a valid access token or user credentials to access this api'],
    [403, 'Forbidden', 'you are not allowed to access this api'],
    [500, 'Internal Server Error', 'database is locked'],
  ] as const
  for (const [status, error, description] of failures)
    it(`says what Gotify says: ${status}`, async () => {
      const { id } = await made(input({ server: server.url, token }))
      const body = JSON.stringify({ error, errorCode: status, errorDescription: `${description} ${token}` })
      server.react(() => ({ status, headers: { 'content-type': 'application/json' }, body }))
      const said = `The contact answered ${status}: ${description} ••••••••`
      assert.equal(await test(id), `The test alert was not accepted. ${said}`)
    })
})

describe('judge of gotify', async () => {
  const server = await startReceiver()
  for (const [status, outcome] of [
    [200, 'delivered'],
    [400, 'failed'],
    [401, 'try_again'],
    [403, 'try_again'],
    [404, 'try_again'],
    [413, 'failed'],
    [429, 'try_again'],
    [500, 'try_again'],
  ] as const)
    it(`takes ${status} for ${outcome}`, async () => {
      server.react(() => ({ status, headers: { 'retry-after': '30' } }))
      const attempt = await gotify.attempt(
        alertOf('test'),
        { ...context, options: { server: server.url, token } },
        { carriers: testCarriers(), signal: AbortSignal.timeout(10_000) },
      )
      assert.equal(attempt.outcome, outcome)
      if (attempt.outcome === 'try_again') assert.equal(attempt.afterSeconds, 30)
    })
})
