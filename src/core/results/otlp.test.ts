import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { judgeOtlpAnswer, type OtlpOutcome, otlpRequestOf, type PushedResult } from './otlp.ts'

const now = new Date('2026-11-26T12:00:00Z')

describe('the answer of a receiver of OTLP', () => {
  const answers: [status: number, retryAfter: string | null, body: string, outcome: OtlpOutcome][] = [
    [200, null, '{}', { type: 'taken', rejected: 0, problem: null }],
    [200, null, '', { type: 'taken', rejected: 0, problem: null }],
    [202, null, 'ok', { type: 'taken', rejected: 0, problem: null }],
    [200, null, '{"partialSuccess":{}}', { type: 'taken', rejected: 0, problem: null }],
    [200, null, '{"partialSuccess":null}', { type: 'taken', rejected: 0, problem: null }],
    [
      200,
      null,
      '{"partialSuccess":{"rejectedDataPoints":3,"errorMessage":"late"}}',
      { type: 'taken', rejected: 3, problem: 'It left out 3 data points: late' },
    ],
    [
      // A warning about what was taken as a whole.
      200,
      null,
      '{"partialSuccess":{"errorMessage":"Use gRPC."}}',
      { type: 'taken', rejected: 0, problem: 'It said: Use gRPC.' },
    ],
    [
      200,
      null,
      '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"full"}}',
      { type: 'taken', rejected: 2, problem: 'It left out 2 spans: full' },
    ],
    [
      200,
      null,
      '{"partialSuccess":{"rejectedDataPoints":0,"errorMessage":"old"}}',
      { type: 'taken', rejected: 0, problem: 'It said: old' },
    ],
    [200, null, '{"partialSuccess":{"rejectedSpans":-1}}', { type: 'taken', rejected: 0, problem: null }],
    [299, null, '', { type: 'taken', rejected: 0, problem: null }],
    [300, null, '', { type: 'refused', problem: 'It answered 300.' }],
    [301, null, '', { type: 'refused', problem: 'It answered 301.' }],
    [400, '5', '', { type: 'refused', problem: 'It answered 400.' }],
    [401, null, '', { type: 'refused', problem: 'It answered 401.' }],
    [500, null, '', { type: 'refused', problem: 'It answered 500.' }],
    [429, null, '', { type: 'again', problem: 'It answered 429.', afterMs: null }],
    [502, '', '', { type: 'again', problem: 'It answered 502.', afterMs: null }],
    [503, '0', '', { type: 'again', problem: 'It answered 503.', afterMs: 0 }],
    [503, '17', '', { type: 'again', problem: 'It answered 503.', afterMs: 17_000 }],
    [503, '999999999', '', { type: 'again', problem: 'It answered 503.', afterMs: 600_000 }],
    [504, 'Thu, 26 Nov 2026 12:00:30 GMT', '', { type: 'again', problem: 'It answered 504.', afterMs: 30_000 }],
    [504, 'Thu, 26 Nov 2020 12:00:30 GMT', '', { type: 'again', problem: 'It answered 504.', afterMs: 0 }],
    [504, 'soon', '', { type: 'again', problem: 'It answered 504.', afterMs: null }],
  ]
  for (const [status, retryAfter, body, outcome] of answers)
    it(`${status} with ${retryAfter ?? 'no'} Retry-After and "${body}" is ${outcome.type}`, () => {
      assert.deepEqual(judgeOtlpAnswer({ status, retryAfter, body }, now), outcome)
    })

  it('is understood whatever its text', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), (body, retryAfter) => {
        assert.equal(judgeOtlpAnswer({ status: 200, retryAfter, body }, now).type, 'taken')
        assert.equal(judgeOtlpAnswer({ status: 503, retryAfter, body }, now).type, 'again')
      }),
    )
    fc.assert(
      fc.property(fc.jsonValue(), (partialSuccess) => {
        const body = JSON.stringify({ partialSuccess })
        assert.equal(judgeOtlpAnswer({ status: 200, retryAfter: null, body }, now).type, 'taken')
      }),
    )
  })
})

const metricsOf = (...results: PushedResult[]): unknown =>
  otlpRequestOf(results).resourceMetrics[0]?.scopeMetrics[0]?.metrics.map(({ name, gauge: { dataPoints } }) => [
    name,
    dataPoints.map((point) => ('asInt' in point ? point.asInt : point.asDouble)),
  ])

describe('the metrics of results', () => {
  const result: PushedResult = {
    workspaceId: 'w',
    monitorId: 'm',
    name: 'Shop',
    kind: 'https',
    location: 'vienna',
    status: 'up',
    latencyMs: 1500,
    round: 1_795_000_000_000_000,
  }

  it('tell whether a check was up and degraded, and in seconds what one took that was not down', () => {
    const all = [result, { ...result, status: 'degraded', latencyMs: 20 }, { ...result, status: 'down' }] as const
    assert.deepEqual(metricsOf(...all), [
      ['perigee.check.up', ['1', '1', '0']],
      ['perigee.check.degraded', ['0', '1', '0']],
      ['perigee.check.duration', [1.5, 0.02]],
    ])
  })

  it('leave out durations where no check has one', () => {
    assert.deepEqual(metricsOf({ ...result, latencyMs: null }), [
      ['perigee.check.up', ['1']],
      ['perigee.check.degraded', ['0']],
    ])
  })
})
