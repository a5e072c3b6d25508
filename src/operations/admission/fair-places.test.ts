import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFairPlaces, type FairPlacesOptions, type Leave } from './fair-places.ts'

const usual: FairPlacesOptions = {
  atOnce: 2,
  atOnceEach: 2,
  maxWaiting: 10,
  maxWaitingEach: 5,
  patienceMs: 60_000,
  isLate: () => false,
}

/** Takes places, and says in which order they were had. */
function bench(options: Partial<FairPlacesOptions> = {}) {
  const places = createFairPlaces({ ...usual, ...options })
  const had: string[] = []
  const leaves = new Map<string, Leave>()
  const take = async (caller: string, name = caller): Promise<boolean> => {
    const leave = await places.take(caller)
    if (leave === null) return false
    had.push(name)
    leaves.set(name, leave)
    return true
  }
  /** Gives a place back, and lets who waits for it have it. */
  const leave = async (name: string): Promise<void> => {
    leaves.get(name)?.()
    await turn()
  }
  /** Until no request waits or is worked on. */
  const end = async (): Promise<void> => {
    while (places.running > 0) {
      for (const each of leaves.values()) each()
      await turn()
    }
  }
  return { places, had, take, leave, end }
}

/** Everything that waits for no timer is done. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

describe('fair places', () => {
  it('are as many as there are, and the next has the one that is given back', async () => {
    const { places, had, take, leave } = bench()
    const taken = [take('a', 'a1'), take('a', 'a2'), take('a', 'a3')]
    await turn()
    assert.deepEqual([had, places.running, places.waiting], [['a1', 'a2'], 2, 1])
    await leave('a1')
    assert.deepEqual([had, places.running, places.waiting], [['a1', 'a2', 'a3'], 2, 0])
    await leave('a2')
    await leave('a3')
    assert.deepEqual([await Promise.all(taken), places.running], [[true, true, true], 0])
  })

  it('are given back once, however often that is said', async () => {
    const { places, take, leave } = bench()
    await take('a', 'a1')
    await take('a', 'a2')
    await leave('a1')
    await leave('a1')
    assert.equal(places.running, 1)
  })

  it('are refused after the patience, and not given any more after that', async () => {
    const { places, had, take, leave } = bench({ atOnce: 1, atOnceEach: 1, patienceMs: 5 })
    await take('a')
    assert.equal(await take('b'), false)
    assert.equal(places.waiting, 0)
    await leave('a')
    assert.deepEqual([places.running, had], [0, ['a']])
    assert.equal(await take('c'), true)
  })

  it('are refused at once where too many wait, of one caller or of all', async () => {
    const { places, take, end } = bench({ atOnce: 1, maxWaiting: 3, maxWaitingEach: 2 })
    await take('a')
    void take('a')
    void take('a')
    assert.equal(await take('a'), false)
    void take('b')
    assert.equal(await take('c'), false)
    assert.equal(places.waiting, 3)
    await end()
  })

  it('are kept from a caller who has enough of them, so that another one need not wait', async () => {
    const { had, take, leave } = bench({ atOnceEach: 1 })
    await take('a', 'a1')
    void take('a', 'a2')
    await turn()
    assert.deepEqual(had, ['a1'])
    await take('b')
    assert.deepEqual(had, ['a1', 'b'])
    await leave('b')
    assert.deepEqual(had, ['a1', 'b'])
    await leave('a1')
    assert.deepEqual(had, ['a1', 'b', 'a2'])
  })

  it('are taken in turns by callers, however many requests one of them has waiting', async () => {
    const { had, take, leave } = bench({ atOnce: 1, atOnceEach: 1 })
    await take('a', 'a1')
    for (const name of ['a2', 'a3', 'a4']) void take('a', name)
    for (const name of ['b1', 'b2']) void take('b', name)
    await turn()
    for (const name of ['a1', 'a2', 'b1', 'a3', 'b2']) await leave(name)
    assert.deepEqual(had, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
  })

  it('are half as many while the process is late, and one at least', async () => {
    let isLate = true
    const { had, take, leave, end } = bench({ atOnce: 3, atOnceEach: 3, isLate: () => isLate })
    for (const name of ['1', '2', '3', '4']) void take('a', name)
    await turn()
    assert.deepEqual(had, ['1', '2'])
    await leave('1')
    assert.deepEqual(had, ['1', '2', '3'])
    isLate = false
    void take('a', '5')
    await turn()
    assert.deepEqual(had, ['1', '2', '3', '4'])
    await leave('2')
    assert.deepEqual(had, ['1', '2', '3', '4', '5'])
    await end()
    const one = bench({ atOnce: 1, atOnceEach: 1, isLate: () => true })
    assert.equal(await one.take('a'), true)
  })
})
