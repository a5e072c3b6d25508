import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCallClock } from './call-routes.ts'

function timesOf(now: () => Date): () => number {
  const timeOf = createCallClock(now)
  return () => timeOf(0).round
}

describe('the times of calls', () => {
  it('are those of their receipt, and no two alike in one moment or a clock that trembles', () => {
    let nowMs = 1_000_000
    const next = timesOf(() => new Date(nowMs))
    const times = Array.from({ length: 3_000 }, () => next())
    nowMs -= 1_500
    times.push(next())
    assert.equal(new Set(times).size, times.length)
    assert.ok(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0)))
    assert.ok(Math.abs((times[0] ?? 0) - 1_000_000_000) < 1_000)
    nowMs = 1_100_000
    assert.ok(Math.abs(next() - 1_100_000_000) < 1_000)
  })

  it('follow a clock that is set back, because nobody takes calls of a time to come', () => {
    let nowMs = 10_000_000
    const next = timesOf(() => new Date(nowMs))
    next()
    nowMs -= 3_600_000
    const after = next()
    assert.ok(Math.abs(after - nowMs * 1000) < 1_000)
    assert.ok(next() > after)
  })
})
