import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openRound } from '#core/results/round.ts'
import { present, schedulerBench, watchedWith } from '../../../test/support/scheduler.ts'
import { createRoundTurns } from './round-turns.ts'
import { openRoundOf } from './watched.ts'

describe('the turns of an engine', () => {
  it('begin what is due, and ask again twice a second at most where probers came or went', () => {
    const { scheduler, presence, assigned } = schedulerBench()
    const takeTurns = createRoundTurns(scheduler, presence)
    const asked = (): string[] => assigned.map(({ to }) => to)
    present(presence, 'p1', 0)
    scheduler.schedule(watchedWith({ locations: ['a'] }), { isAtOnce: true, nowMs: 1 })
    takeTurns(1)
    assert.deepEqual(asked(), ['a/p1'])
    presence.note({ location: 'a', prober: 'p1', isLeaving: true }, 300)
    present(presence, 'p2', 300)
    takeTurns(500)
    assert.deepEqual(asked(), ['a/p1'])
    takeTurns(501)
    assert.deepEqual(asked(), ['a/p1', 'a/p2'])
  })

  it('ask for a round that was taken over, also while the same probers are there', () => {
    const { scheduler, presence, assigned } = schedulerBench()
    const takeTurns = createRoundTurns(scheduler, presence)
    present(presence, 'p', 0)
    takeTurns(1)
    scheduler.adopt(openRoundOf(watchedWith({ locations: ['a'] }), 400_000, openRound(['a'])))
    takeTurns(501)
    takeTurns(1_001)
    assert.deepEqual(
      assigned.map(({ to, round }) => [to, round]),
      [['a/p', 400_000]],
    )
  })
})
