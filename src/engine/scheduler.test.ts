import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Assignment } from '#core/check.ts'
import { openRound } from '#core/round.ts'
import type { WatchRow } from '#store/watch.ts'
import { createPresenceBook } from './presence.ts'
import { createScheduler } from './scheduler.ts'
import { openRoundOf, type Watched, watchedOf } from './watched.ts'

const id = '00000000-0000-4000-8000-000000000000'
const shared = { locations: new Map(), settings: new Map() }

function watchedWith(changes: Partial<WatchRow> = {}): Watched {
  const row: WatchRow = {
    id,
    key: 1,
    partition: 0,
    kind: 'http',
    version: 1,
    intervalSeconds: 10,
    timeoutMs: 5_000,
    locations: ['a', 'b'],
    failureThreshold: 1,
    recoveryThreshold: 1,
    confirmationThreshold: 1,
    status: 'pending',
    failures: 0,
    successes: 0,
    round: null,
    incidentId: null,
    problem: null,
    deadline: null,
    graceSeconds: 0,
    memberIds: [],
    ...changes,
  }
  return watchedOf(row, shared, 0)
}

function deadlineOf(changes: Partial<WatchRow>): number {
  return openRoundOf(watchedWith(changes), 1_000_000, openRound([])).dueMs
}

function bench() {
  const presence = createPresenceBook()
  const assigned: (Assignment & { to: string })[] = []
  const lags: number[] = []
  const own: [id: string, dueMs: number][] = []
  let skipped = 0
  const scheduler = createScheduler({
    presence,
    assign: (location, prober, list) =>
      assigned.push(...list.map((each) => ({ ...each, to: `${location}/${prober}` }))),
    onRound: (lagMs) => lags.push(lagMs),
    onSkipped: () => (skipped += 1),
    onOwn: (watched, scheduledMs) => own.push([watched.id, scheduledMs]),
  })
  const online = (location: string, nowMs: number): void =>
    presence.note({ location, prober: 'p', isLeaving: false }, nowMs)
  return { presence, scheduler, assigned, lags, online, skipped: () => skipped }
}

describe('the scheduler', () => {
  it('asks every location that is online at the due time, with the scheduled time as the round', () => {
    const { scheduler, assigned, online, lags } = bench()
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
    const { scheduler, assigned, online, skipped } = bench()
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

  it('does not make up for ticks that were missed', () => {
    const { scheduler, assigned, online } = bench()
    scheduler.schedule(watchedWith({ locations: ['a'] }), { isAtOnce: false, nowMs: 1 })
    online('a', 99_000)
    scheduler.tick(99_500)
    assert.equal(assigned.length, 1)
    scheduler.tick(99_999)
    assert.equal(assigned.length, 1)
  })

  it('leaves out a location that is still at an earlier round, until that one could have ended', () => {
    const { scheduler, assigned, online } = bench()
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

  it('begins no round while no location is online', () => {
    const { scheduler, assigned, lags } = bench()
    const watched = watchedWith()
    scheduler.schedule(watched, { isAtOnce: true, nowMs: 5 })
    scheduler.tick(5)
    assert.deepEqual([assigned, lags, watched.open], [[], [], null])
  })

  it('gives out rounds whose deadline has passed and keeps them until they are closed', () => {
    const { scheduler, online } = bench()
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

describe('presence', () => {
  it('takes a prober for gone after six seconds of silence, or when it says so', () => {
    const book = createPresenceBook()
    book.note({ location: 'a', prober: 'p', isLeaving: false }, 0)
    assert.deepEqual([book.isOnline('a', 5_999), book.isOnline('a', 6_000)], [true, false])
    book.note({ location: 'a', prober: 'p', isLeaving: false }, 7_000)
    book.note({ location: 'a', prober: 'p', isLeaving: true }, 7_001)
    assert.equal(book.isOnline('a', 7_002), false)
  })

  it('gives a monitor to the same prober while the same are there, and moves only the share of one that leaves', () => {
    const book = createPresenceBook()
    const probers = ['p1', 'p2', 'p3', 'p4']
    for (const prober of probers) book.note({ location: 'a', prober, isLeaving: false }, 0)
    const ids = Array.from(
      { length: 4_000 },
      (_, index) => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    )
    const before = ids.map((each) => book.proberFor('a', each, 1))
    for (const prober of probers) {
      const share = before.filter((name) => name === prober).length
      assert.ok(share > 800 && share < 1_200, `${prober} has ${share} of 4000`)
    }
    book.note({ location: 'a', prober: 'p3', isLeaving: true }, 2)
    ids.forEach((each, index) => {
      const now = book.proberFor('a', each, 3)
      if (before[index] === 'p3') assert.notEqual(now, 'p3')
      else assert.equal(now, before[index])
    })
  })
})
