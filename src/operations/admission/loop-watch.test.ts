import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { createLoopWatch } from './loop-watch.ts'

it('a loop is late while its timers come late, and no longer once they come in time', async () => {
  let nowMs = 0
  const { isLate } = createLoopWatch({ lateMs: 80, everyMs: 10, clock: () => nowMs })
  assert.equal(isLate(), false)
  nowMs = 91
  await until('the loop to be late', isLate)
  // A clock that stands still has every timer come early.
  await until('the loop to be in time', () => !isLate())
  nowMs += 90
  let looks = 0
  await until('some looks', () => {
    assert.equal(isLate(), false, 'a timer that is exactly as late as it may be')
    looks += 1
    return looks > 5
  })
})
