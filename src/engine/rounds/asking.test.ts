import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openRound } from '#core/results/round.ts'
import { present, schedulerBench, watchedWith } from '../../../test/support/scheduler.ts'
import { type Outgoing, send } from './asking.ts'
import { openRoundOf } from './watched.ts'

describe('an engine that reviews whom it asked', () => {
  it('asks another prober in place of one that is gone, once, for the same round', () => {
    const { scheduler, assigned, presence } = schedulerBench()
    present(presence, 'p1', 0)
    const watched = watchedWith({ locations: ['a'] })
    scheduler.schedule(watched, { isAtOnce: true, nowMs: 1 })
    scheduler.tick(1)
    present(presence, 'p2', 4_000)
    scheduler.review(4_000)
    assert.equal(assigned.length, 1, 'the first is there')
    scheduler.review(6_001)
    scheduler.review(6_002)
    assert.deepEqual(
      assigned.map(({ to, round }) => [to, round]),
      [
        ['a/p1', 1_000],
        ['a/p2', 1_000],
      ],
    )
  })

  it('asks again a prober that has come back, and none that was there all the time', () => {
    const { scheduler, assigned, presence } = schedulerBench()
    present(presence, 'p', 0)
    scheduler.schedule(watchedWith({ locations: ['a'] }), { isAtOnce: true, nowMs: 1 })
    scheduler.tick(1)
    present(presence, 'p', 1_000)
    scheduler.review(1_000)
    assert.equal(assigned.length, 1)
    presence.note({ location: 'a', prober: 'p', isLeaving: false, isFresh: true }, 2_000)
    scheduler.review(2_000)
    scheduler.review(2_001)
    assert.equal(assigned.length, 2)
    presence.doubt(3_000)
    scheduler.review(3_000)
    assert.equal(assigned.length, 3)
  })

  it('asks no other prober for a round in which a check has no time to begin any more', () => {
    const { scheduler, assigned, presence } = schedulerBench()
    present(presence, 'p1', 0)
    scheduler.schedule(watchedWith({ locations: ['a'], timeoutMs: 60_000 }), { isAtOnce: true, nowMs: 1 })
    scheduler.tick(1)
    present(presence, 'p2', 11_000)
    scheduler.review(11_000)
    assert.equal(assigned.length, 1)
    assert.ok(scheduler.hasExpired(11_000), 'it waits for no answer any more')
  })

  it('asks another prober up to ten seconds after the time of a round', () => {
    for (const [nowMs, asked] of [
      [11_000, 2],
      [11_001, 1],
    ] as const) {
      const { scheduler, assigned, presence } = schedulerBench()
      present(presence, 'p1', 1_000)
      scheduler.schedule(watchedWith({ locations: ['a'], timeoutMs: 60_000 }), { isAtOnce: true, nowMs: 1_000 })
      scheduler.tick(1_000)
      present(presence, 'p2', nowMs)
      scheduler.review(nowMs)
      assert.equal(assigned.length, asked, `at ${nowMs} ms`)
    }
  })

  it('waits for what another engine may have asked, and asks nothing that comes too late', () => {
    const { scheduler, assigned, online } = schedulerBench()
    online('a', 11_000)
    const watched = watchedWith({ locations: ['a'], timeoutMs: 60_000 })
    scheduler.adopt(openRoundOf(watched, 1_000, openRound(['a'])))
    scheduler.review(11_000)
    assert.equal(assigned.length, 0)
    assert.ok(!scheduler.hasExpired(11_000) && scheduler.hasExpired(70_001))
  })

  it('waits no longer for locations where no prober is left', () => {
    const { scheduler, online, presence } = schedulerBench()
    const watched = watchedWith()
    online('a', 0)
    online('b', 0)
    scheduler.schedule(watched, { isAtOnce: true, nowMs: 1 })
    scheduler.tick(1)
    presence.note({ location: 'a', prober: 'p', isLeaving: true }, 2)
    scheduler.review(2)
    assert.equal(scheduler.hasExpired(2), false, 'the other may answer')
    presence.note({ location: 'b', prober: 'p', isLeaving: true }, 3)
    scheduler.review(3)
    assert.deepEqual(scheduler.expired(3), [watched.open])
  })
})

describe('what a prober is asked', () => {
  for (const [count, messages] of [
    [1, [1]],
    [2_000, [2_000]],
    [4_001, [2_000, 2_000, 1]],
  ] as const)
    it(`goes in ${messages.length === 1 ? 'one message' : `${messages.length} messages`} where it is ${count}`, () => {
      const assignments = Array.from({ length: count }, (_, round) => ({ monitorId: 'm', version: 1, round }))
      const outgoing: Outgoing = new Map([['a/p', { location: 'a', prober: 'p', assignments }]])
      const sent: Parameters<Parameters<typeof send>[1]>[] = []
      send(outgoing, (...message) => sent.push(message))
      assert.deepEqual(
        sent.map(([, , list]) => list.length),
        messages,
      )
      assert.deepEqual(
        sent.flatMap(([, , list]) => list),
        assignments,
      )
    })
})
