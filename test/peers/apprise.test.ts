import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { apprise } from '#contacts/apprise.ts'
import { type Alert, type AlertType, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, statusAlertOf } from '../support/alerts.ts'
import { testCarriers } from '../support/jobs.ts'
import { startApprise, withoutApprise } from '../support/peers/apprise.ts'
import { startReceiver } from '../support/receiver.ts'

/** What the plugin `json://` of Apprise delivers. */
const delivered = z.object({ title: z.string(), message: z.string(), type: z.string() })

describe('a contact of apprise, at its own library', { skip: withoutApprise() }, async () => {
  const service = await startReceiver()
  const other = await startReceiver()
  const [plain, tagged] = [service, other].map(({ url }) => url.replace('http:', 'json:'))
  const server = await startApprise({
    'one-service': [`${plain}/`],
    'two-services': [`${plain}/`, `devops=${tagged}/`],
    'all-of-both': [`devops=${plain}/`, `devops=${tagged}/`],
  })
  beforeEach(() => {
    for (const each of [service, other]) {
      each.received.length = 0
      each.react(() => ({ status: 200 }))
    }
  })

  const tell = (alert: Alert, options: { config_key: string; tag?: string }) =>
    apprise.attempt(
      alert,
      {
        deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
        sentAt: new Date(),
        destination: 'Everybody',
        signingSecrets: [],
        publicUrl: 'https://perigee.example',
        unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
        options: { server: server.url, ...options },
      },
      { carriers: testCarriers(), signal: AbortSignal.timeout(30_000) },
    )
  const arrived = () => [service, other].map(({ received }) => received.length)

  it('reaches a service with its title and every line of its text', async () => {
    const attempt = await tell(statusAlertOf('monitor.down', { name: 'Shop & <b>API</b>' }), {
      config_key: 'one-service',
    })
    assert.deepEqual(attempt, { outcome: 'delivered', statusCode: 200 })
    const { title, message, type } = delivered.parse(JSON.parse(service.received[0]?.body ?? ''))
    assert.deepEqual([title, type], ['Down: Shop & <\u2060b>API<\u2060/b>', 'failure'])
    assert.match(message, /is down\.\r?\nCause: The server answered 503\.\r?\n/)
    assert.match(message, /Open the incident: https:\/\/perigee\.example\/incidents\/[-\da-f]{36}$/)
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
    it(`tells ${type} as ${types[type]}`, async () => {
      await tell(alertOf(type), { config_key: 'one-service' })
      assert.equal(delivered.parse(JSON.parse(service.received[0]?.body ?? '')).type, types[type])
    })

  for (const [tag, reached] of [
    [undefined, [1, 0]],
    ['devops', [0, 1]],
    ['admins, devops', [0, 1]],
    ['all', [1, 1]],
  ] as const)
    it(`reaches the services with the tag ${tag}`, async () => {
      const attempt = await tell(alertOf('test'), { config_key: 'two-services', ...(tag === undefined ? {} : { tag }) })
      assert.deepEqual([attempt.outcome, arrived()], ['delivered', reached])
    })

  it('is tried again where no service has the tag, or there is no such configuration', async () => {
    const untagged = await tell(alertOf('test'), { config_key: 'two-services', tag: 'admins' })
    assert.deepEqual([untagged.outcome, untagged.statusCode], ['try_again', 424])
    const unknown = await tell(alertOf('test'), { config_key: 'no-such-key' })
    assert.deepEqual([unknown.outcome, unknown.statusCode], ['try_again', 204])
    assert.deepEqual(arrived(), [0, 0])
  })

  it('is tried again where the service did not take it, with the reason of Apprise', async () => {
    service.react(() => ({ status: 503 }))
    const attempt = await tell(alertOf('test'), { config_key: 'one-service' })
    assert.deepEqual([attempt.outcome, attempt.statusCode], ['try_again', 424])
    assert.match('error' in attempt ? attempt.error : '', /^The contact answered 424: Failed to send JSON .*error=503/)
  })

  it('is given up where one of two services took it', async () => {
    other.react(() => ({ status: 503 }))
    const attempt = await tell(alertOf('test'), { config_key: 'all-of-both', tag: 'devops' })
    assert.deepEqual([attempt.outcome, arrived()], ['failed', [1, 1]])
    assert.match('error' in attempt ? attempt.error : '', /^Only some of the services were reached\. .*error=503/)
  })
})
