import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { watchedWith } from '../../../test/support/scheduler.ts'
import { openRoundOf } from './watched.ts'
import { openRound } from '#core/results/round.ts'

describe('what an engine keeps in memory of a monitor', () => {
  it('is what the monitor depends on, however little that is', () => {
    assert.deepEqual(watchedWith().parentIds, [])
    assert.deepEqual(watchedWith({ parentIds: ['router'] }).parentIds, ['router'])
  })

  it('is one list of locations, and one set of thresholds, for all that have the same', () => {
    const [one, other, third] = [watchedWith(), watchedWith(), watchedWith({ locations: ['b'], failureThreshold: 2 })]
    assert.equal(one.locations, other.locations)
    assert.equal(one.settings, other.settings)
    assert.deepEqual([third.locations, third.settings.failureThreshold], [['b'], 2])
  })

  it('is in no schedule until it is placed there, and begins with nothing open', () => {
    const { heapIndex, open, busy, foldedUntil } = watchedWith()
    assert.deepEqual({ heapIndex, open, busy, foldedUntil }, { heapIndex: -1, open: null, busy: null, foldedUntil: 0 })
  })

  it('is the end that was seen last, also one that never comes', () => {
    assert.equal(watchedWith().sight, null)
    const { sight } = watchedWith({ expiry: { endMs: null, writtenMs: 5 } })
    assert.deepEqual(sight, { endMs: Infinity, writtenMs: 5, sharedMs: null })
  })
})

it('a round is over ten seconds after the timeout of its check, counted from its time', () => {
  assert.equal(openRoundOf(watchedWith({ timeoutMs: 5_000 }), 20_000_000, openRound([])).dueMs, 35_000)
})
