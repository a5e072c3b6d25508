import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import type { Span } from '#otlp/span.ts'
import { createTracer, incidentPlace, roundPlace } from '#otlp/tracer.ts'
import { traceIdOf } from '#otlp/trace-ids.ts'
import { alertOf, bundleOf, statusAlertOf } from '../../../test/support/alerts.ts'
import { type TracedDelivery, traceAttempt, traceUnsent } from './delivery-traces.ts'

const nowMs = Date.parse('2026-11-21T10:05:00.000Z')
const monitorId = '0f8fad5b-d9cb-469f-a165-70867728950e'
const openedAt = '2026-11-21T10:00:00.000Z'
const resolvedAt = '2026-11-21T10:04:00.000Z'
const traceAt = (time: string, of = monitorId): string => traceIdOf(of, Date.parse(time) * 1000)

const deliveryOf = (alert: Alert, of: Partial<TracedDelivery> = {}): TracedDelivery => {
  return { id: 'd1', alert, attempt: 1, ageMs: 2_000, contact: { id: 'c1', kind: 'webhook' }, ...of }
}

function tracedBy(trace: (tracer: ReturnType<typeof createTracer>) => void, share = 1): Span[] {
  const spans: Span[] = []
  trace(createTracer({ share, end: (span) => spans.push(span) }))
  return spans
}

const times = { startMs: nowMs, endMs: nowMs + 300 }
const delivered = { attempt: { outcome: 'delivered', statusCode: 204 }, decision: { type: 'delivered' } } as const
const failed = { outcome: 'try_again', statusCode: 503, error: 'hunter2', afterSeconds: null } as const

/** The whole delivery of this alert, delivered at the first attempt. */
function wholeOf(alert: Alert): Span {
  const spans = tracedBy((tracer) => traceAttempt(tracer, { claim: deliveryOf(alert), ...delivered, ...times }))
  return spans.find(({ name }) => name === 'deliver') ?? assert.fail('there is no delivery')
}

describe('the trace of a delivery', () => {
  it('has each attempt, and the whole when the last one has ended', () => {
    const alert = statusAlertOf('monitor.down', { monitorId })
    const retry = { type: 'retry', delayMs: 5_000, isContactFailing: false } as const
    const spans = tracedBy((tracer) => {
      traceAttempt(tracer, { claim: deliveryOf(alert), attempt: failed, decision: retry, ...times })
      const again = { startMs: nowMs + 5_000, endMs: nowMs + 5_100 }
      traceAttempt(tracer, { claim: deliveryOf(alert, { attempt: 2, ageMs: 7_000 }), ...delivered, ...again })
    })
    const traceId = traceAt(openedAt)
    assert.deepEqual(
      spans.map(({ name, startMs, endMs, isFailure }) => [name, startMs - nowMs, endMs - nowMs, isFailure]),
      [
        ['attempt', 0, 300, true],
        ['attempt', 5_000, 5_100, false],
        ['deliver', -2_000, 5_100, false],
      ],
    )
    const whole = spans.at(-1)
    assert.deepEqual([whole?.traceId, whole?.parentId], [traceId, incidentPlace(traceId).spanId])
    assert.ok(spans.slice(0, 2).every(({ parentId }) => parentId === whole?.spanId))
    assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, 3)
    assert.deepEqual(whole?.attributes, {
      'perigee.delivery.id': 'd1',
      'perigee.contact.id': 'c1',
      'perigee.contact.kind': 'webhook',
      'perigee.alert.type': 'monitor.down',
    })
    assert.ok(!JSON.stringify(spans).includes('hunter2'))
  })

  it('has the whole alone, as a failure, where nothing was sent', () => {
    const claim = deliveryOf(statusAlertOf('monitor.up', { monitorId }))
    const spans = tracedBy((tracer) => traceUnsent(tracer, claim, nowMs))
    assert.deepEqual(
      spans.map(({ traceId, name, startMs, isFailure }) => [traceId, name, startMs, isFailure]),
      [[traceAt(resolvedAt), 'deliver', nowMs - 2_000, true]],
    )
  })

  const ofRound = new Set(['monitor.degraded', 'monitor.degraded_ended', 'monitor.slow', 'monitor.slow_ended'])
  for (const type of alertTypes) {
    const alert = alertOf(type, { monitorId })
    const own = traceIdOf('d1', 0)
    if (type === 'monitor.down' || type === 'monitor.up')
      it(`of ${type} is that of the round, below its incident`, () => {
        const traceId = traceAt(type === 'monitor.down' ? openedAt : resolvedAt)
        const { parentId, links, ...whole } = wholeOf({ ...alert, timestamp: '2026-11-21T11:00:00.000Z' })
        assert.deepEqual([whole.traceId, parentId, links], [traceId, incidentPlace(traceId).spanId, []])
      })
    else if (ofRound.has(type))
      it(`of ${type} is that of the round`, () => {
        const traceId = traceAt(alert.timestamp)
        const { parentId, links, ...whole } = wholeOf(alert)
        assert.deepEqual([whole.traceId, parentId, links], [traceId, roundPlace(traceId).spanId, []])
      })
    else
      it(`of ${type} is one of its own${type === 'monitor.reminder' ? ', linked to the round of its incident' : ''}`, () => {
        const { traceId, parentId, links } = wholeOf(alert)
        const linked = type === 'monitor.reminder' ? [roundPlace(traceAt(openedAt))] : []
        assert.deepEqual([traceId, parentId, links], [own, null, linked])
      })
  }

  it('of an incident that a person made, or resolved, has no round of its own', () => {
    const { type, timestamp, data } = statusAlertOf('monitor.up', { monitorId })
    const byHand = { ...data, result: null, incident: { ...data.incident, by_hand: true as const } }
    const whole = wholeOf({ type, timestamp, data: byHand })
    assert.deepEqual([whole.traceId, whole.links], [traceIdOf('d1', 0), []])
    const closed = wholeOf({ type, timestamp, data: { ...data, closed: 'The monitor was deleted.' } })
    assert.deepEqual([closed.traceId, closed.links], [traceIdOf('d1', 0), [roundPlace(traceAt(openedAt))]])
  })

  it('of several alerts is one of its own, linked once to the round of each', () => {
    const other = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
    const alerts = [
      statusAlertOf('monitor.down', { monitorId }),
      statusAlertOf('monitor.down', { monitorId: other }),
      statusAlertOf('monitor.reminder', { monitorId }),
      alertOf('test'),
    ]
    const { traceId, links } = wholeOf(bundleOf(alerts))
    assert.equal(traceId, traceIdOf('d1', 0))
    assert.deepEqual(links, [roundPlace(traceAt(openedAt)), roundPlace(traceAt(openedAt, other))])
  })

  it('is not there where its round is not traced', () => {
    const claim = deliveryOf(statusAlertOf('monitor.down', { monitorId }))
    const trace = (tracer: ReturnType<typeof createTracer>): void =>
      traceAttempt(tracer, { claim, ...delivered, ...times })
    assert.deepEqual(tracedBy(trace, 0), [])
  })
})
