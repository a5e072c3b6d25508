import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { alertmanager } from '#contacts/alertmanager.ts'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, statusAlertOf } from '../support/alerts.ts'
import { testCarriers } from '../support/jobs.ts'
import { startAlertmanager } from '../support/peers/alertmanager.ts'
import { findProgram } from '../support/peers/program.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const shown = z.array(
  z.object({
    labels: z.record(z.string(), z.string()),
    annotations: z.record(z.string(), z.string()),
    endsAt: z.string(),
    receivers: z.array(z.object({ name: z.string() })),
  }),
)
const told = z.object({ status: z.enum(['firing', 'resolved']), commonLabels: z.record(z.string(), z.string()) })

const program = 'prometheus-alertmanager'
const skip = findProgram(program) === null ? `${program} is not installed` : false

describe('a contact of alertmanager, at a real one', { skip }, async () => {
  const pager = await startReceiver()
  const { url } = await startAlertmanager({ contact: 'on-call', webhookUrl: pager.url })

  const tell = (alert: Alert, { destination = 'on-call' } = {}) =>
    alertmanager.attempt(
      alert,
      {
        deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
        sentAt: new Date(),
        destination,
        signingSecrets: [],
        publicUrl: 'https://perigee.example',
        unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
        options: { server: url, labels: { team: 'shop' } },
      },
      { carriers: testCarriers(), signal: AbortSignal.timeout(30_000) },
    )
  const active = async (alertname: string) => {
    const filter = encodeURIComponent(`alertname="${alertname}"`)
    const response = await fetch(`${url}/api/v2/alerts?filter=${filter}`, { signal: AbortSignal.timeout(30_000) })
    return shown.parse(await response.json())
  }
  const tellings = () => pager.received.map(({ body }) => told.parse(JSON.parse(body)))

  it('shows an outage until its recovery, and tells whom its routes name of both', async () => {
    const startedAt = new Date(Date.now() - 60_000).toISOString()
    const outage = statusAlertOf('monitor.down')
    const incident = { ...outage.data.incident, started_at: startedAt }
    assert.deepEqual(await tell({ ...outage, data: { ...outage.data, incident } }), {
      outcome: 'delivered',
      statusCode: 200,
    })
    const [alert] = await active('PerigeeMonitorDown')
    assert.equal(alert?.annotations['summary'], 'Down: Shop API')
    assert.deepEqual(alert?.receivers, [{ name: 'pager' }])
    assert.ok(Date.parse(alert?.endsAt ?? '') > Date.now() + 300 * 24 * 3_600_000, alert?.endsAt)
    await until('the outage to be told', async () => tellings().length === 1)
    assert.partialDeepStrictEqual(tellings()[0], {
      status: 'firing',
      commonLabels: { team: 'shop', incident: 'Shop API is down', severity: 'critical' },
    })

    const recovery = statusAlertOf('monitor.up', { name: 'Renamed' })
    const resolved = {
      ...incident,
      status: 'resolved',
      resolved_at: new Date(Date.now() - 1000).toISOString(),
    } as const
    await tell({ ...recovery, data: { ...recovery.data, incident: resolved } })
    assert.deepEqual(await active('PerigeeMonitorDown'), [])
    await until('the recovery to be told', async () => tellings().length === 2)
    assert.equal(tellings()[1]?.status, 'resolved')
  })

  for (const type of alertTypes)
    it(`takes ${type}`, async () => assert.equal((await tell(alertOf(type))).outcome, 'delivered'))

  it('says why it refuses an alert', async () => {
    const attempt = await tell({ ...alertOf('test'), timestamp: 'yesterday' })
    assert.equal(attempt.outcome, 'failed')
    assert.equal(attempt.statusCode, 400)
    assert.match(attempt.outcome === 'failed' ? attempt.error : '', /^The contact answered 400: parsing alerts body/)
  })

  it('leaves it to the routes whom a contact reaches', async () => {
    await tell(alertOf('end_of_life.reached'), { destination: 'elsewhere' })
    const alert = (await active('PerigeeEndOfLifeReached')).find(({ labels }) => labels['contact'] === 'elsewhere')
    assert.deepEqual(alert?.receivers, [{ name: 'none' }])
  })
})
