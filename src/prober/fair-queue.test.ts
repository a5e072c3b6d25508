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
    for (const { leave } of greedy.slice(0, 25)) leave()
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
    for (let turn = 0; turn < 3; turn += 1) for (const { leave } of begin(queue)) leave()
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
})
