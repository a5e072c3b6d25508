import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Presence } from '#bus/bus.ts'
import { createPresenceBook, type Work } from './presence.ts'

const goneMs = 6000
const monitors = Array.from({ length: 200 }, (_, index) => `monitor ${index}`)

function heard(prober: string, of: Partial<Presence> = {}): Presence {
  return { location: 'amsterdam', prober, isLeaving: false, ...of }
}

function bookWith(...probers: string[]) {
  const book = createPresenceBook()
  for (const prober of probers) book.note(heard(prober), 0)
  return book
}

describe('a location', () => {
  it('is online with one prober, until it was not heard for six seconds', () => {
    const book = bookWith('a')
    assert.equal(book.isOnline('amsterdam', goneMs - 1), true)
    assert.equal(book.isOnline('amsterdam', goneMs), false)
    assert.equal(book.isOnline('boston', 0), false)
    assert.deepEqual(book.present(goneMs), [{ location: 'amsterdam', probers: 0, hasLostNetwork: false }])
  })

  it('loses the prober that went, and keeps the others', () => {
    const book = bookWith('a', 'b')
    book.note(heard('a'), 1000)
    assert.deepEqual(book.present(goneMs), [{ location: 'amsterdam', probers: 1, hasLostNetwork: false }])
    assert.equal(book.proberFor('amsterdam', plain('monitor'), goneMs), 'a')
  })

  it('is left at once by a prober that says so', () => {
    const book = bookWith('a')
    book.note(heard('a', { isLeaving: true }), 1)
    assert.equal(book.isOnline('amsterdam', 1), false)
    assert.equal(book.proberFor('amsterdam', plain('monitor'), 1), null)
    assert.equal(book.witnessOf('amsterdam', 1), null)
  })

  it('has lost its network for the longest that one of its probers says', () => {
    const book = bookWith('a', 'b')
    assert.equal(book.lostNetworkMs('amsterdam', 0), null)
    book.note(heard('a', { lostNetworkMs: 10 }), 1)
    book.note(heard('b', { lostNetworkMs: 20, isFresh: true }), 1)
    assert.equal(book.lostNetworkMs('amsterdam', 1), 20)
    assert.deepEqual(book.present(1), [{ location: 'amsterdam', probers: 2, hasLostNetwork: true }])
    for (const prober of ['a', 'b']) book.note(heard(prober), 2)
    assert.equal(book.lostNetworkMs('amsterdam', 2), null)
  })

  it('has pages visited by those that do nothing else, while there are such', () => {
    const book = bookWith('a')
    const page = { id: 'monitor', needsBrowser: true }
    assert.equal(book.proberFor('amsterdam', page, 0), 'a')
    book.note(heard('pages', { only: 'browser', witness: 'rack 9' }), 1)
    assert.equal(book.proberFor('amsterdam', page, 1), 'pages')
    for (const id of ['b', 'c', 'd', 'e']) assert.equal(book.proberFor('amsterdam', plain(id), 1), 'a')
    book.note(heard('a', { isLeaving: true }), 2)
    assert.equal(book.proberFor('amsterdam', plain('monitor'), 2), null)
    assert.equal(book.proberFor('amsterdam', page, 2), 'pages')
    assert.equal(book.isOnline('amsterdam', 2), false)
  })

  it('takes a thousand probers', () => {
    const book = bookWith(...Array.from({ length: 1001 }, (_, index) => `prober ${index}`))
    assert.equal(book.present(0)[0]?.probers, 1000)
  })

  it('is one of ten thousand', () => {
    const book = createPresenceBook()
    for (let index = 0; index <= 10_000; index += 1) book.note(heard('a', { location: `location ${index}` }), 0)
    assert.equal(book.present(0).length, 10_000)
    book.note(heard('b', { location: 'location 0' }), 0)
    assert.equal(book.present(0)[0]?.probers, 2)
  })
})

describe('the monitors of a location', () => {
  it('are shared out, and each stays with its prober', () => {
    const book = bookWith('a', 'b', 'c')
    const shares = Map.groupBy(monitors, (monitor) => book.proberFor('amsterdam', plain(monitor), 1))
    assert.deepEqual(new Set(shares.keys()), new Set(['a', 'b', 'c']))
    for (const share of shares.values()) assert.ok(share.length > 30, `${share.length}`)
  })

  it('have the same prober in every release, because processes of two releases run side by side', () => {
    const book = bookWith('a', 'b', 'c')
    const shares = monitors.slice(0, 40).map((monitor) => book.proberFor('amsterdam', plain(monitor), 1))
    assert.equal(shares.join(''), 'caaacccabcacbcacaccaaccaaccaaabbbabbbcac')
  })

  it('are a quarter each of four thousand', () => {
    const book = bookWith('p1', 'p2', 'p3', 'p4')
    const ids = Array.from(
      { length: 4_000 },
      (_, index) => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    )
    for (const share of Map.groupBy(ids, (id) => book.proberFor('amsterdam', plain(id), 1)).values())
      assert.ok(share.length > 800 && share.length < 1_200, `${share.length}`)
  })

  it('move only where their prober came or went', () => {
    const [two, three] = [bookWith('a', 'b'), bookWith('c', 'b', 'a')]
    for (const monitor of monitors) {
      const [before, after] = [
        two.proberFor('amsterdam', plain(monitor), 1),
        three.proberFor('amsterdam', plain(monitor), 1),
      ]
      assert.ok(after === before || after === 'c')
    }
  })
})

describe('witnesses', () => {
  it('are those of the probers that check the monitor, and of the location where a prober names none', () => {
    const book = bookWith('a')
    book.note(heard('b', { location: 'boston', witness: 'rack 7' }), 0)
    const expected = [
      ['amsterdam', 'location amsterdam'],
      ['boston', 'rack 7'],
    ]
    assert.deepEqual([...book.witnesses(['amsterdam', 'boston', 'cairo'], plain('monitor'), 0)], expected)
    assert.equal(book.witnessOf('boston', 0), 'rack 7')
  })

  it('of two locations may be one', () => {
    const book = createPresenceBook()
    for (const location of ['amsterdam', 'boston']) book.note(heard('a', { location, witness: 'rack 7' }), 0)
    assert.deepEqual(
      new Set(book.witnesses(['amsterdam', 'boston'], plain('monitor'), 0).values()),
      new Set(['rack 7']),
    )
  })

  it('are not asked for where one location checks alone', () => {
    assert.equal(bookWith('a').witnesses(['amsterdam'], plain('monitor'), 0).size, 0)
  })
})

describe('what a prober was asked', () => {
  const asked = { location: 'amsterdam', prober: 'a', askedMs: 100 }

  it('was heard by a prober that was there at that time', () => {
    const book = createPresenceBook()
    book.note(heard('b'), 0)
    book.note(heard('a'), 100)
    assert.equal(book.hasHeard(asked, 100), true)
    assert.equal(book.hasHeard({ ...asked, askedMs: 99 }, 100), false)
    assert.equal(book.hasHeard({ ...asked, prober: 'c' }, 100), false)
  })

  it('may be lost when the prober has started anew', () => {
    const book = bookWith('a')
    book.note(heard('a'), 150)
    assert.equal(book.hasHeard(asked, 150), true)
    book.note(heard('a', { isFresh: true }), 200)
    assert.equal(book.hasHeard(asked, 200), false)
  })

  it('may be lost when this process was away', () => {
    const book = bookWith('a')
    const before = book.generation(150)
    book.doubt(150)
    assert.equal(book.hasHeard(asked, 150), false)
    assert.ok(book.generation(150) > before)
  })
})

describe('the generation', () => {
  it('rises when a prober comes, starts anew, leaves or is gone', () => {
    const book = createPresenceBook()
    const steps: [Presence | null, nowMs: number, isRise: boolean][] = [
      [heard('a'), 0, true],
      [heard('a'), 1, false],
      [heard('b'), 1, true],
      [heard('b', { isFresh: true }), 2, true],
      [heard('b', { isLeaving: true }), 3, true],
      [null, goneMs, false],
      [null, goneMs + 1, true],
    ]
    let last = book.generation(0)
    for (const [presence, nowMs, isRise] of steps) {
      if (presence !== null) book.note(presence, nowMs)
      const generation = book.generation(nowMs)
      assert.equal(generation > last, isRise, JSON.stringify([presence, nowMs]))
      last = generation
    }
  })
})

describe('a clock that jumps', () => {
  it('forward takes the probers along', () => {
    const book = bookWith('a')
    book.shift(100_000)
    assert.equal(book.isOnline('amsterdam', 100_000 + goneMs - 1), true)
    assert.equal(book.isOnline('amsterdam', 100_000 + goneMs), false)
  })

  it('forward leaves what was asked before unheard', () => {
    const book = bookWith('a')
    book.shift(1000)
    assert.equal(book.hasHeard({ location: 'amsterdam', prober: 'a', askedMs: 999 }, 1000), false)
  })

  it('back counts a prober as heard at that moment', () => {
    const book = createPresenceBook()
    book.note(heard('a'), 100_000)
    assert.equal(book.isOnline('amsterdam', 50_000), true)
    assert.equal(book.hasHeard({ location: 'amsterdam', prober: 'a', askedMs: 50_000 }, 50_000), true)
    assert.equal(book.isOnline('amsterdam', 50_000 + goneMs), false)
  })
})

function plain(id: string): Work {
  return { id, needsBrowser: false }
}
