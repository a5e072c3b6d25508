import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createUntoldRounds } from './untold-rounds.ts'

describe('rounds that told nothing', () => {
  it('are two in a row of each monitor, until the location knows better', () => {
    const untold = createUntoldRounds()
    const ask = (monitorId: string, times: number): boolean[] =>
      Array.from({ length: times }, () => untold.mayWithhold(monitorId))
    assert.deepEqual(ask('m', 4), [true, true, false, false])
    assert.deepEqual(ask('other', 1), [true])
    untold.told('m')
    assert.deepEqual(ask('m', 3), [true, true, false])
  })

  it('are remembered of a bounded number of monitors, the latest of them', () => {
    const untold = createUntoldRounds()
    for (let monitor = 0; monitor <= 50_000; monitor += 1) {
      untold.mayWithhold(`${monitor}`)
      untold.mayWithhold(`${monitor}`)
    }
    assert.deepEqual([untold.mayWithhold('0'), untold.mayWithhold('50000')], [true, false])
  })
})
