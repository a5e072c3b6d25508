import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, findingAlertOf, findingOf, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { startPushService } from '../../test/support/push-service.ts'
import { webPush } from './web-push.ts'

const number = Buffer.alloc(32, 7)
const pair = createECDH('prime256v1')
pair.setPrivateKey(number)
const pushKeys = { publicKey: pair.getPublicKey('base64url'), privateKey: number.toString('base64url') }
const carriers = testCarriers({ pushKeys })

const alertTag = ({ data }: Alert) => ('episode' in data ? data.episode.id.replaceAll('-', '') : null)

/** What the worker in the browser reads. */
const shown = z.strictObject({
  title: z.string().min(1),
  body: z.string().min(1),
  url: z.url(),
  tag: z.string().min(1),
  acknowledge: z.strictObject({ label: z.string(), url: z.url() }).optional(),
})

describe('a push message', async () => {
  const service = await startPushService(() => pushKeys.publicKey)
  const tell = async (alert: Alert, publicUrl = 'https://perigee.example', more: { acknowledgeUrl?: string } = {}) => {
    service.pushed.length = 0
    const attempt = await webPush.attempt(
      alert,
      {
        deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
        sentAt: new Date(),
        destination: 'Firefox on Linux',
        signingSecrets: [],
        publicUrl,
        unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
        options: service.subscription,
        ...more,
      },
      { carriers, signal: AbortSignal.timeout(30_000) },
    )
    const [pushed] = service.pushed
    assert.deepEqual(attempt, { outcome: 'delivered', statusCode: 201 })
    assert.ok(pushed !== undefined)
    return { ...pushed, shown: shown.parse(JSON.parse(pushed.text)) }
  }

  it('tells an outage at once, and leads to the incident', async () => {
    const { headers, subject, path, ...told } = await tell(statusAlertOf('monitor.down'))
    assert.deepEqual([headers['urgency'], headers['ttl'], path], ['high', '86400', '/push/hunter2hunter2'])
    assert.equal(subject, 'https://perigee.example')
    assert.equal(told.shown.title, 'Down: Shop API')
    assert.match(told.shown.body, /^Shop API is down\.\nCause: The server answered 503\.\n/)
    assert.equal(told.shown.url, 'https://perigee.example/incidents/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22')
  })

  it('has the link that acknowledges for its button, where the contact chose it', async () => {
    const acknowledgeUrl = 'https://perigee.example/incidents/acknowledge/token'
    const down = statusAlertOf('monitor.down')
    const { shown: chosen } = await tell(down, 'https://perigee.example', { acknowledgeUrl })
    assert.deepEqual(chosen.acknowledge, { label: 'Acknowledge', url: acknowledgeUrl })
    assert.match(chosen.url, /\/incidents\/[-\da-f]{36}$/)
    assert.equal((await tell(down)).shown.acknowledge, undefined)
  })

  it('of a recovery takes the place of that of its outage', async () => {
    const down = await tell(statusAlertOf('monitor.down'))
    const up = await tell(statusAlertOf('monitor.up'))
    assert.equal(up.headers['topic'], '6f1d4c0a94b54f5e8f3e0a6f5f1d2c22')
    assert.deepEqual([up.headers['topic'], up.shown.tag], [down.headers['topic'], down.shown.tag])
    assert.equal(up.headers['urgency'], 'normal')
  })

  for (const [begun, over] of [
    ['monitor.degraded', 'monitor.degraded_ended'],
    ['monitor.slow', 'monitor.slow_ended'],
    ['monitor.unstable', 'monitor.unstable_ended'],
  ] as const)
    it(`of ${over} takes the place of ${begun}`, async () => {
      const first = await tell(alertOf(begun))
      const last = await tell(alertOf(over))
      assert.deepEqual([last.headers['topic'], last.shown.tag], [first.headers['topic'], first.shown.tag])
      assert.equal(first.shown.tag, alertTag(alertOf(begun)))
    })

  for (const type of alertTypes)
    it(`tells ${type}`, async () => {
      const { headers } = await tell(alertOf(type))
      assert.equal(headers['urgency'], type === 'monitor.down' || type === 'monitor.reminder' ? 'high' : 'normal')
    })

  it('stays within 4,096 bytes', async () => {
    const findings = Array.from({ length: 20 }, () => findingOf({ summary: '漢'.repeat(200) }))
    const { bytes, text } = await tell(findingAlertOf(findings))
    assert.ok(bytes <= 4096 && bytes > 1000, String(bytes))
    assert.doesNotMatch(text, /\ufffd/)
  })

  it('names an address of mail where the service is at none that others can open', async () =>
    assert.equal((await tell(alertOf('test'), 'http://localhost:3000')).subject, 'mailto:perigee@localhost'))

  for (const [status, outcome, isGone] of [
    [200, 'delivered'],
    [202, 'delivered'],
    [400, 'failed', false],
    [401, 'try_again'],
    [403, 'try_again'],
    [404, 'failed', true],
    [410, 'failed', true],
    [413, 'failed', false],
    [429, 'try_again'],
    [503, 'try_again'],
  ] as const)
    it(`is ${outcome} after ${status}`, async () => {
      service.react({ status, headers: { 'retry-after': '30' } })
      const attempt = await webPush.attempt(
        alertOf('test'),
        {
          deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
          sentAt: new Date(),
          destination: 'Firefox on Linux',
          signingSecrets: [],
          publicUrl: 'https://perigee.example',
          unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
          options: service.subscription,
        },
        { carriers, signal: AbortSignal.timeout(30_000) },
      )
      assert.equal(attempt.outcome, outcome)
      if (attempt.outcome === 'failed') assert.equal(attempt.isGone, isGone)
      if (attempt.outcome === 'try_again') assert.equal(attempt.afterSeconds, 30)
    })
})

const input = (options: unknown) => ({ kind: 'web_push', destination: 'Firefox on Linux', options })

describe('a contact of web_push', async () => {
  const service = await startPushService(() => pushKeys.publicKey)
  const { api, made, refusedFields, test } = await contactApi(undefined, { pushKeys })
  const { subscription } = service
  beforeEach(() => service.react({ status: 201 }))

  it('is shown without its subscription, which is used', async () => {
    const contact = await made(input(subscription))
    assert.deepEqual(contact.options, {})
    assert.equal(await test(contact.id), '')
    const { text } = await api.get('/alert-channels')
    for (const secret of Object.values(subscription)) assert.ok(!text.includes(secret))
    const { rows } = await api.database.pool.query<{ row: string }>(
      'select alert_channels::text as row from alert_channels',
    )
    assert.doesNotMatch(JSON.stringify(rows), /hunter2/)
  })

  it('keeps its subscription through a change of its name', async () => {
    const { id } = await made(input(subscription))
    const answer = await api.request('PATCH', `/alert-channels/${id}`, { body: { destination: 'Work', options: {} } })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(await test(id), '')
  })

  const point = Buffer.from(subscription.p256dh, 'base64url')
  point[64] = (point[64] ?? 0) ^ 1
  const refused = [
    [{ p256dh: undefined }, 'options.p256dh'],
    [{ auth: undefined }, 'options.auth'],
    [{ endpoint: undefined }, 'options.endpoint'],
    [{ endpoint: 'https://10.0.0.8/push' }, 'options.endpoint'],
    [{ endpoint: 'http://push.example/1' }, 'options.endpoint'],
    [{ endpoint: 'https://android.googleapis.com/gcm/send/1' }, 'options.endpoint'],
    [{ p256dh: subscription.p256dh.slice(1) }, 'options.p256dh'],
    [{ p256dh: point.toString('base64url') }, 'options.p256dh'],
    [{ auth: 'short' }, 'options.auth'],
    [{ expirationTime: null }, 'options.expirationTime'],
  ] as const
  for (const [change, field] of refused)
    it(`refuses ${JSON.stringify(change)} ${field}`, async () =>
      assert.deepEqual(await refusedFields(input({ ...subscription, ...change })), [field]))

  for (const [status, body] of [
    [403, 'the VAPID credentials do not correspond to the subscription'],
    [410, 'push subscription has unsubscribed or expired.'],
  ] as const)
    it(`says what the push service says: ${status}`, async () => {
      const { id } = await made(input(subscription))
      service.react({ status, body: `${body} ${subscription.endpoint}` })
      assert.equal(await test(id), `The test alert was not accepted. The contact answered ${status}: ${body} ••••••••`)
    })
})
