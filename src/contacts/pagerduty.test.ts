import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, findingAlertOf, findingOf, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi, netInPlaceOf } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { pagerduty, pagerdutyMessage } from './pagerduty.ts'

const keys = { routing_key: z.string().length(32), dedup_key: z.string().min(1).max(255) }
/** What PagerDuty takes of what is sent here (https://developer.pagerduty.com/docs/send-alert-event). */
const published = z.discriminatedUnion('event_action', [
  z.strictObject({
    ...keys,
    event_action: z.literal('trigger'),
    payload: z.strictObject({
      summary: z.string().min(1).max(1024),
      source: z.string().min(1),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime(),
      class: z.string(),
      custom_details: z.record(z.string(), z.string()),
    }),
    client: z.string(),
    client_url: z.url(),
    links: z.array(z.strictObject({ href: z.url(), text: z.string() })).optional(),
  }),
  z.strictObject({ ...keys, event_action: z.literal('resolve') }),
])

const endings = new Set<string>([
  'monitor.up',
  'monitor.degraded_ended',
  'monitor.slow_ended',
  'monitor.unstable_ended',
  'slo.recovered',
  'maintenance.ended',
])
const key = 'R0HUNTER2HUNTER2HUNTER2HUNTER2HU'
const origin = 'https://events.pagerduty.com'
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'Shop (on call)',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}
type Region = { region?: 'us' | 'eu'; severity?: 'critical' | 'error' | 'warning' | 'info' }

function sentOf(alert: Alert, options: Region = {}) {
  const { url, body } = pagerdutyMessage(alert, { ...context, options: { routing_key: key, ...options } })
  assert.ok(Buffer.byteLength(body) <= 512 * 1024)
  return { url, sent: published.parse(JSON.parse(body)) }
}

function triggeredBy(alert: Alert, options: Region = {}) {
  const { sent } = sentOf(alert, options)
  return sent.event_action === 'trigger' ? sent : assert.fail(sent.event_action)
}

describe('pagerdutyMessage', () => {
  it('triggers by an outage, with what happened and a link to the incident', () => {
    const {
      routing_key: routingKey,
      payload,
      links,
      client_url: clientUrl,
    } = triggeredBy(statusAlertOf('monitor.down'))
    assert.equal(routingKey, key)
    assert.partialDeepStrictEqual(payload, {
      summary: 'Down: Shop API',
      source: 'https://shop.example/health',
      severity: 'critical',
      timestamp: '2026-11-21T10:04:00.000Z',
      class: 'monitor.down',
      custom_details: { 'What happened': 'Shop API is down.', Cause: 'The server answered 503.', 'Seen from': 'fra' },
    })
    const incidentUrl = 'https://perigee.example/incidents/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22'
    assert.deepEqual([links, clientUrl], [[{ href: incidentUrl, text: 'Open the incident' }], incidentUrl])
  })

  it('resolves by its recovery, under the same key', () => {
    const dedupKey = triggeredBy(statusAlertOf('monitor.down')).dedup_key
    assert.deepEqual(sentOf(statusAlertOf('monitor.up')).sent, {
      routing_key: key,
      dedup_key: dedupKey,
      event_action: 'resolve',
    })
    assert.notEqual(triggeredBy(statusAlertOf('monitor.down', { incidentId: context.deliveryId })).dedup_key, dedupKey)
  })

  for (const [type, severity] of [
    ['monitor.down', 'critical'],
    ['monitor.reminder', 'critical'],
    ['monitor.degraded', 'warning'],
    ['monitor.slow', 'warning'],
    ['monitor.unstable', 'warning'],
    ['domain.expiring', 'warning'],
    ['certificate.expiring', 'warning'],
    ['vulnerability.found', 'warning'],
    ['end_of_life.reached', 'warning'],
    ['test', 'info'],
  ] as const)
    it(`gives ${type} the severity ${severity}`, () =>
      assert.equal(triggeredBy(alertOf(type)).payload.severity, severity))

  for (const type of alertTypes)
    it(`tells ${type} under the key of its incident or its episode, or of the alert itself`, () => {
      const { dedup_key: dedupKey, event_action: action } = sentOf(alertOf(type)).sent
      const { data } = alertOf(type)
      assert.equal(dedupKey, data.incident?.id ?? ('episode' in data ? data.episode.id : context.deliveryId))
      assert.equal(action, endings.has(type) ? 'resolve' : 'trigger')
    })

  it('has the chosen severity of outages, and of nothing else', () => {
    const severity = 'error'
    assert.equal(triggeredBy(statusAlertOf('monitor.down'), { severity }).payload.severity, 'error')
    assert.equal(triggeredBy(statusAlertOf('monitor.reminder'), { severity }).payload.severity, 'error')
    assert.equal(triggeredBy(alertOf('monitor.degraded'), { severity }).payload.severity, 'warning')
    assert.equal(triggeredBy(alertOf('domain.expiring'), { severity }).payload.severity, 'warning')
  })

  it('gives a vulnerability that is exploited the severity critical', () =>
    assert.equal(triggeredBy(findingAlertOf([findingOf({ exploited_on: '2026-11-19' })])).payload.severity, 'critical'))

  for (const [options, url] of [
    [{}, 'https://events.pagerduty.com/v2/enqueue'],
    [{ region: 'us' }, 'https://events.pagerduty.com/v2/enqueue'],
    [{ region: 'eu' }, 'https://events.eu.pagerduty.com/v2/enqueue'],
  ] as const)
    it(`goes to ${url} with ${JSON.stringify(options)}`, () => assert.equal(sentOf(alertOf('test'), options).url, url))

  it('keeps both of two facts that have one label', () => {
    const findings = ['nginx', 'openresty'].map((software) => findingOf({ software_name: software }))
    const details = triggeredBy(findingAlertOf(findings)).payload.custom_details
    assert.match(details['CVE-2026-0001'] ?? '', /nginx.*; .*openresty/)
  })

  it('stays within the limit of a summary', () => {
    const name = '😀'.repeat(5000)
    assert.ok(triggeredBy(statusAlertOf('monitor.down', { name })).payload.summary.isWellFormed())
  })
})

const input = (options: unknown, destination = 'Shop (on call)') => ({ kind: 'pagerduty', destination, options })

describe('a contact of pagerduty', async () => {
  const server = await startReceiver()
  const { api, made, refusedFields, test } = await contactApi(netInPlaceOf(origin, server.url))
  /** Refuses what the published schema does not have. */
  const stand = ({ body, path, headers }: Received) => {
    assert.equal(published.parse(JSON.parse(body)).routing_key, key)
    assert.deepEqual([path, headers['content-type']], ['/v2/enqueue', 'application/json'])
    return { status: 202, body: '{"status":"success","message":"Event processed","dedup_key":"samplekeyhere"}' }
  }
  beforeEach(() => server.react(stand))

  it('is shown without its key, with which it is sent', async () => {
    const contact = await made(input({ routing_key: key, severity: 'error' }))
    assert.deepEqual([contact.destination, contact.options], ['Shop (on call)', { severity: 'error' }])
    assert.equal(await test(contact.id), '')
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/i)
    const { rows } = await api.database.pool.query<{ row: string; host: string }>(
      'select alert_channels::text as row, host from alert_channels where id = $1',
      [contact.id],
    )
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/i)
    assert.equal(rows[0]?.host, 'events.pagerduty.com')
  })

  const refused = [
    undefined,
    {},
    { routing_key: null },
    { routing_key: key.slice(1) },
    { routing_key: `${key.slice(1)}-` },
    { routing_key: key, region: 'de' },
    { routing_key: key, severity: 'high' },
    { routing_key: key, server: 'https://10.0.0.8' },
  ]
  for (const options of refused)
    it(`refuses ${JSON.stringify(options)}`, async () =>
      assert.match((await refusedFields(input(options))).join(), /^options\.(?:routing_key|region|severity|server)$/))

  it('says what PagerDuty says, without the key', async () => {
    const { id } = await made(input({ routing_key: key }))
    const errors = [`Routing key ${key} is not known`, "'payload' is missing"]
    const body = JSON.stringify({ status: 'invalid event', message: 'Event object is invalid', errors })
    server.react(() => ({ status: 400, body }))
    assert.match(await test(id), /The contact answered 400: Routing key •••••••• is not known; 'payload' is missing$/)
  })
})

/** https://developer.pagerduty.com/docs/events-api-v2-overview, "Response Codes & Retry Logic" */
describe('judge of pagerduty', async () => {
  const server = await startReceiver()
  const carriers = testCarriers({ net: netInPlaceOf(origin, server.url) })
  for (const [status, body, outcome] of [
    [202, '{"status":"success","message":"Event processed","dedup_key":"k"}', 'delivered'],
    [400, '{"status":"invalid event","message":"Event object is invalid","errors":["Invalid routing key"]}', 'failed'],
    [400, '', 'failed'],
    [413, '', 'failed'],
    [403, '', 'try_again'],
    [
      429,
      '{"status":"throttle exceeded","message":"Requests for this service are arriving too quickly."}',
      'try_again',
    ],
    [500, '', 'try_again'],
    [503, '', 'try_again'],
  ] as const)
    it(`takes ${status} ${body.slice(0, 30)} for ${outcome}`, async () => {
      server.react(() => ({ status, headers: { 'retry-after': '120' }, body }))
      const signal = AbortSignal.timeout(10_000)
      const options = { routing_key: key }
      const attempt = await pagerduty.attempt(alertOf('test'), { ...context, options }, { carriers, signal })
      assert.equal(attempt.outcome, outcome)
      if (attempt.outcome === 'failed') {
        assert.equal(attempt.isGone, false)
        assert.equal(attempt.error.endsWith('Invalid routing key'), body.includes('Invalid routing key'))
      }
      if (attempt.outcome === 'try_again') assert.equal(attempt.afterSeconds, 120)
    })
})
