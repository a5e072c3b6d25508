import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPhases, type Phases, type Result, type Verdict } from '#core/results/result.ts'
import type { Span } from '#otlp/span.ts'
import { createTracer, orderPlace, reportPlace } from '#otlp/tracer.ts'
import { traceIdOf } from '#otlp/trace-ids.ts'
import { type CheckTraces, createCheckTraces } from './check-traces.ts'

const round = 1_795_680_000_000_000
const wallMs = 1_795_680_001_000
const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 60, error: null, phases: noPhases, details: {} }
const result: Result = { monitorId: 'm', version: 1, round, location: 'here', verdict: up }
const traceId = traceIdOf('m', round)

type Bench = { traces: CheckTraces; spans: Span[]; pass: (ms: number) => void }

/** The steady clock begins at 1,000. */
function bench(share = 1): Bench {
  const spans: Span[] = []
  let passedMs = 0
  const traces = createCheckTraces({
    tracer: createTracer({ share, end: (span) => spans.push(span) }),
    prober: 'p1',
    time: { nowMs: () => wallMs + passedMs, steadyMs: () => 1_000 + passedMs },
  })
  return { traces, spans, pass: (ms) => (passedMs += ms) }
}

/** Name, start and end, from the arrival on. */
const course = (spans: readonly Span[]): unknown[] =>
  spans.map(({ name, startMs, endMs }) => [name, startMs - wallMs + 100, endMs - wallMs + 100])

describe('the traces of checks', () => {
  it('show what a check consisted of, and when its result was durable', () => {
    const { traces, spans, pass } = bench()
    const phases: Phases = { dnsMs: 5, connectMs: 10, tlsMs: null, ttfbMs: 30, transferMs: 15 }
    const of = { ...result, verdict: { ...up, phases } }
    traces.checked({ result: of, kind: 'http', times: { arrivedMs: 900, startedMs: 920, judgedMs: 990 } })
    pass(40)
    traces.reported([of])
    assert.deepEqual(course(spans), [
      ['check', 0, 100],
      ['wait', 0, 20],
      ['dns', 30, 35],
      ['connect', 35, 45],
      ['ttfb', 45, 75],
      ['transfer', 75, 90],
      ['report', 100, 140],
    ])
    const [check = assert.fail()] = spans
    assert.deepEqual([check.traceId, check.parentId], [traceId, orderPlace(traceId, 'here').spanId])
    assert.ok(spans.slice(1).every(({ parentId }) => parentId === check.spanId))
    assert.equal(spans.at(-1)?.spanId, reportPlace(traceId, 'here').spanId)
    assert.deepEqual(check.attributes, {
      'perigee.location': 'here',
      'perigee.prober': 'p1',
      'perigee.monitor.kind': 'http',
      'perigee.check.status': 'up',
      'perigee.check.status_code': 200,
      'perigee.check.latency_ms': 60,
    })
  })

  it('have no phase that begins before its check, however long phases are said to take', () => {
    const { traces, spans } = bench()
    const of = { ...result, verdict: { ...up, phases: { ...noPhases, connectMs: 50, ttfbMs: 70 } } }
    traces.checked({ result: of, kind: 'http', times: { arrivedMs: 900, startedMs: 920, judgedMs: 1_000 } })
    assert.deepEqual(course(spans), [
      ['check', 0, 100],
      ['wait', 0, 20],
      ['connect', 20, 70],
      ['ttfb', 70, 100],
    ])
  })

  it('tell a check that told nothing, and one that failed, without the words of the failure', () => {
    const { traces, spans } = bench()
    const times = { arrivedMs: 900, startedMs: 900, judgedMs: 1_000 }
    const down: Verdict = { ...up, status: 'down', statusCode: null, latencyMs: null, error: 'hunter2' }
    traces.checked({ result: { ...result, verdict: null }, kind: 'tcp', times })
    traces.checked({ result: { ...result, verdict: down }, kind: 'tcp', times })
    const checks = spans.filter(({ name }) => name === 'check')
    assert.deepEqual(
      checks.map(({ isFailure, attributes }) => [isFailure, attributes['perigee.check.status']]),
      [
        [false, 'none'],
        [true, 'down'],
      ],
    )
    assert.ok(!JSON.stringify(spans).includes('hunter2'))
  })

  it('report a result once, and one that was dropped never', () => {
    const { traces, spans } = bench()
    const times = { arrivedMs: 900, startedMs: 900, judgedMs: 1_000 }
    const other = { ...result, round: round + 30_000_000 }
    for (const each of [result, other]) traces.checked({ result: each, kind: 'tcp', times })
    traces.dropped([other])
    traces.reported([result, other])
    traces.reported([result])
    assert.equal(spans.filter(({ name }) => name === 'report').length, 1)
  })

  it('are none of rounds that are not among the share', () => {
    const { traces, spans } = bench(0)
    traces.checked({ result, kind: 'tcp', times: { arrivedMs: 900, startedMs: 900, judgedMs: 1_000 } })
    traces.reported([result])
    assert.deepEqual(spans, [])
  })
})
