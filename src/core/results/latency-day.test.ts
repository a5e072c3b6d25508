import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type LatencyDay, describeLatencies, noLatencies } from './latency-day.ts'
import { slotOf } from './latency-histogram.ts'

const nothing = { slots: [], counts: [] }

function part(given: Partial<LatencyDay>): LatencyDay {
  return {
    date: '2026-11-21',
    histogram: nothing,
    phaseSumsMs: [0, 0, 0, 0, 0],
    phaseCounts: [0, 0, 0, 0, 0],
    ...given,
  }
}

describe('the latencies of days', () => {
  it('are told a day each, of all its parts together', () => {
    const merged = part({
      histogram: { slots: [slotOf(10), slotOf(40)], counts: [97, 2] },
      phaseSumsMs: [99, 0, 198, 500, 70],
      phaseCounts: [99, 99, 99, 99, 10],
    })
    const single = part({
      histogram: { slots: [slotOf(9)], counts: [1] },
      phaseSumsMs: [201, 50, 2, 6, 0],
      phaseCounts: [1, 1, 1, 1, 0],
    })
    const yesterday = part({ date: '2026-11-20', histogram: { slots: [slotOf(0)], counts: [1] } })
    const described = describeLatencies([merged, yesterday, single])
    assert.deepEqual(described.get('2026-11-21'), {
      p50_ms: 10,
      p95_ms: 10,
      p99_ms: 40,
      phases: { dns_ms: 3, connect_ms: 1, tls_ms: 2, ttfb_ms: 5, transfer_ms: 7 },
    })
    assert.deepEqual(described.get('2026-11-20'), { ...noLatencies, p50_ms: 0, p95_ms: 0, p99_ms: 0 })
    assert.equal(described.size, 2)
  })

  it('are null where no check succeeded, or none had the phase', () => {
    assert.deepEqual(noLatencies, {
      p50_ms: null,
      p95_ms: null,
      p99_ms: null,
      phases: { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null },
    })
    assert.deepEqual(describeLatencies([part({})]).get('2026-11-21'), noLatencies)
  })
})
