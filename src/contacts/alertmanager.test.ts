import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, type AlertType, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { alertmanager, alertmanagerMessage } from './alertmanager.ts'

/**
 * `postableAlerts` of the API's document
 * (https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml), with the rules of label names.
 */
const labelSet = z.record(z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/), z.string().min(1))
const published = z.tuple([
  z.strictObject({
    labels: labelSet,
    annotations: labelSet,
    startsAt: z.iso.datetime(),
    endsAt: z.iso.datetime(),
    generatorURL: z.url(),
  }),
])

const address = 'https://alertmanager.example'
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date('2026-11-21T10:05:00.000Z'),
  destination: 'on-call',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}

function sentOf(alert: Alert, options = {}) {
  const { url, headers, body } = alertmanagerMessage(alert, { ...context, options: { server: address, ...options } })
  const [sent] = published.parse(JSON.parse(body))
  return { url, headers, sent }
}

describe('alertmanagerMessage', () => {
  it('tells an outage that does not end by itself', () => {
    const { url, headers, sent } = sentOf(statusAlertOf('monitor.down'))
    assert.deepEqual([url, headers['authorization']], [`${address}/api/v2/alerts`, undefined])
    assert.deepEqual(sent.labels, {
      alertname: 'PerigeeMonitorDown',
      severity: 'critical',
      contact: 'on-call',
      monitor_id: '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11',
      incident_id: '6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22',
      incident: 'Shop API is down',
    })
    assert.deepEqual([sent.startsAt, sent.endsAt], ['2026-11-21T10:00:00.000Z', '2027-11-21T10:00:00.000Z'])
    assert.equal(sent.generatorURL, 'https://perigee.example/incidents/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22')
    assert.equal(sent.annotations['summary'], 'Down: Shop API')
    assert.match(sent.annotations['description'] ?? '', /^Shop API is down\.\nCause: The server answered 503\.\n/)
  })

  it('ends it by a recovery with the same labels, although the monitor has another name and kind by then', () => {
    const options = { labels: { team: 'shop' } }
    const down = sentOf(statusAlertOf('monitor.down'), options).sent
    const alert = statusAlertOf('monitor.up')
    const monitor = { ...alert.data.monitor, name: 'Shop', kind: 'tcp' } as const
    const up = sentOf({ ...alert, data: { ...alert.data, monitor } }, options).sent
    assert.deepEqual(up.labels, down.labels)
    assert.deepEqual([up.startsAt, up.endsAt], [down.startsAt, '2026-11-21T10:04:00.000Z'])
    assert.equal(up.annotations['monitor_name'], 'Shop')
  })

  it('says of one that a pause ends that it was closed, and not that it is up', () => {
    const { type, timestamp, data } = statusAlertOf('monitor.up')
    const { labels, annotations, endsAt } = sentOf({
      type,
      timestamp,
      data: { ...data, closed: 'The monitor was paused.' },
    }).sent
    assert.deepEqual([labels, endsAt], [sentOf(statusAlertOf('monitor.up')).sent.labels, '2026-11-21T10:04:00.000Z'])
    assert.equal(annotations['summary'], 'Closed: Shop API was down for 4 min')
    assert.match(
      annotations['description'] ?? '',
      /^The monitor was paused\. Until then, Shop API was down for 4 min\.\n/,
    )
  })

  it('never ends one before it began', () => {
    const { type, timestamp, data } = statusAlertOf('monitor.up')
    const incident = { ...data.incident, resolved_at: '2026-11-21T09:00:00.000Z' }
    const { startsAt, endsAt } = sentOf({ type, timestamp, data: { ...data, incident } }).sent
    assert.equal(endsAt, startsAt)
  })

  const rows: Record<AlertType, [alertname: string, severity: string, endsAt: string]> = {
    'monitor.down': ['PerigeeMonitorDown', 'critical', '2027-11-21T10:00:00.000Z'],
    'monitor.up': ['PerigeeMonitorDown', 'critical', '2026-11-21T10:04:00.000Z'],
    'monitor.reminder': ['PerigeeMonitorDown', 'critical', '2027-11-21T10:00:00.000Z'],
    'monitor.degraded': ['PerigeeMonitorDegraded', 'warning', '2026-11-22T10:05:00.000Z'],
    'monitor.degraded_ended': ['PerigeeMonitorDegraded', 'warning', '2026-11-21T10:04:00.000Z'],
    'monitor.slow': ['PerigeeMonitorSlow', 'warning', '2026-11-22T10:05:00.000Z'],
    'monitor.slow_ended': ['PerigeeMonitorSlow', 'warning', '2026-11-21T10:04:00.000Z'],
    'monitor.unstable': ['PerigeeMonitorUnstable', 'warning', '2026-11-22T10:05:00.000Z'],
    'monitor.unstable_ended': ['PerigeeMonitorUnstable', 'warning', '2026-11-21T10:04:00.000Z'],
    'domain.expiring': ['PerigeeDomainExpiring', 'warning', '2026-11-22T10:05:00.000Z'],
    'certificate.expiring': ['PerigeeCertificateExpiring', 'warning', '2026-11-22T10:05:00.000Z'],
    'vulnerability.found': ['PerigeeVulnerabilityFound', 'warning', '2026-11-22T10:05:00.000Z'],
    'end_of_life.reached': ['PerigeeEndOfLifeReached', 'warning', '2026-11-22T10:05:00.000Z'],
    'exposure.reminder': ['PerigeeExposure', 'critical', '2026-11-22T10:05:00.000Z'],
    'exposure.ended': ['PerigeeExposure', 'info', '2026-11-22T10:05:00.000Z'],
    'slo.burning': ['PerigeeErrorBudget', 'warning', '2027-11-21T09:30:00.000Z'],
    'slo.recovered': ['PerigeeErrorBudget', 'warning', '2026-11-21T10:04:00.000Z'],
    'maintenance.started': ['PerigeeMaintenance', 'info', '2026-11-22T10:05:00.000Z'],
    'maintenance.ended': ['PerigeeMaintenance', 'info', '2026-11-21T10:04:00.000Z'],
    test: ['PerigeeTest', 'info', '2026-11-21T10:10:00.000Z'],
  }
  for (const type of alertTypes)
    it(`tells ${type}`, () => {
      const { labels, endsAt } = sentOf(alertOf(type)).sent
      assert.deepEqual([labels['alertname'], labels['severity'], endsAt], rows[type])
    })

  it('tells an outage again by a reminder', () => {
    const { annotations: _, ...down } = sentOf(statusAlertOf('monitor.down')).sent
    assert.partialDeepStrictEqual(sentOf(statusAlertOf('monitor.reminder')).sent, down)
  })

  for (const [begun, over] of [
    ['monitor.degraded', 'monitor.degraded_ended'],
    ['monitor.slow', 'monitor.slow_ended'],
    ['monitor.unstable', 'monitor.unstable_ended'],
    ['slo.burning', 'slo.recovered'],
  ] as const)
    it(`ends ${begun} by the same labels, its episode among them`, () => {
      const [first, last] = [begun, over].map((type) => sentOf(alertOf(type)).sent)
      assert.match(first?.labels['episode_id'] ?? '', /^[\da-f-]{36}$/)
      assert.deepEqual([last?.labels, last?.startsAt], [first?.labels, first?.startsAt])
    })

  for (const [server, url] of [
    ['https://example.com:9093', 'https://example.com:9093/api/v2/alerts'],
    ['https://example.com/alertmanager', 'https://example.com/alertmanager/api/v2/alerts'],
    ['https://example.com/alertmanager/', 'https://example.com/alertmanager/api/v2/alerts'],
  ] as const)
    it(`goes to the alerts of ${server}`, () => assert.equal(sentOf(alertOf('test'), { server }).url, url))

  for (const [options, authorization] of [
    [{ username: 'perigee', password: 'hunter2: é' }, `Basic ${Buffer.from('perigee:hunter2: é').toString('base64')}`],
    [{ token: 'hunter2' }, 'Bearer hunter2'],
  ] as const)
    it(`signs in with ${Object.keys(options).join(' and ')}`, () =>
      assert.equal(sentOf(alertOf('test'), options).headers['authorization'], authorization))

  it('has the further labels, and no other in the place of its own', () => {
    const { labels } = sentOf(alertOf('test'), { labels: { team: 'shop', alertname: 'Other' } }).sent
    assert.deepEqual([labels['team'], labels['alertname']], ['shop', 'PerigeeTest'])
  })
})

function labelsOf(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`label_${index}`, 'x']))
}

describe('the labels that alertmanager takes', () => {
  for (const [what, labels, isTaken] of [
    ['20 of them', labelsOf(20), true],
    ['21 of them', labelsOf(21), false],
    ['a value of one character', { team: 'x' }, true],
    ['a value of none', { team: '' }, false],
    ['a value of 255 characters', { team: 'x'.repeat(255) }, true],
    ['a value of 256 characters', { team: 'x'.repeat(256) }, false],
  ] as const)
    it(`${isTaken ? 'are' : 'are not'} ${what}`, () =>
      assert.equal(alertmanager.options.safeParse({ server: address, labels }).success, isTaken))
})

const input = (options: unknown, destination = 'on-call') => ({ kind: 'alertmanager', destination, options })
const password = 'hunter2hunter2'

/** Refuses what the API document does not have. */
const stand = ({ path, headers, body }: Received) => {
  assert.ok(published.safeParse(JSON.parse(body)).success, body)
  assert.deepEqual([path, headers['content-type']], ['/api/v2/alerts', 'application/json'])
  return { status: 200 }
}

describe('a contact of alertmanager', async () => {
  const server = await startReceiver()
  const { api, made, refusedFields, test } = await contactApi()
  beforeEach(() => {
    server.received.length = 0
    server.react(stand)
  })

  it('is shown without its password, which is sent', async () => {
    const shown = { server: server.url, username: 'perigee', labels: { team: 'shop' } }
    const contact = await made(input({ ...shown, password }))
    assert.deepEqual(contact.options, shown)
    assert.equal(await test(contact.id), '')
    const authorization = `Basic ${Buffer.from(`perigee:${password}`).toString('base64')}`
    assert.equal(server.received[0]?.headers['authorization'], authorization)
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/)
  })

  const refused = [
    [{}, 'options.server'],
    [{ server: 'https://10.0.0.8' }, 'options.server'],
    [{ server: 'http://alertmanager.example' }, 'options.server'],
    [{ server: 'https://user:secret@alertmanager.example' }, 'options.server'],
    [{ server: `${address}/?team=shop` }, 'options.server'],
    [{ server: address, username: 'perigee' }, 'options.password'],
    [{ server: address, password }, 'options.username'],
    [{ server: address, username: 'a:b', password }, 'options.username'],
    [{ server: address, username: 'perigee', password, token: 'hunter2' }, 'options.token'],
    [{ server: address, token: 'with space' }, 'options.token'],
    [{ server: address, labels: { 'not-a-name': 'x' } }, 'options.labels.not-a-name'],
    [{ server: address, labels: { __name__: 'x' } }, 'options.labels.__name__'],
    [{ server: address, labels: { team: '' } }, 'options.labels.team'],
    [{ server: address, labels: { severity: 'page' } }, 'options.labels'],
    [{ server: address, labels: labelsOf(21) }, 'options.labels'],
    [{ server: address, colour: 'red' }, 'options.colour'],
  ] as const
  for (const [options, field] of refused)
    it(`refuses ${JSON.stringify(options).slice(0, 90)}`, async () =>
      assert.deepEqual(await refusedFields(input(options)), [field]))

  for (const destination of [' ', 'two\nlines', 'https://alertmanager.example', 'a'.repeat(101)])
    it(`refuses the name ${JSON.stringify(destination).slice(0, 30)}`, async () =>
      assert.deepEqual(await refusedFields(input({ server: address }, destination)), ['destination']))

  /** As Alertmanager 0.25 answered, and a proxy before it. */
  const failures = [
    [400, '"invalid label set: invalid name \\"1a\\""', 'invalid label set: invalid name "1a"'],
    [
      422,
      '{"code":601,"message":"0.generatorURL in body must be of type uri"}',
      '0.generatorURL in body must be of type uri',
    ],
    [401, `Wrong: ${Buffer.from(`perigee:${password}`).toString('base64')}`, 'Wrong: ••••••••'],
    [500, '"out of memory"', 'out of memory'],
  ] as const
  for (const [status, body, text] of failures)
    it(`says what Alertmanager says: ${status}`, async () => {
      const { id } = await made(input({ server: server.url, username: 'perigee', password }))
      server.react(() => ({ status, body }))
      assert.equal(await test(id), `The test alert was not accepted. The contact answered ${status}: ${text}`)
    })
})

describe('judge of alertmanager', async () => {
  const server = await startReceiver()
  for (const [status, outcome] of [
    [200, 'delivered'],
    [400, 'failed'],
    [401, 'try_again'],
    [403, 'try_again'],
    [404, 'try_again'],
    [413, 'failed'],
    [422, 'failed'],
    [429, 'try_again'],
    [500, 'try_again'],
  ] as const)
    it(`takes ${status} for ${outcome}`, async () => {
      server.react(() => ({ status, headers: { 'retry-after': '30' } }))
      const attempt = await alertmanager.attempt(
        alertOf('test'),
        { ...context, options: { server: server.url } },
        { carriers: testCarriers(), signal: AbortSignal.timeout(10_000) },
      )
      assert.equal(attempt.outcome, outcome)
      if (attempt.outcome === 'failed') assert.equal(attempt.isGone, false)
      if (attempt.outcome === 'try_again') assert.equal(attempt.afterSeconds, 30)
    })
})
