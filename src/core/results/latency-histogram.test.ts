import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import {
  type LatencyHistogram,
  latencyBounds,
  mergeHistograms,
  middleOf,
  percentilesOf,
  slotOf,
} from './latency-histogram.ts'

const latency = fc.oneof(fc.nat(120), fc.nat(5000), fc.nat(200_000), fc.nat(2 ** 31 - 1))

suite('latency histogram', () => {
  test('has slots that fit a smallint, each as wide as 2 % to both sides allow', () => {
    assert.equal(latencyBounds.length, 488)
    assert.deepEqual(latencyBounds.slice(46, 52), [47, 48, 49, 51, 54, 57])
    for (const [index, lowest] of latencyBounds.entries()) {
      const highest = (latencyBounds[index + 1] ?? 2 ** 31) - 1
      const middle = middleOf(index + 1)
      assert.ok(middle - lowest <= lowest * 0.02 && highest - middle <= highest * 0.02, `slot ${index + 1}`)
    }
  })

  test('puts every bound into its own slot and what lies before it into the one below', () => {
    for (const [index, lowest] of latencyBounds.entries()) {
      assert.equal(slotOf(lowest), index + 1)
      assert.equal(slotOf(lowest - 1), index)
    }
    assert.deepEqual([slotOf(-5), middleOf(slotOf(-5)), slotOf(0), middleOf(0)], [0, 0, 0, 0])
    assert.equal(slotOf(2 ** 31 - 1), latencyBounds.length)
  })

  test('answers percentiles by nearest rank, at most 2 % from the exact ones', () => {
    fc.assert(
      fc.property(fc.array(latency, { minLength: 1, maxLength: 400 }), (latencies) => {
        const found = percentilesOf(histogramOf(latencies))
        for (const [percent, answer] of [
          [50, found.p50_ms],
          [95, found.p95_ms],
          [99, found.p99_ms],
        ] as const) {
          const exact = nearestRank(latencies, percent)
          assert.ok(answer !== null && Math.abs(answer - exact) <= exact * 0.02, `p${percent}: ${answer} for ${exact}`)
        }
      }),
    )
  })

  test('answers the latency of the check at the very rank', () => {
    const histogram = { slots: [1, 2, 3, 4, 5, 6, 7], counts: [499, 1, 449, 1, 39, 1, 10] }
    assert.deepEqual(percentilesOf(histogram), { p50_ms: 2, p95_ms: 4, p99_ms: 6 })
  })

  test('says nothing of a day without checks', () => {
    const nothing = { p50_ms: null, p95_ms: null, p99_ms: null }
    assert.deepEqual(percentilesOf(mergeHistograms([])), nothing)
    assert.deepEqual(percentilesOf({ slots: [7], counts: [0] }), nothing)
  })

  test('merges in any order and any grouping to the histogram of all', () => {
    const part = fc.array(latency, { maxLength: 60 })
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        const [x, y, z] = [histogramOf(a), histogramOf(b), histogramOf(c)]
        const all = histogramOf([...a, ...b, ...c])
        assert.deepEqual(mergeHistograms([x, y, z]), all)
        assert.deepEqual(mergeHistograms([z, x, y]), all)
        assert.deepEqual(mergeHistograms([x, mergeHistograms([y, z])]), all)
        assert.deepEqual(mergeHistograms([mergeHistograms([x, y]), z]), all)
      }),
    )
  })
})

function histogramOf(latencies: readonly number[]): LatencyHistogram {
  return mergeHistograms(latencies.map((ms) => ({ slots: [slotOf(ms)], counts: [1] })))
}

function nearestRank(latencies: readonly number[], percent: number): number {
  const ordered = latencies.toSorted((a, b) => a - b)
  return ordered[Math.ceil((ordered.length * percent) / 100) - 1] ?? NaN
}
