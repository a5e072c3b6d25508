import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, type AlertType, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { apprise, appriseMessage } from './apprise.ts'

/** What the endpoint takes, as its documentation has it (https://appriseit.com/api/usage/). */
const published = z.strictObject({
  title: z.string(),
  body: z.string().min(1),
  type: z.enum(['info', 'success', 'warning', 'failure']),
  format: z.enum(['text', 'markdown', 'html']),
  tag: z
    .string()
    .regex(/^[a-z0-9\s| ,_:+&-]+$/i)
    .optional(),
})

const address = 'https://apprise.example'
const key = 'hunter2hunter2'
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'Everybody',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}

function sentOf(alert: Alert, options = {}) {
  const { url, headers, body } = appriseMessage(alert, {
    ...context,
    options: { server: address, config_key: key, ...options },
  })
  return { url, headers, sent: published.parse(JSON.parse(body)) }
}

describe('appriseMessage', () => {
  it('tells an outage in plain text, with the address of the incident', () => {
    const { url, headers, sent } = sentOf(statusAlertOf('monitor.down'))
    assert.deepEqual([url, headers['accept']], [`${address}/notify/${key}`, 'application/json'])
    assert.deepEqual([sent.title, sent.format, sent.tag], ['Down: Shop API', 'text', undefined])
    assert.match(sent.body, /^Shop API is down\.\nCause: The server answered 503\.\n/)
    assert.match(sent.body, /\nOpen the incident: https:\/\/perigee\.example\/incidents\/[-\da-f]{36}$/)
  })

  const types: Record<AlertType, string> = {
    'monitor.down': 'failure',
    'monitor.up': 'success',
    'monitor.reminder': 'failure',
    'monitor.degraded': 'warning',
    'monitor.degraded_ended': 'success',
    'monitor.slow': 'warning',
    'monitor.slow_ended': 'success',
    'monitor.unstable': 'warning',
    'monitor.unstable_ended': 'success',
    'domain.expiring': 'warning',
    'certificate.expiring': 'warning',
    'vulnerability.found': 'warning',
    'end_of_life.reached': 'warning',
    'exposure.reminder': 'failure',
    'exposure.ended': 'success',
    'slo.burning': 'warning',
    'slo.recovered': 'success',
    'maintenance.started': 'info',
    'maintenance.ended': 'info',
    test: 'info',
  }
  for (const type of alertTypes)
    it(`tells ${type} as ${types[type]}`, () => assert.equal(sentOf(alertOf(type)).sent.type, types[type]))

  it('mentions nobody', () => {
    const { title, body } = sentOf(statusAlertOf('monitor.down', { name: '@everyone <!channel> <@U1>' })).sent
    assert.doesNotMatch(title + body, /[@<][\w!@]/)
  })

  for (const [server, url] of [
    ['https://example.com:8000', `https://example.com:8000/notify/${key}`],
    ['https://example.com/apprise/', `https://example.com/apprise/notify/${key}`],
  ] as const)
    it(`goes to the key at ${server}`, () => assert.equal(sentOf(alertOf('test'), { server }).url, url))

  for (const tag of ['devops', 'devops, admins', 'devops critical', '1:devops:3'])
    it(`names the services by ${tag}`, () => assert.equal(sentOf(alertOf('test'), { tag }).sent.tag, tag))
})

const input = (options: unknown, destination = 'Everybody') => ({ kind: 'apprise', destination, options })

/** Refuses what the documentation does not have. */
const stand = ({ path, headers, body }: Received) => {
  assert.ok(published.safeParse(JSON.parse(body)).success, body)
  assert.deepEqual([path, headers['content-type']], [`/notify/${key}`, 'application/json'])
  return { status: 200, body: '{"error":null,"details":[]}' }
}

const when = '2026-11-21 10:00:00,412'
const sent = ['INFO', when, 'Sent JSON POST notification.']
const unsent = ['WARNING', when, 'Failed to send JSON POST notification: Internal Server Error., error=500.']
const unsentText = 'Failed to send JSON POST notification: Internal Server Error., error=500.'
const failedOf = (...details: string[][]) =>
  JSON.stringify({ error: 'One or more notification could not be sent', details })

describe('a contact of apprise', async () => {
  const server = await startReceiver()
  const { api, made, refusedFields, test } = await contactApi()
  beforeEach(() => {
    server.received.length = 0
    server.react(stand)
  })

  it('is shown without the key, which is used', async () => {
    const contact = await made(input({ server: server.url, config_key: key, tag: 'devops' }))
    assert.deepEqual(contact.options, { server: server.url, tag: 'devops' })
    assert.equal(await test(contact.id), '')
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/)
  })

  const refused = [
    [{ config_key: key }, 'options.server'],
    [{ server: address }, 'options.config_key'],
    [{ server: address, config_key: '../get/key' }, 'options.config_key'],
    [{ server: address, config_key: 'a'.repeat(129) }, 'options.config_key'],
    [{ server: 'https://10.0.0.8', config_key: key }, 'options.server'],
    [{ server: 'http://apprise.example', config_key: key }, 'options.server'],
    [{ server: 'https://user:secret@apprise.example', config_key: key }, 'options.server'],
    [{ server: `${address}/?tag=all`, config_key: key }, 'options.server'],
    [{ server: address, config_key: key, tag: ' ' }, 'options.tag'],
    [{ server: address, config_key: key, tag: 'dev/ops' }, 'options.tag'],
    [{ server: address, config_key: key, colour: 'red' }, 'options.colour'],
  ] as const
  for (const [options, field] of refused)
    it(`refuses ${JSON.stringify(options).slice(0, 90)}`, async () =>
      assert.deepEqual(await refusedFields(input(options)), [field]))

  it('refuses an address as its name', async () =>
    assert.deepEqual(await refusedFields(input({ server: address, config_key: key }, address)), ['destination']))

  /** As the server has its errors. */
  const failures = [
    [
      400,
      '{"error":"Payload lacks minimum requirements"}',
      'The contact answered 400: Payload lacks minimum requirements',
    ],
    [404, `{"error":"/notify/${key} was not found"}`, 'The contact answered 404: /notify/•••••••• was not found'],
    [424, failedOf(unsent), `The contact answered 424: ${unsentText}`],
    [424, failedOf(sent, unsent), `Only some of the services were reached. The contact answered 424: ${unsentText}`],
    [424, failedOf(), 'The contact answered 424: One or more notification could not be sent'],
    [424, 'something that is no JSON', 'The contact answered 424: something that is no JSON'],
    [204, '', 'The server has no configuration with this key (204).'],
  ] as const
  for (const [status, body, text] of failures)
    it(`says what Apprise says: ${status} ${body.slice(0, 70)}`, async () => {
      const { id } = await made(input({ server: server.url, config_key: key }))
      server.react(() => ({ status, headers: { 'content-type': 'application/json' }, body }))
      assert.equal(await test(id), `The test alert was not accepted. ${text}`)
    })
})

describe('judge of apprise', async () => {
  const server = await startReceiver()
  for (const [status, body, outcome] of [
    [200, '', 'delivered'],
    [204, '', 'try_again'],
    [400, '', 'failed'],
    [401, '', 'try_again'],
    [404, '', 'try_again'],
    [406, '', 'failed'],
    [413, '', 'failed'],
    [424, '', 'try_again'],
    [424, failedOf(unsent, unsent), 'try_again'],
    [424, failedOf(unsent, sent), 'failed'],
    [424, failedOf(['INFO', when, 'Notifying 1 service(s).'], unsent), 'try_again'],
    [424, failedOf(['WARNING', when, 'Sent nothing.'], unsent), 'try_again'],
    [429, '', 'try_again'],
    [431, '', 'failed'],
    [500, '', 'try_again'],
  ] as const)
    it(`takes ${status} ${body} for ${outcome}`, async () => {
      server.react(() => ({ status, body }))
      const attempt = await apprise.attempt(
        alertOf('test'),
        { ...context, options: { server: server.url, config_key: key } },
        { carriers: testCarriers(), signal: AbortSignal.timeout(10_000) },
      )
      assert.equal(attempt.outcome, outcome)
      if (attempt.outcome === 'failed') assert.equal(attempt.isGone, false)
    })
})
