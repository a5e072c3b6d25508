import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hourUs, quarterHourUs } from '#core/results/merge-spans.ts'
import { mergeRows, type ResultRow } from './merged-rows.ts'

const second = 1_000_000

describe('merging rows', () => {
  it('makes one row of a bucket, location and outcome, named by its first check', () => {
    const rows = [
      row({ round: 0, latencyMs: 10, phasesMs: [1, 2, null, 4, 5], details: { redirects: 1 } }),
      row({ round: 60 * second, latencyMs: 21, phasesMs: [2, 2, null, 4, 5], details: { redirects: 2 } }),
      row({ round: 120 * second, latencyMs: null, phasesMs: [2, 2, null, 4, 5] }),
    ]
    assert.deepEqual(mergeRows(rows, { until: quarterHourUs, bucketUs: quarterHourUs }), [
      row({
        round: 0,
        latencyMs: 16,
        phasesMs: [2, 2, null, 4, 5],
        details: null,
        repeats: 3,
        lastRound: 120 * second,
        latencyMaxMs: 21,
        latencySumMs: 31,
        latencyCount: 2,
      }),
    ])
  })

  it('keeps apart what has another outcome, location or bucket, and what is not to be merged yet', () => {
    const rows = [
      row({ round: 0 }),
      row({ round: 0, location: 2 }),
      row({ round: second, statusCode: 204 }),
      row({ round: 2 * second, status: 'd' }),
      row({ round: 3 * second, error: 'refused' }),
      row({ round: quarterHourUs }),
      row({ round: 2 * quarterHourUs }),
      row({ round: 2 * quarterHourUs + second }),
    ]
    assert.deepEqual(mergeRows(rows, { until: 2 * quarterHourUs, bucketUs: quarterHourUs }), rows)
  })

  it('makes hours of quarter-hours as it would of the checks', () => {
    const checks = Array.from({ length: 60 }, (_, minute) =>
      row({ round: minute * 60 * second, latencyMs: minute % 7, status: minute % 11 === 0 ? 'd' : 'u' }),
    )
    const quarters = mergeRows(checks, { until: hourUs, bucketUs: quarterHourUs })
    const hours = mergeRows(checks, { until: hourUs, bucketUs: hourUs })
    assert.deepEqual([quarters.length, hours.length], [8, 2])
    assert.deepEqual(mergeRows(quarters, { until: hourUs, bucketUs: hourUs }), hours)
    assert.deepEqual(mergeRows(hours, { until: hourUs, bucketUs: hourUs }), hours)
  })

  it('has no latency where no check had one', () => {
    const rows = [row({ round: 0, latencyMs: null }), row({ round: second, latencyMs: null })]
    const [merged] = mergeRows(rows, { until: quarterHourUs, bucketUs: quarterHourUs })
    assert.deepEqual(
      [merged?.latencyMs, merged?.latencyMaxMs, merged?.latencySumMs, merged?.latencyCount],
      [null, null, 0, 0],
    )
  })
})

function row(given: Partial<ResultRow>): ResultRow {
  return {
    location: 1,
    round: 0,
    status: 'u',
    statusCode: 200,
    error: null,
    latencyMs: 10,
    phasesMs: [1, 1, 1, 1, 1],
    details: null,
    repeats: 1,
    lastRound: null,
    inMaintenance: false,
    latencyMaxMs: null,
    latencySumMs: null,
    latencyCount: null,
    ...given,
  }
}
