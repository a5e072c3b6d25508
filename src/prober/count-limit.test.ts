import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCountLimit } from './count-limit.ts'

describe('the limit of counted checks', () => {
  it('is ten seconds of what no machine makes, and a second of it comes back in a second', () => {
    let nowMs = 7
    const isTooMuch = createCountLimit(() => nowMs)
    assert.deepEqual([isTooMuch(1_000_000), isTooMuch(0), isTooMuch(1)], [false, false, true])
    nowMs += 1_000
    assert.deepEqual([isTooMuch(99_999), isTooMuch(1)], [false, true])
  })

  it('lets nothing be saved up beyond that', () => {
    let nowMs = 0
    const isTooMuch = createCountLimit(() => nowMs)
    nowMs = 3_600_000
    assert.deepEqual([isTooMuch(1_000_000), isTooMuch(1)], [false, true])
  })
})
