import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isInShare, spanIdOf, traceIdOf } from './trace-ids.ts'

const monitorId = '0f8fad5b-d9cb-469f-a165-70867728950e'
const round = 1_795_680_000_000_000

describe('ids of traces', () => {
  it('are those that every release makes, because processes of two releases work on one trace', () => {
    const traceId = traceIdOf(monitorId, round)
    assert.deepEqual([traceId, spanIdOf(traceId, 'round')], ['9fe74f16ba87cc703156e068e4b6da74', '7bb1f0faa907fa59'])
  })

  it('have the digits that OTLP wants, and differ with the monitor, the round and the span', () => {
    fc.assert(
      fc.property(fc.tuple(fc.uuid(), fc.uuid()), fc.nat(), fc.string(), ([one, other], ms, what) => {
        const traceId = traceIdOf(one, ms * 1000)
        assert.match(traceId, /^[0-9a-f]{32}$/)
        assert.match(spanIdOf(traceId, what), /^[0-9a-f]{16}$/)
        assert.notEqual(spanIdOf(traceId, what), spanIdOf(traceId, `${what}.`))
        assert.notEqual(traceIdOf(one, (ms + 1) * 1000), traceId)
        if (one !== other) assert.notEqual(traceIdOf(other, ms * 1000), traceId)
      }),
    )
  })

  it('are found from the time of an alert, which has milliseconds', () => {
    const at = new Date(round / 1000 + 0.7).toISOString()
    assert.equal(traceIdOf(monitorId, Date.parse(at) * 1000), traceIdOf(monitorId, round + 700))
  })
})

describe('the share of rounds that is traced', () => {
  it('is all with 1, none with 0, and grows with the share', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (id, time, share) => {
        assert.ok(isInShare(id, time, 1))
        assert.ok(!isInShare(id, time, 0))
        if (isInShare(id, time, share / 2)) assert.ok(isInShare(id, time, share))
      }),
    )
  })

  const shares = [0.001, 0.01, 0.5]
  for (const share of shares)
    it(`is ${share} of all monitors at one time, and of all rounds of one monitor`, () => {
      const count = 50_000
      const ofMonitors = Array.from({ length: count }, () => randomUUID()).filter((id) => isInShare(id, round, share))
      const ofRounds = Array.from({ length: count }, (_, index) => index).filter((index) =>
        isInShare(monitorId, round + index * 30_000_000, share),
      )
      const spread = 6 * Math.sqrt(count * share * (1 - share))
      for (const { length } of [ofMonitors, ofRounds])
        assert.ok(Math.abs(length - count * share) < spread, `${length} of ${count}`)
    })
})
