import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { middleOf, slotOf } from './latency-histogram.ts'
import { bucketLatenciesMs, bucketSlots, responseBoundsMs } from './response-buckets.ts'

/** As PostgreSQL's `width_bucket` does it. */
function placeOf(value: number, bounds: readonly number[]): number {
  return bounds.filter((bound) => bound <= value).length
}

describe('buckets of response times', () => {
  it('hold what their bounds say, at most 2 % off', () => {
    for (let latencyMs = 0; latencyMs <= 70_000; latencyMs += 1) {
      const place = placeOf(latencyMs, bucketLatenciesMs)
      const [upper, lower] = [responseBoundsMs[place] ?? Infinity, responseBoundsMs[place - 1] ?? -1]
      assert.ok(latencyMs <= upper * 1.02 && latencyMs > lower * 0.98, `${latencyMs} ms is in bucket ${place}`)
    }
  })

  it('are those that docs/metrics.md names', () => {
    assert.deepEqual(responseBoundsMs, [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000])
  })

  it('are the same for a response time and for its slot', () => {
    for (let latencyMs = 0; latencyMs <= 70_000; latencyMs += 1) {
      const slot = slotOf(latencyMs)
      assert.equal(placeOf(latencyMs, bucketLatenciesMs), placeOf(slot, bucketSlots), String(latencyMs))
      assert.equal(placeOf(middleOf(slot) - 1, responseBoundsMs), placeOf(slot, bucketSlots), String(latencyMs))
    }
  })

  it('take the bound itself where slots are milliseconds', () => {
    for (const bound of [5, 10, 25])
      assert.notEqual(placeOf(bound, bucketLatenciesMs), placeOf(bound + 1, bucketLatenciesMs))
  })
})
