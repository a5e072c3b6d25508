import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Begun, createFairQueue, type FairQueue } from './fair-queue.ts'

function fill(queue: FairQueue<string>, share: string | null, count: number): number {
  let taken = 0
  for (let index = 0; index < count; index += 1) if (queue.push(share, share ?? 'unknown')) taken += 1
  return taken
}

/** Begins all that may begin. */
function begin(queue: FairQueue<string>): Begun<string>[] {
  const begun: Begun<string>[] = []
  for (let next = queue.next(); next !== null; next = queue.next()) begun.push(next)
  return begun
}

function countOf(begun: readonly Begun<string>[], share: string): number {
  return begun.filter(({ task }) => task === share).length
}

function repeated(ms: number, times: number): number[] {
  return Array.from({ length: times }, () => ms)
}

describe('a queue of several shares', () => {
  it('lets them take turns, however many tasks of one wait', () => {
    const queue = createFairQueue<string>({ places: 100, room: 1_000 })
    fill(queue, 'many', 40)
    fill(queue, 'few', 2)
    fill(queue, 'one', 1)
    assert.deepEqual(
      begin(queue)
        .slice(0, 6)
        .map(({ task }) => task),
      ['many', 'few', 'one', 'many', 'few', 'many'],
    )
  })

  it('keeps the order of one share', () => {
    const queue = createFairQueue<number>({ places: 10, room: 10 })
    for (const number of [1, 2, 3]) queue.push('a', number)
    assert.deepEqual([queue.next()?.task, queue.next()?.task, queue.next()?.task, queue.next()], [1, 2, 3, null])
  })

  it('keeps a quarter of the places free of a share that has half of them', () => {
    const queue = createFairQueue<string>({ places: 100, room: 1_000 })
    fill(queue, 'greedy', 400)
    const greedy = begin(queue)
    assert.deepEqual([greedy.length, queue.running, queue.waiting, queue.mayBegin()], [75, 75, 325, false])
    fill(queue, 'other', 100)
    assert.ok(queue.mayBegin())
    const others = begin(queue)
    assert.deepEqual([countOf(others, 'other'), countOf(others, 'greedy'), queue.running], [25, 0, 100])
    // What the greedy one leaves goes to the other, up to half of all, and no more to itself.
    for (const { leave } of greedy.slice(0, 25)) leave(null)
    assert.equal(countOf(begin(queue), 'other'), 25)
    assert.deepEqual([queue.running, queue.mayBegin()], [100, false])
  })

  it('gives two that want all of them half each', () => {
    const queue = createFairQueue<string>({ places: 100, room: 1_000 })
    fill(queue, 'a', 200)
    fill(queue, 'b', 200)
    const begun = begin(queue)
    assert.deepEqual([countOf(begun, 'a'), countOf(begun, 'b')], [50, 50])
  })

  it('gives places back', () => {
    const queue = createFairQueue<string>({ places: 4, room: 100 })
    fill(queue, 'a', 9)
    for (let turn = 0; turn < 3; turn += 1) for (const { leave } of begin(queue)) leave(0)
    assert.deepEqual([queue.running, queue.waiting], [0, 0])
  })

  it('has room for all, of which one share gets half, and those of no known share any', () => {
    const queue = createFairQueue<string>({ places: 4, room: 100 })
    assert.equal(fill(queue, 'a', 80), 50)
    assert.equal(fill(queue, null, 80), 50)
    assert.equal(fill(queue, 'b', 1), 0)
    assert.equal(queue.waiting, 100)
  })

  it('takes tens of thousands', () => {
    const queue = createFairQueue<string>({ places: 200_000, room: 100_000 })
    fill(queue, null, 100_000)
    const startedMs = performance.now()
    assert.equal(begin(queue).length, 100_000)
    assert.ok(performance.now() - startedMs < 2_000)
  })

  /** What the tasks of a share took, one after the other, and how many of it run at once then. */
  const table: { what: string; took: number[]; runs: number }[] = [
    { what: 'nothing is known of', took: [], runs: 3_072 },
    { what: 'take as little as usual', took: repeated(0.2, 1_000), runs: 3_072 },
    { what: 'take as little as usual, but for one', took: [...repeated(0.2, 200), 20], runs: 3_072 },
    { what: 'take two thirds of a millisecond', took: repeated(2 / 3, 100), runs: 3_000 },
    { what: 'take as long as any part of a check may', took: repeated(50, 100), runs: 40 },
    { what: 'took as long, the first time', took: [50], runs: 40 },
    { what: 'take seconds', took: repeated(3_000, 3), runs: 1 },
    { what: 'begin to take long', took: [...repeated(0, 1_000), ...repeated(40, 64)], runs: 79 },
    { what: 'take long no more', took: [...repeated(40, 100), ...repeated(0, 300)], runs: 3_072 },
  ]
  for (const { what, took, runs } of table)
    it(`lets ${runs} tasks of a share run that ${what}, while others have tasks`, () => {
      const queue = createFairQueue<string>({ places: 4_096, room: 50_000 })
      for (const ms of took) {
        fill(queue, 'a', 1)
        queue.next()?.leave(ms)
      }
      fill(queue, 'b', 1)
      queue.next()?.leave(0.2)
      fill(queue, 'a', 4_096)
      assert.equal(begin(queue).length, runs)
      fill(queue, 'b', 1)
      assert.equal(queue.next()?.task, 'b', 'the other has its turn')
    })

  it('gives a share that is held back another place for each that it leaves', () => {
    const queue = createFairQueue<string>({ places: 4_096, room: 50_000 })
    fill(queue, 'b', 1)
    queue.next()?.leave(0.2)
    fill(queue, 'a', 1)
    queue.next()?.leave(100)
    fill(queue, 'a', 100)
    const begun = begin(queue)
    assert.deepEqual([begun.length, queue.mayBegin()], [20, false])
    begun[0]?.leave(null)
    assert.deepEqual([queue.mayBegin(), begin(queue).length, queue.mayBegin()], [true, 1, false])
  })

  it('leaves the processor to a share that is alone, and after an hour in which it was', () => {
    let nowMs = 0
    const queue = createFairQueue<string>({ places: 4_096, room: 50_000, now: () => nowMs })
    fill(queue, 'a', 1)
    queue.next()?.leave(100)
    fill(queue, 'a', 100)
    for (const { leave } of begin(queue)) leave(100)
    fill(queue, 'b', 1)
    queue.next()?.leave(0.2)
    fill(queue, 'a', 100)
    const begun = begin(queue)
    assert.equal(begun.length, 20)
    nowMs = 3_600_000
    assert.equal(begin(queue).length, 80)
  })

  it('asks nothing of tasks of which the share is not known', () => {
    const queue = createFairQueue<string>({ places: 4_096, room: 50_000 })
    for (const share of ['a', 'b', null]) {
      fill(queue, share, 1)
      queue.next()?.leave(1_000)
    }
    fill(queue, null, 4_096)
    assert.equal(begin(queue).length, 3_072)
  })
})
