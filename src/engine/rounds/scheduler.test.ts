import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openRound } from '#core/results/round.ts'
import type { WatchRow } from '#store/monitors/watch-rows.ts'
import { schedulerBench, watchedWith } from '../../../test/support/scheduler.ts'
import type { Scheduler } from './scheduler.ts'
import { type OpenRound, openRoundOf, type Watched } from './watched.ts'

const hour = 3_600_000

function hourly(): Watched {
  return watchedWith({ intervalSeconds: 3_600, locations: ['a'], status: 'up' })
}

/** A round that another engine began at the time at which a round is due here. */
function begunElsewhere(): { scheduler: Scheduler; watched: Watched; begun: OpenRound } {
  const { scheduler } = schedulerBench()
  const watched = watchedWith({ locations: ['a'] })
  scheduler.schedule(watched, { isAtOnce: true, nowMs: 10_000 })
  const begun = openRoundOf(watched, 10_000_000, openRound(['a']))
  scheduler.adopt(begun)
  return { scheduler, watched, begun }
}

function deadlineOf(changes: Partial<WatchRow>): number {
  return openRoundOf(watchedWith(changes), 1_000_000, openRound([])).dueMs
}

describe('the scheduler', () => {
  // Clocks stretch a leap second over a day, repeat it, or are put right long after it.
  const clocks: [what: string, clockAt: (realMs: number) => number][] = [
    ['stretched over a day', (realMs) => Math.floor((realMs * 86_400) / 86_401)],
    ['repeated', (realMs) => (realMs < 43_200_000 ? realMs : realMs - 1000)],
    ['made up for in one step', (realMs) => (realMs < 43_207_000 ? realMs : realMs - 3000)],
    ['taken out', (realMs) => (realMs < 43_200_000 ? realMs : realMs + 1000)],
  ]
  for (const [what, clockAt] of clocks)
    it(`names every round of a day once when a second is ${what}`, () => {
      const { scheduler, assigned, presence } = schedulerBench()
      const watched = watchedWith({ locations: ['a'], round: -1 })
      scheduler.schedule(watched, { isAtOnce: false, nowMs: 0 })
      for (let realMs = 0; clockAt(realMs) < 86_400_000; realMs += 250) {
        const nowMs = clockAt(realMs)
        presence.note({ location: 'a', prober: 'p', isLeaving: false }, nowMs)
        scheduler.tick(nowMs)
        if (watched.open !== null) scheduler.close(watched.open, nowMs)
        watched.busy?.delete('a')
      }
      assert.deepEqual(
        assigned.map(({ round }) => round),
        Array.from({ length: 8_640 }, (_, index) => index * 10_000_000),
      )
    })

  it('asks every location that is online at the due time, with the scheduled time as the round', () => {
    const { scheduler, assigned, online, lags } = schedulerBench()
    online('a', 0)
    online('b', 0)
    scheduler.schedule(watchedWith(), { isAtOnce: false, nowMs: 1 })
    scheduler.tick(9_999)
    assert.deepEqual(assigned, [])
    online('a', 9_000)
    online('b', 9_000)
    scheduler.tick(10_040)
    assert.deepEqual(
      assigned.map(({ to, round }) => [to, round]),
      [
        ['a/p', 10_000_000],
        ['b/p', 10_000_000],
      ],
    )
    assert.deepEqual(lags, [40])
  })

  it('has one open round a monitor and counts the ticks it skips', () => {
    const { scheduler, assigned, online, skipped } = schedulerBench()
    const watched = watchedWith({ locations: ['a'] })
    scheduler.schedule(watched, { isAtOnce: false, nowMs: 1 })
    online('a', 9_000)
    scheduler.tick(10_000)
    online('a', 19_000)
    scheduler.tick(20_000)
    assert.deepEqual([assigned.length, skipped()], [1, 1])
    assert.ok(watched.open !== null)
    scheduler.close(watched.open, 20_001)
    watched.busy = null
    online('a', 29_000)
    scheduler.tick(30_000)
    assert.equal(assigned.length, 2)
  })

  describe('after a round of the same time that another engine began', () => {
    const closed: [when: string, nowMs: number][] = [
      ['before that time, since the other clock is ahead', 9_999],
      ['soon', 12_000],
      ['just before the next time', 19_999],
    ]
    for (const [when, nowMs] of closed)
      it(`is due as ever where that closed ${when}`, () => {
        const { scheduler, watched, begun } = begunElsewhere()
        scheduler.close(begun, nowMs)
        assert.equal(watched.dueMs, 20_000)
      })

    it('is not scheduled anew where its monitor is watched no more', () => {
      const { scheduler, watched, begun } = begunElsewhere()
      scheduler.remove(watched)
      scheduler.close(begun, 12_000)
      assert.equal(scheduler.scheduled, 0)
    })
  })

  it('leaves out what a later round has found that another engine began', () => {
    const { scheduler, assigned, online } = schedulerBench()
    const watched = watchedWith({ locations: ['a'] })
    scheduler.schedule(watched, { isAtOnce: true, nowMs: 11_000 })
    const begun = openRoundOf(watched, 11_400_000, openRound(['a']))
    scheduler.adopt(begun)
    watched.foldedUntil = begun.time
    scheduler.close(begun, 12_000)
    watched.busy = null
    online('a', 12_000)
    scheduler.tick(12_100)
    assert.deepEqual(assigned, [])
    online('a', 19_000)
    scheduler.tick(20_000)
    assert.deepEqual(
      assigned.map(({ round }) => round),
      [20_000_000],
    )
  })

  it('begins a round up to ten seconds late, under its own time', () => {
    const { scheduler, assigned, online } = schedulerBench()
    scheduler.schedule(watchedWith({ locations: ['a'], intervalSeconds: 20 }), { isAtOnce: false, nowMs: 1 })
    online('a', 29_999)
    scheduler.tick(30_000)
    scheduler.tick(30_050)
    assert.deepEqual(
      assigned.map(({ round }) => round),
      [20_000_000],
    )
  })

  it('does not make up for ticks that were missed where the next one is near', () => {
    const { scheduler, assigned, online } = schedulerBench()
    scheduler.schedule(watchedWith({ locations: ['a'] }), { isAtOnce: false, nowMs: 1 })
    online('a', 99_000)
    scheduler.tick(99_500)
    assert.equal(assigned.length, 0)
    scheduler.tick(100_000)
    assert.deepEqual(
      assigned.map(({ round }) => round),
      [100_000_000],
    )
  })

  const nextTimes: [when: string, intervalSeconds: number, tickMs: number, nextMs: number][] = [
    ['a millisecond after a round that began late', 10, 19_999, 20_000],
    ['when it is due as ever after a round that began ten seconds late', 3_600, hour + 10_000, 2 * hour],
    ['at once, but in no tick twice, where a rare check was missed', 3_600, hour + 10_001, hour + 10_002],
  ]
  for (const [when, intervalSeconds, tickMs, nextMs] of nextTimes)
    it(`is next due ${when}`, () => {
      const { scheduler, online } = schedulerBench()
      const watched = watchedWith({ locations: ['a'], intervalSeconds })
      scheduler.schedule(watched, { isAtOnce: false, nowMs: 1 })
      online('a', tickMs)
      scheduler.tick(tickMs)
      assert.equal(watched.dueMs, nextMs)
    })

  it('spreads what it makes up for over a tenth of the interval, of rare checks over half a minute at least', () => {
    const { scheduler } = schedulerBench()
    const delayOf = (intervalSeconds: number, index: number): number => {
      const id = `${(index * 7_654_321).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
      const watched = watchedWith({ id, intervalSeconds, status: 'up', round: 1 })
      const nowMs = 10 * hour + watched.phaseMs + 1
      scheduler.resume(watched, nowMs)
      return watched.dueMs - nowMs
    }
    for (const [intervalSeconds, spreadMs] of [
      [60, 6_000],
      [120, 30_000],
      [3_600, 360_000],
    ] as const) {
      const delays = Array.from({ length: 100 }, (_, index) => delayOf(intervalSeconds, index))
      assert.ok(Math.min(...delays) >= 0)
      assert.ok(Math.max(...delays) < spreadMs && Math.max(...delays) > 0.9 * spreadMs, `${Math.max(...delays)}`)
    }
  })

  it('makes up once, within a tenth of the interval, for what was missed of a rare check', () => {
    const day = 86_400_000
    const { scheduler, assigned, online } = schedulerBench()
    const id12 = '0000000f-4240-4000-8000-000000000000'
    const watched = watchedWith({ id: id12, locations: ['a'], intervalSeconds: 86_400 })
    const nowMs = 3 * day + watched.phaseMs - 0.6 * day
    scheduler.resume(watched, nowMs)
    const madeUpMs = watched.dueMs
    assert.ok(madeUpMs >= nowMs && madeUpMs < nowMs + day / 10, `${madeUpMs - nowMs} ms from now`)
    online('a', madeUpMs)
    scheduler.tick(madeUpMs)
    assert.equal(assigned.length, 1)
    assert.equal(watched.dueMs, 3 * day + watched.phaseMs, 'then it is due as ever')
    const checked = watchedWith({ id: id12, intervalSeconds: 86_400, status: 'up', round: nowMs * 1000 - 1 })
    scheduler.resume(checked, nowMs)
    assert.equal(checked.dueMs, 3 * day + checked.phaseMs, 'nothing was missed of this one')
    scheduler.resume(watched, nowMs + day / 4)
    assert.equal(watched.dueMs, 3 * day + watched.phaseMs, 'the next time is near')
  })

  it('makes up within a second for the ten seconds that a handover cost, where the next time is not near', () => {
    const { scheduler } = schedulerBench()
    const dueAfter = (changes: Partial<WatchRow>, nowMs: number): number => {
      const watched = watchedWith({ status: 'up', round: 100_000_000, ...changes })
      scheduler.resume(watched, nowMs)
      return watched.dueMs
    }
    assert.equal(dueAfter({}, 112_000), 112_000, 'missed at 110 s, due again at 120 s')
    assert.equal(dueAfter({}, 115_000), 120_000, 'half of the interval is left')
    assert.equal(dueAfter({}, 116_000), 120_000)
    assert.equal(dueAfter({ round: 110_000_000 }, 112_000), 120_000, 'nothing was missed')
    assert.equal(dueAfter({ intervalSeconds: 60 }, 125_000), 125_000)
    assert.equal(dueAfter({ intervalSeconds: 60 }, 130_000), 130_000)
    assert.equal(dueAfter({ intervalSeconds: 60 }, 130_001), 180_000, 'an outage was longer than a handover')
    assert.equal(dueAfter({ status: 'pending', round: null }, 112_000), 120_000)
  })

  describe('after a round that told nothing', () => {
    it('has a rare check made again in a minute, once, and then when it is due as ever', () => {
      const { scheduler, assigned, online } = schedulerBench()
      const watched = hourly()
      scheduler.schedule(watched, { isAtOnce: false, nowMs: 1 })
      online('a', hour)
      scheduler.tick(hour)
      assert.ok(watched.open !== null)
      watched.open.round.waiting = []
      scheduler.close(watched.open, hour + 5_000)
      scheduler.again(watched, hour + 5_000)
      scheduler.again(watched, hour + 30_000)
      online('a', hour + 65_000)
      scheduler.tick(hour + 64_999)
      assert.equal(assigned.length, 1)
      scheduler.tick(hour + 65_000)
      assert.deepEqual(
        assigned.map(({ round }) => round / 1000),
        [hour, hour + 65_000],
      )
      assert.equal(watched.dueMs, 2 * hour)
    })

    it('leaves alone what is due sooner anyway, waits for calls, or is watched no more', () => {
      const { scheduler } = schedulerBench()
      const often = watchedWith({ intervalSeconds: 60 })
      scheduler.schedule(often, { isAtOnce: false, nowMs: 60_001 })
      scheduler.again(often, 60_002)
      assert.equal(often.dueMs, 120_000)
      const called = watchedWith({ kind: 'heartbeat', deadline: hour * 1000 })
      scheduler.schedule(called, { isAtOnce: false, nowMs: 1 })
      scheduler.again(called, 1)
      assert.equal(called.dueMs, hour)
      const gone = hourly()
      scheduler.schedule(gone, { isAtOnce: false, nowMs: 1 })
      scheduler.remove(gone)
      scheduler.again(gone, 1)
      assert.equal(scheduler.scheduled, 2)
    })

    it('looks once a minute for a location that has no prober, and no more often', () => {
      const { scheduler, assigned, online } = schedulerBench()
      const watched = hourly()
      scheduler.schedule(watched, { isAtOnce: false, nowMs: 1 })
      const looked = new Set<number>()
      for (let nowMs = hour; nowMs < hour + 600_000; nowMs += 500) {
        scheduler.tick(nowMs)
        looked.add(watched.dueMs)
      }
      assert.deepEqual(
        [...looked],
        Array.from({ length: 10 }, (_, index) => hour + (index + 1) * 60_000),
      )
      online('a', hour + 600_000)
      scheduler.tick(hour + 600_000)
      assert.deepEqual([assigned.length, watched.dueMs], [1, 2 * hour])
    })
  })

  it('begins and asks for nothing of a partition that was lost, and goes on when it is held again', () => {
    const { scheduler, assigned, lost, online, presence } = schedulerBench()
    const watched = watchedWith()
    online('a', 0)
    scheduler.schedule(watched, { isAtOnce: true, nowMs: 0 })
    scheduler.tick(0)
    assert.equal(assigned.length, 1)
    lost.add(watched.partition)
    presence.note({ location: 'a', prober: 'p', isLeaving: false, isFresh: true }, 1_000)
    scheduler.review(1_000)
    scheduler.tick(9_000)
    assert.equal(assigned.length, 1)
    lost.clear()
    online('a', 9_000)
    scheduler.review(9_001)
    assert.equal(assigned.length, 2)
  })

  it('leaves out a location that is still at an earlier round, until that one could have ended', () => {
    const { scheduler, assigned, online } = schedulerBench()
    const watched = watchedWith()
    scheduler.schedule(watched, { isAtOnce: false, nowMs: 1 })
    online('a', 9_000)
    online('b', 9_000)
    scheduler.tick(10_000)
    assert.ok(watched.open !== null)
    watched.open.round.waiting = ['b']
    scheduler.close(watched.open, 10_100)
    for (const location of ['a', 'b']) online(location, 19_000)
    scheduler.tick(20_000)
    assert.deepEqual(
      assigned.slice(2).map(({ to }) => to),
      ['a/p'],
    )
    assert.ok(watched.open !== null)
    watched.open.round.waiting = []
    scheduler.close(watched.open, 20_100)
    for (const location of ['a', 'b']) online(location, 29_000)
    scheduler.tick(30_000)
    assert.equal(assigned.length, 5, 'the deadline of the first round, 5 s of timeout and 10 s, has passed')
  })

  it('keeps in mind no location whose check has ended, and asks it at the very end of its time', () => {
    const { scheduler, assigned, online } = schedulerBench()
    const watched = watchedWith({ locations: ['a'], intervalSeconds: 15 })
    const closeAt = (scheduledMs: number, waiting: string[], nowMs: number): void => {
      online('a', scheduledMs)
      scheduler.tick(scheduledMs)
      assert.ok(watched.open !== null)
      watched.open.round.waiting = waiting
      scheduler.close(watched.open, nowMs)
    }
    scheduler.schedule(watched, { isAtOnce: false, nowMs: 1 })
    closeAt(15_000, [], 15_100)
    assert.equal(watched.busy, null)
    closeAt(30_000, ['a'], 45_000)
    assert.equal(watched.busy, null)
    closeAt(45_000, ['a'], 45_100)
    assert.deepEqual(watched.busy, new Map([['a', 60_000]]))
    online('a', 60_000)
    scheduler.tick(60_000)
    assert.equal(assigned.length, 4)
  })

  it('gives a round another name where one of its time was folded', () => {
    const { scheduler, assigned, online } = schedulerBench()
    scheduler.schedule(watchedWith({ locations: ['a'], round: 10_000_000 }), { isAtOnce: false, nowMs: 1 })
    online('a', 10_000)
    scheduler.tick(10_000)
    assert.deepEqual(
      assigned.map(({ round }) => round),
      [10_000_001],
    )
  })

  it('hands over when a call is missed, once, and when a group is due, and asks no location for either', () => {
    const { scheduler, assigned, selfMade, online } = schedulerBench()
    const called = watchedWith({ key: 1, kind: 'heartbeat', deadline: 15_000_000 })
    const group = watchedWith({ key: 2, kind: 'group' })
    for (const watched of [called, group]) scheduler.schedule(watched, { isAtOnce: false, nowMs: 1 })
    for (const nowMs of [9_999, 10_000, 14_999, 15_000, 20_000]) {
      online('a', nowMs)
      scheduler.tick(nowMs)
    }
    assert.deepEqual(selfMade, [
      [group, 10_000],
      [called, 15_000],
      [group, 20_000],
    ])
    assert.deepEqual([assigned, scheduler.scheduled], [[], 1])
  })

  it('has to ask for a round that it took over, until it has reviewed whom it asked', () => {
    const { scheduler } = schedulerBench()
    assert.equal(scheduler.hasUnasked, false)
    scheduler.adopt(openRoundOf(watchedWith(), 1_000, openRound(['a'])))
    assert.equal(scheduler.hasUnasked, true)
    scheduler.review(1)
    assert.equal(scheduler.hasUnasked, false)
  })

  it('says how late the most overdue round is', () => {
    const { scheduler } = schedulerBench()
    assert.equal(scheduler.lagMs(5), 0, 'no round is scheduled')
    scheduler.schedule(watchedWith(), { isAtOnce: false, nowMs: 1 })
    assert.deepEqual([scheduler.lagMs(9_999), scheduler.lagMs(10_000), scheduler.lagMs(10_040)], [0, 0, 40])
  })

  it('begins no round while no location is online', () => {
    const { scheduler, assigned, lags } = schedulerBench()
    const watched = watchedWith()
    scheduler.schedule(watched, { isAtOnce: true, nowMs: 5 })
    scheduler.tick(5)
    assert.deepEqual([assigned, lags, watched.open], [[], [], null])
  })

  it('gives out rounds whose deadline has passed and keeps them until they are closed', () => {
    const { scheduler, online } = schedulerBench()
    const watched = watchedWith()
    scheduler.schedule(watched, { isAtOnce: true, nowMs: 1_000 })
    online('a', 1_000)
    scheduler.tick(1_000)
    assert.equal(scheduler.hasExpired(15_999), false)
    assert.equal(scheduler.hasExpired(16_000), true)
    assert.deepEqual(scheduler.expired(16_000), [watched.open])
    assert.deepEqual(scheduler.expired(16_001), [watched.open])
    assert.ok(watched.open !== null)
    scheduler.close(watched.open, 16_002)
    assert.deepEqual([scheduler.expired(99_999), watched.open], [[], null])
  })
})

describe('the deadline of a round', () => {
  it('lies ten seconds beyond the timeout of the monitor, or of its kind where that has its own', () => {
    assert.equal(deadlineOf({ timeoutMs: 5_000 }), 16_000)
    assert.equal(deadlineOf({ kind: 'page_speed', timeoutMs: 5_000 }), 131_000)
  })
})
