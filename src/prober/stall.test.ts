import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { watchStalls } from './stall.ts'

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

describe('the watch over the event loop', () => {
  let nowMs = 0
  const watch = watchStalls(() => nowMs)
  after(() => watch.stop())
  const end = watch.begin()
  const turns = (at: number): number => {
    nowMs = at
    return watch.stalledMs(0)
  }

  it('counts the time for which the loop stood still, since a moment before or meanwhile', () => {
    assert.equal(turns(200), 0, 'a short pause is none')
    assert.equal(turns(1_200), 1_000)
    assert.equal(watch.stalledMs(700), 500, 'of a stall that had begun, the part since then')
    assert.equal(turns(1_300), 1_000)
    assert.equal(turns(1_800), 1_500)
    assert.equal(watch.stalledMs(1_300), 500)
    assert.equal(watch.stalledMs(1_800), 0)
    assert.equal(watch.stalls, 2)
  })

  it('forgets stalls of long ago, and none of the last minutes', () => {
    for (let turn = 0; turn < 10_000; turn += 1) turns(nowMs + 400)
    assert.equal(watch.stalledMs(nowMs - 400_000), 400_000)
  })

  it('leaves a thread alone in which nobody wants to know, and counts nothing of that time', () => {
    const before = timers()
    const endOther = watch.begin()
    end()
    assert.equal(timers(), before, 'it is still watched')
    endOther()
    assert.equal(timers(), before - 1)
    nowMs += 60_000
    const { stalls } = watch
    const endLast = watch.begin()
    assert.equal(turns(nowMs + 100) - turns(nowMs), 0)
    assert.deepEqual([watch.stalls, timers()], [stalls, before])
    endLast()
  })
})
