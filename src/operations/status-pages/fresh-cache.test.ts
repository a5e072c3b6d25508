import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFreshCache } from './fresh-cache.ts'

const ages = { freshMs: 10, staleMs: 20, failingMs: 100 }

function cacheOf(maxWeight = 1000) {
  let ms = 0
  let made = 0
  let failure: Error | null = null
  const waiting: (() => void)[] = []
  const cache = createFreshCache<number>({ ...ages, maxWeight, weightOf: (value) => value, clock: () => ms })
  return {
    cache,
    count: () => made,
    at: (now: number) => (ms = now),
    failWith: (error: Error | null) => (failure = error),
    /** A value that comes when `release` is called. */
    slow: () =>
      new Promise<number>((resolve) => {
        made += 1
        const value = made
        waiting.push(() => resolve(value))
      }),
    release: () => waiting.splice(0).forEach((resolve) => resolve()),
    make: async () => {
      made += 1
      if (failure !== null) throw failure
      return made
    },
  }
}

describe('values that are kept for a while', () => {
  it('are made once, however many ask at once', async () => {
    const { cache, slow, release, count } = cacheOf()
    const asked = Array.from({ length: 50 }, () => cache.get('a', slow))
    release()
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([1]))
    assert.equal(count(), 1)
  })

  it('are given while they are fresh, then given while they are made anew, then waited for', async () => {
    const { cache, make, at, count } = cacheOf()
    assert.equal(await cache.get('a', make), 1)
    at(10)
    assert.equal(await cache.get('a', make), 1)
    assert.equal(count(), 1)
    at(11)
    assert.equal(await cache.get('a', make), 1)
    assert.equal(count(), 2)
    await Promise.resolve()
    assert.equal(await cache.get('a', make), 2)
    at(40)
    assert.equal(await cache.get('a', make), 3)
  })

  it('stand in for those that cannot be made, for some time', async () => {
    const { cache, make, at, failWith } = cacheOf()
    await cache.get('a', make)
    failWith(new Error('away'))
    at(15)
    assert.equal(await cache.get('a', make), 1)
    at(100)
    assert.equal(await cache.get('a', make), 1)
    at(101)
    await assert.rejects(cache.get('a', make), /away/)
    await assert.rejects(cache.get('b', make), /away/)
    failWith(null)
    assert.ok((await cache.get('a', make)) > 1)
  })

  it('weigh no more than they may: what was not asked for the longest goes', async () => {
    const { cache, count } = cacheOf(10)
    let made = 0
    const of = (weight: number) => async () => {
      made += 1
      return weight
    }
    await cache.get('a', of(4))
    await cache.get('b', of(4))
    await cache.get('a', of(4))
    await cache.get('c', of(4))
    assert.equal(cache.weight(), 8)
    assert.equal(made, 3)
    await cache.get('a', of(4))
    assert.equal(made, 3)
    await cache.get('b', of(4))
    assert.equal(made, 4)
    assert.equal(await cache.get('d', of(11)), 11)
    assert.equal(cache.weight(), 8, 'what is too heavy is not kept')
    assert.equal(count(), 0)
  })
})
