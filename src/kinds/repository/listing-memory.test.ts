import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createListingMemory } from './listing-memory.ts'

const place = { subject: 'shop', object: '1' }

describe('the memory of listings', () => {
  it('knows a commit, and no other one', () => {
    const memory = createListingMemory<string>()
    assert.equal(memory.recall(place, 0), null)
    memory.keep(place, { listing: 'a', keptMs: Infinity }, 0)
    assert.equal(memory.recall(place, 1e12), 'a')
    assert.equal(memory.recall({ ...place, object: '2' }, 0), null)
    assert.equal(memory.recall({ ...place, subject: 'other' }, 0), null)
    memory.keep({ ...place, object: '2' }, { listing: 'b', keptMs: Infinity }, 0)
    assert.deepEqual([memory.recall(place, 0), memory.recall({ ...place, object: '2' }, 0)], [null, 'b'])
  })

  it('lasts as long as it was told to', () => {
    const memory = createListingMemory<string>()
    memory.keep(place, { listing: 'a', keptMs: 100 }, 1000)
    assert.deepEqual([memory.recall(place, 1099), memory.recall(place, 1100)], ['a', null])
  })

  it('is bounded, and forgets what was not asked for the longest', () => {
    const memory = createListingMemory<number>()
    for (let index = 0; index < 10_000; index++) memory.keep(placeOf(index), { listing: index, keptMs: Infinity }, 0)
    assert.equal(memory.recall(placeOf(0), 0), 0)
    memory.keep(placeOf(10_000), { listing: 10_000, keptMs: Infinity }, 0)
    assert.deepEqual(
      [0, 1, 2, 10_000].map((index) => memory.recall(placeOf(index), 0)),
      [0, null, 2, 10_000],
    )
  })
})

function placeOf(index: number): { subject: string; object: string } {
  return { subject: `${index}`, object: '1' }
}
