import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTurns } from './registry-turns.ts'

describe('turns at a server', () => {
  it('lie apart, and each server has its own', () => {
    let nowMs = 1000
    const turns = createTurns({ spacingMs: 250, maxWaitMs: 10_000 }, () => nowMs)
    assert.deepEqual([turns('a'), turns('a'), turns('b'), turns('a')], [0, 250, 0, 500])
    nowMs += 400
    assert.deepEqual([turns('a'), turns('b')], [350, 0])
    nowMs += 100_000
    assert.equal(turns('a'), 0)
  })

  it('are not given for a time that is too far off, which delays nobody else', () => {
    let nowMs = 0
    const turns = createTurns({ spacingMs: 250, maxWaitMs: 600 }, () => nowMs)
    assert.deepEqual([turns('a'), turns('a'), turns('a'), turns('a'), turns('a')], [0, 250, 500, null, null])
    nowMs = 250
    assert.deepEqual([turns('a'), turns('a')], [500, null])
  })

  it('are remembered for the last thousand servers', () => {
    const turns = createTurns({ spacingMs: 250, maxWaitMs: 10_000 }, () => 0)
    assert.equal(turns('first'), 0)
    for (let index = 0; index < 999; index++) turns(`s${index}`)
    assert.equal(turns('first'), 250)
    for (let index = 0; index < 1000; index++) turns(`t${index}`)
    assert.equal(turns('first'), 0)
  })
})
