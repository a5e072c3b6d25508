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
    assert.deepEqual([4096, 1, 512, 0, 1000, 256].map(sizeSaid), [4096, 65_536, 512, null, null, null])
    assert.equal(pageSizeOf(new Uint8Array(20)), null)
  })
})

function sizeSaid(stored: number): number | null {
  const head = Buffer.alloc(100)
  head.writeUInt16BE(stored, 16)
  return pageSizeOf(head)
}
