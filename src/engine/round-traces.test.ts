import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Span } from '#otlp/span.ts'
import { createTracer, incidentPlace, orderPlace, reportPlace, roundPlace, type Tracer } from '#otlp/tracer.ts'
import { traceIdOf } from '#otlp/trace-ids.ts'
import { engineBench, failing, incidentsOf, only } from '../../test/support/engine.ts'
import { createHeartbeat } from '../../test/support/heartbeat.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

type Traced = { tracer: Tracer; spansOf: (name: Span['name']) => Span[] }

function traced(share = 1): Traced {
  const spans: Span[] = []
  return {
    tracer: createTracer({ share, end: (span) => spans.push(span) }),
    spansOf: (name) => spans.filter((span) => span.name === name),
  }
}

describe('the traces of an engine', () => {
  it('show a round with the orders to its locations, and each result as it is stored', async () => {
    const { tracer, spansOf } = traced()
    const bench = await engineBench({ tracer, online: ['amsterdam', 'boston'] })
    const locations = ['amsterdam', 'boston', 'chennai']
    const { id } = await createMonitor(bench.api, { locations, failure_threshold: 1, confirmation_threshold: 1 })
    const [first = assert.fail(), late = assert.fail()] = await bench.taken(id, ['amsterdam', 'boston'])
    await bench.answer(first, failing)
    const traceId = traceIdOf(id, first.round)
    const { spanId: round } = roundPlace(traceId)
    const incident = only(await incidentsOf(bench.database, id))
    assert.deepEqual(only(spansOf('round')).attributes, {
      'perigee.monitor.id': id,
      'perigee.round': first.round,
      'perigee.round.outcome': 'failed',
      'perigee.monitor.status': 'down',
    })
    assert.equal(only(spansOf('round')).startMs, first.round / 1000)
    assert.deepEqual(
      spansOf('order').map(({ spanId, parentId, attributes }) => [spanId, parentId, attributes['perigee.prober']]),
      ['amsterdam', 'boston'].map((location) => [orderPlace(traceId, location).spanId, round, `${location}-1`]),
    )
    assert.deepEqual(
      [only(spansOf('incident')).spanId, only(spansOf('incident')).attributes],
      [incidentPlace(traceId).spanId, { 'perigee.incident.id': incident.id, 'perigee.incident.change': 'opened' }],
    )
    await bench.answer(late, failing)
    assert.deepEqual(
      spansOf('store').map(({ parentId }) => parentId),
      ['amsterdam', 'boston'].map((location) => reportPlace(traceId, location).spanId),
    )
    assert.equal(spansOf('round').length, 1, 'a late result decides nothing')
    assert.deepEqual([spansOf('schedule').length, spansOf('judge').length], [1, 1])
  })

  it('show a call below its round, without orders', async () => {
    const { tracer, spansOf } = traced()
    const bench = await engineBench({ tracer })
    const heartbeat = await createHeartbeat(bench)
    await heartbeat.call()
    await until('the call is traced', async () => spansOf('round').length === 1)
    const { traceId } = only(spansOf('round'))
    assert.equal(only(spansOf('store')).parentId, roundPlace(traceId).spanId)
    assert.deepEqual([spansOf('order'), spansOf('schedule')], [[], []])
  })

  it('are none of rounds that are not among the share', async () => {
    const { tracer, spansOf } = traced(0)
    const bench = await engineBench({ tracer })
    const { id } = await createMonitor(bench.api, { locations: ['amsterdam'] })
    const [told = assert.fail()] = await bench.taken(id, ['amsterdam'])
    await bench.answer(told, {})
    assert.deepEqual([...spansOf('round'), ...spansOf('store')], [])
  })
})
