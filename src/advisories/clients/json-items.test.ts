import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { FeedError } from './feed.ts'
import { createItemReader } from './json-items.ts'

/** Reads a text in pieces of this many bytes. */
function read(member: string | null, text: string, size: number): { items: unknown[]; frame: unknown } {
  const items: unknown[] = []
  const reader = createItemReader(member, (item) => {
    items.push(JSON.parse(item))
    return false
  })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size))
  return { items, frame: reader.end() }
}

describe('createItemReader', () => {
  const item = fc
    .dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue())
    .map((value): object => JSON.parse(JSON.stringify(value).toWellFormed()))

  it('gives the items of a member, and what stands around them, however the text is cut', () => {
    const around = fc.record({ before: fc.jsonValue(), after: fc.jsonValue() })
    fc.assert(
      fc.property(
        fc.array(item),
        around,
        fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2)),
        (items, { before, after }, [size, space]) => {
          const text = JSON.stringify({ before, "it's": items, after }, null, space).toWellFormed()
          assert.deepEqual(read("it's", text, size), {
            items,
            frame: JSON.parse(JSON.stringify({ before, "it's": [], after }).toWellFormed()),
          })
        },
      ),
    )
  })

  it('gives the items of a list', () => {
    fc.assert(
      fc.property(fc.array(item), fc.integer({ min: 1, max: 40 }), (items, size) => {
        assert.deepEqual(read(null, JSON.stringify(items), size), { items, frame: [] })
      }),
    )
  })

  it('takes no list below another name or deeper down for the one', () => {
    const text = JSON.stringify({
      other: [{ a: 1 }],
      nested: { items: [{ b: 1 }] },
      name: 'items',
      items: [{ c: [{ d: 1 }] }, 'text', 7, [{ e: 1 }]],
    })
    assert.deepEqual(read('items', text, 5).items.slice(0, 1), [{ c: [{ d: 1 }] }])
  })

  it('ends when it was told that there is enough', () => {
    const seen: unknown[] = []
    const reader = createItemReader(null, (one) => seen.push(JSON.parse(one)) === 2)
    assert.equal(reader.write(Buffer.from('[{"a":1},{"a":2},{"a":3}]')), true)
    assert.deepEqual(seen, [{ a: 1 }, { a: 2 }])
  })

  for (const [what, text] of [
    ['cut off', '{"items":[{"a":1},'],
    ['cut off in a text', '{"items":[{"a":"'],
    ['empty', ''],
    ['a page of another kind', '<html>'],
    ['damaged', '{"items":[{"a":1}],,}'],
  ] as const)
    it(`refuses what is ${what}`, () => {
      assert.throws(() => read('items', text, 7), FeedError)
    })

  it('refuses what is too long to be held', () => {
    const reader = createItemReader(null, () => false)
    reader.write(Buffer.from('[{"a":"'))
    assert.throws(() => {
      for (let written = 0; written < 10; written += 1) reader.write(Buffer.alloc(1024 * 1024, 'x'))
    }, FeedError)
  })
})
