import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createScoreMemory } from './score-memory.ts'

describe('the memory of scores', () => {
  it('lasts an hour', () => {
    const memory = createScoreMemory()
    assert.equal(memory.recall('a', 0), null)
    memory.keep('a', 0, 1000)
    assert.deepEqual([memory.recall('a', 1000), memory.recall('a', 3_600_999), memory.recall('b', 1000)], [0, 0, null])
    assert.equal(memory.recall('a', 3_601_000), null)
  })

  it('takes the newest', () => {
    const memory = createScoreMemory()
    memory.keep('a', 1, 0)
    memory.keep('a', 2, 3_600_000)
    assert.equal(memory.recall('a', 7_000_000), 2)
  })

  it('is bounded, and the oldest go first', () => {
    const memory = createScoreMemory()
    for (let index = 0; index < 10_000; index++) memory.keep(`${index}`, 5, index)
    memory.keep('0', 6, 10_000)
    memory.keep('more', 7, 10_001)
    assert.deepEqual(
      ['0', '1', '2', 'more'].map((subject) => memory.recall(subject, 10_001)),
      [6, null, 5, 7],
    )
  })
})
