import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOwnerQueue } from './owner-queue.ts'

const any = (): boolean => true

describe('a fair queue', () => {
  it('lets owners take turns, and keeps the order of each', () => {
    const queue = createOwnerQueue<number>({ maxEach: 5, max: 10 })
    for (const item of [1, 2, 3]) assert.ok(queue.push('one', item))
    for (const item of [4, 5]) assert.ok(queue.push('two', item))
    const taken = [1, 2, 3, 4, 5].map(() => queue.take(any)?.item)
    assert.deepEqual(taken, [1, 4, 2, 5, 3])
    assert.equal(queue.take(any), null)
  })

  it('passes over owners who may not be served, and keeps their place', () => {
    const queue = createOwnerQueue<number>({ maxEach: 5, max: 10 })
    queue.push('one', 1)
    queue.push('two', 2)
    assert.deepEqual(
      queue.take((owner) => owner !== 'one'),
      { owner: 'two', item: 2 },
    )
    assert.equal(
      queue.take((owner) => owner !== 'one'),
      null,
    )
    assert.deepEqual(queue.take(any), { owner: 'one', item: 1 })
  })

  it('takes no more of one owner or of all than it was told, and room comes back', () => {
    const queue = createOwnerQueue<number>({ maxEach: 2, max: 3 })
    const pushed = [queue.push('one', 1), queue.push('one', 2), queue.push('one', 3), queue.push('two', 4)]
    assert.deepEqual(pushed, [true, true, false, true])
    assert.equal(queue.push('three', 5), false)
    assert.ok(queue.remove('one', 1))
    assert.equal(queue.remove('one', 1), false)
    assert.ok(queue.push('three', 5))
    assert.deepEqual(queue.take(any), { owner: 'one', item: 2 })
  })
})
