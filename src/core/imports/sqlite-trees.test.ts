import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isTableTree, pageSizeOf } from './sqlite-trees.ts'

const pageSize = 512

/** A page that leads to others, or one without rows. */
function page(type: number, children: readonly number[] = []): Uint8Array {
  const bytes = Buffer.alloc(pageSize)
  bytes[0] = type
  const [last = 0, ...others] = children
  bytes.writeUInt16BE(others.length, 3)
  bytes.writeUInt32BE(last, 8)
  for (const [at, child] of others.entries()) {
    bytes.writeUInt16BE(400 + 4 * at, 12 + 2 * at)
    bytes.writeUInt32BE(child, 400 + 4 * at)
  }
  return bytes
}

/** Pages of which the first one, behind the header of the file, leads to the third one. */
function readFrom(type: number): (number: number) => Uint8Array {
  const first = Buffer.concat([Buffer.alloc(100), page(type, [3]).subarray(0, 412)])
  return (number) => (number === 1 ? first : page(13))
}

function isTree(pages: readonly Uint8Array[]): boolean {
  // The first page of a file is another one, which begins with its header.
  return isTableTree(2, { count: pages.length + 1, read: (number) => pages[number - 2] ?? new Uint8Array(0) })
}

const cases: [name: string, pages: Uint8Array[], expected: boolean][] = [
  ['one page', [page(13)], true],
  ['pages below pages', [page(5, [3, 4]), page(5, [5]), page(13), page(13)], true],
  ['a page that leads to itself', [page(5, [2])], false],
  ['pages that lead back', [page(5, [3]), page(5, [2])], false],
  ['a page that is reached twice', [page(5, [3, 3]), page(13)], false],
  ['a page beyond the end', [page(5, [9])], false],
  ['the page 0', [page(5, [0])], false],
  ['a page of an index', [page(2, [3]), page(10)], false],
  ['nothing', [new Uint8Array(0)], false],
]

describe('the pages of a table of SQLite', () => {
  for (const [name, pages, expected] of cases)
    it(`${expected ? 'are' : 'are not'} a tree with ${name}`, () => assert.equal(isTree(pages), expected))

  it('begin in the first page behind the header of the file', () => {
    assert.equal(isTableTree(1, { count: 3, read: readFrom(5) }), true)
    assert.equal(isTableTree(1, { count: 2, read: readFrom(5) }), false)
    assert.equal(isTableTree(1, { count: 3, read: readFrom(2) }), false)
  })

  it('in the first page have their places counted from its beginning', () => {
    const first = Buffer.alloc(pageSize)
    first[100] = 5
    first.writeUInt16BE(2, 103)
    first.writeUInt32BE(2, 108)
    first.writeUInt16BE(200, 112)
    first.writeUInt16BE(204, 114)
    first.writeUInt32BE(3, 200)
    first.writeUInt32BE(4, 204)
    const read: number[] = []
    const pages = {
      count: 4,
      read: (number: number) => {
        read.push(number)
        return number === 1 ? first : page(13)
      },
    }
    assert.equal(isTableTree(1, pages), true)
    assert.deepEqual(new Set(read), new Set([1, 2, 3, 4]))
  })

  it('have numbers of four bytes', () => {
    const read: number[] = []
    const pages = {
      count: 0x0102_0304,
      read: (number: number) => {
        read.push(number)
        return number === 2 ? page(5, [0x0102_0304]) : page(13)
      },
    }
    assert.equal(isTableTree(2, pages), true)
    assert.deepEqual(read, [2, 0x0102_0304])
    assert.equal(isTableTree(2, { ...pages, count: 0x0102_0303 }), false)
  })

  it('have all that they lead to within themselves', () => {
    const short = (bytes: Uint8Array, length: number): boolean =>
      isTree([bytes.subarray(0, length), page(13), page(13)])
    assert.deepEqual(
      [12, 11].map((length) => short(page(5, [3]), length)),
      [true, false],
    )
    const two = page(5, [3, 4])
    two.set([0, 14], 12)
    two.set([0, 0, 0, 4], 14)
    assert.deepEqual(
      [18, 17, 14, 13].map((length) => short(two, length)),
      [true, false, false, false],
    )
  })

  it('are looked at once each, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 20 }), (pages) => {
        let reads = 0
        isTableTree(1, {
          count: pages.length,
          read: (number) => {
            reads += 1
            return pages[number - 1] ?? new Uint8Array(0)
          },
        })
        assert.ok(reads <= pages.length)
      }),
    )
  })

  it('have the size that the file says', () => {
    const sizes = [512, 1024, 4096, 32_768]
    assert.deepEqual(sizes.map(sizeSaid), sizes)
    assert.equal(sizeSaid(1), 65_536)
    for (const stored of [0, 2, 256, 511, 513, 768, 1000, 65_535]) assert.equal(sizeSaid(stored), null, `${stored}`)
    assert.equal(pageSizeOf(Buffer.alloc(99, 1)), null)
  })
})

function sizeSaid(stored: number): number | null {
  const head = Buffer.alloc(100, 7)
  head.writeUInt16BE(stored, 16)
  return pageSizeOf(head)
}
