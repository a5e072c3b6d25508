import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openRound } from '#core/results/round.ts'
import { createPresenceBook } from '#engine/locations/presence.ts'
import type { WatchRow } from '#store/monitors/watch-rows.ts'
import { rowWith } from '../../../test/support/scheduler.ts'
import { createWatchList, type RowOrigin, type WatchList } from './watch-list.ts'
import { openRoundOf, type Watched } from './watched.ts'

const hourMs = 3_600_000
const { id } = rowWith()

function emptyList(): WatchList {
  return createWatchList({
    presence: createPresenceBook(),
    isHeld: () => true,
    againUs: 1,
    assign: () => {},
    onRound: () => {},
    onSkipped: () => {},
    onSelfMadeDue: () => {},
  })
}

/** A list with a monitor that is due every hour, but for these changes, read at a time of one millisecond. */
function listWith(changes: Partial<WatchRow> = {}, origin: RowOrigin = 'change') {
  const list = emptyList()
  const row = rowWith({ intervalSeconds: 3_600, status: 'up', ...changes })
  list.apply([row], origin, 1)
  const watched = list.byId(row.id) ?? assert.fail('it is not watched')
  const read = (others: Partial<WatchRow>, why: RowOrigin, nowMs: number): void =>
    list.apply([{ ...row, ...others }], why, nowMs)
  return { list, watched, read }
}

function openOne(list: WatchList, watched: Watched, time: number): void {
  list.scheduler.adopt(openRoundOf(watched, time, openRound(['a'])))
}

describe('a monitor that is new to an engine', () => {
  it('is checked at once where it begins, and else when it is due', () => {
    assert.equal(listWith({ status: 'pending' }).watched.dueMs, 1)
    assert.equal(listWith({ status: 'up' }).watched.dueMs, hourMs)
  })

  it('is due where it was taken over once its partition is read as a whole, and then as ever', () => {
    const { list, watched } = listWith({ partition: 3, round: hourMs * 1000 }, 'takeover')
    assert.equal(list.scheduler.scheduled, 0)
    list.begin(3, hourMs + 1)
    assert.deepEqual([list.scheduler.scheduled, watched.dueMs], [1, 2 * hourMs])
    list.scheduler.soon(watched, hourMs + 5)
    list.begin(3, hourMs + 2)
    assert.equal(watched.dueMs, hourMs + 5)
  })

  it('is found by its id, its key and its partition, until it is forgotten', () => {
    const { list, watched } = listWith({ key: 9, partition: 3 })
    const found = (): unknown[] => [list.byId(id), list.byKey(9), ...list.ofPartition(3), ...list.all()]
    assert.deepEqual(found(), [watched, watched, watched, watched])
    list.remove(id)
    list.remove(id)
    assert.deepEqual([found(), list.size, list.scheduler.scheduled], [[undefined, undefined], 0, 0])
  })
})

describe('a monitor that is read again', () => {
  it('is what memory knows already where its version is the same, unless memory is to be repaired', () => {
    for (const [origin, status] of [
      ['change', 'up'],
      ['compare', 'up'],
      ['repair', 'down'],
    ] as const) {
      const { watched, read } = listWith()
      read({ status: 'down' }, origin, 2)
      assert.equal(watched.standing.status, status, origin)
    }
  })

  const changes: [what: string, changes: Partial<WatchRow>, dueMs: number][] = [
    ['has another name is due as ever', {}, hourMs],
    ['begins anew is checked at once', { status: 'pending' }, 5_000],
    ['has another interval is checked at once', { intervalSeconds: 60 }, 5_000],
  ]
  for (const [what, others, dueMs] of changes)
    it(`and ${what}`, () => {
      const { watched, read } = listWith()
      read({ version: 2, ...others }, 'change', 5_000)
      assert.deepEqual([watched.version, watched.dueMs], [2, dueMs])
    })

  it('stays due when it was where memory is repaired', () => {
    const { list, watched, read } = listWith()
    list.scheduler.soon(watched, 9_000)
    read({}, 'repair', 5_000)
    assert.equal(watched.dueMs, 9_000)
  })

  it('waits for a call until the deadline that the database knows', () => {
    const { watched, read } = listWith({ kind: 'heartbeat', deadline: hourMs * 1000 })
    read({ deadline: 2 * hourMs * 1000 }, 'repair', 5_000)
    assert.equal(watched.dueMs, 2 * hourMs)
  })

  const rounds: [what: string, changes: Partial<WatchRow>, isKept: boolean][] = [
    ['goes on where no later round was folded', { round: 999_999 }, true],
    ['is over where it was folded', { round: 1_000_000 }, false],
    ['is over where the monitor was changed', { round: 999_999, version: 2 }, false],
  ]
  for (const [what, others, isKept] of rounds)
    it(`${isKept ? 'keeps' : 'closes'} its open round, which ${what}`, () => {
      const { list, watched, read } = listWith()
      openOne(list, watched, 1_000_000)
      read(others, 'repair', 1_500)
      assert.equal(watched.open !== null, isKept)
      assert.equal(list.scheduler.hasExpired(hourMs), isKept)
    })

  it('has what is usual and who is busy until its version is another', () => {
    const { watched, read } = listWith({ alertSlowFactor: 2 })
    const busy = new Map([['a', 9_000]])
    watched.busy = busy
    if (watched.episodes !== null) watched.episodes.usual.ms = 40
    read({}, 'repair', 5_000)
    assert.deepEqual([watched.busy, watched.episodes?.usual.ms], [busy, 40])
    read({ version: 2 }, 'change', 5_000)
    assert.deepEqual([watched.busy, watched.episodes?.usual.ms], [null, null])
  })
})

describe('what an engine plans for the one that follows it after a jump of the clock', () => {
  it('is each check after the time that was left, and at once what is overdue or under way', () => {
    const { list, watched } = listWith()
    const planned = (): unknown[] => [...list.planned({ nowMs: 50_000, beforeMs: hourMs - 4_000 })]
    assert.deepEqual(planned(), [[id, 54_000]])
    openOne(list, watched, 1_000_000)
    assert.deepEqual(planned(), [[id, 50_000]])
    watched.open = null
    list.scheduler.soon(watched, 5)
    assert.deepEqual(planned(), [[id, 50_000]])
  })

  it('is what was planned by the new time already, between the jump and the tick that saw it', () => {
    const { list, watched } = listWith()
    const aheadMs = 5 * hourMs
    const planned = (nowMs: number, beforeMs: number): unknown[] => [...list.planned({ nowMs, beforeMs })]
    list.scheduler.schedule(watched, { isAtOnce: false, nowMs: aheadMs + 1 })
    assert.deepEqual(planned(aheadMs + 20, hourMs / 2), [[id, 6 * hourMs]])
    list.scheduler.schedule(watched, { isAtOnce: false, nowMs: 1 })
    assert.deepEqual(planned(20, aheadMs), [[id, hourMs]])
  })

  it('is nothing of what waits for calls, or was just taken over', () => {
    for (const { list } of [listWith({ kind: 'heartbeat', deadline: hourMs * 1000 }), listWith({}, 'takeover')])
      assert.deepEqual([...list.planned({ nowMs: 50_000, beforeMs: 1 })], [])
  })
})

describe('monitors that belong together', () => {
  it('are groups and their members, and what depends on another, as they are now', () => {
    const list = emptyList()
    const group = rowWith({ id: 'group', key: 2, kind: 'group', memberIds: ['shop'] })
    const child = rowWith({ id: 'child', key: 3, parentIds: ['router'] })
    list.apply([rowWith({ id: 'shop', key: 1 }), group, child], 'change', 1)
    const together = (): (string | undefined)[][] => [
      list.groupsOf('shop').map((each) => each.id),
      list.groupsOf('router').map((each) => each.id),
      list.childrenOf('router').map((each) => each.id),
      list.childrenOf('shop').map((each) => each.id),
    ]
    assert.deepEqual(together(), [['group'], [], ['child'], []])
    list.apply([{ ...group, version: 2, memberIds: ['router'] }], 'change', 2)
    list.apply([{ ...child, version: 2, parentIds: [] }], 'change', 2)
    assert.deepEqual(together(), [[], ['group'], [], []])
    list.removePartition(0)
    assert.deepEqual([together(), list.size], [[[], [], [], []], 0])
  })
})
