// The pages of a table in a file of SQLite (https://www.sqlite.org/fileformat.html, 1.6), looked at before SQLite itself
// reads them: where pages lead back to earlier ones, a single step of a query would never end, and could not be ended.

export type SqlitePages = {
  count: number
  /** The bytes of a page; the first one has the number 1. */
  read: (number: number) => Uint8Array
}

const interiorTable = 5
const leafTable = 13
const headLength = 12
/** The first page begins with the header of the file. */
const fileHead = 100

/** The size of a page, from the first bytes of a file; null where these are none of SQLite. */
export function pageSizeOf(head: Uint8Array): number | null {
  if (head.length < fileHead) return null
  const stored = numberAt(head, 16, 2)
  const size = stored === 1 ? 65_536 : stored
  return size >= 512 && (size & (size - 1)) === 0 ? size : null
}

/** Whether the pages below a root are those of one table, each of which is reached once. */
export function isTableTree(root: number, { count, read }: SqlitePages): boolean {
  const seen = new Set<number>()
  const open = [root]
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    if (number < 1 || number > count || seen.has(number)) return false
    seen.add(number)
    const children = childrenOf(read(number), number === 1 ? fileHead : 0)
    if (children === null) return false
    open.push(...children)
  }
  return true
}

/** The pages to which a page leads; null where it is none of a table. */
function childrenOf(page: Uint8Array, at: number): number[] | null {
  const type = page[at]
  if (type === leafTable) return []
  if (type !== interiorTable || at + headLength > page.length) return null
  const cells = numberAt(page, at + 3, 2)
  if (at + headLength + 2 * cells > page.length) return null
  const children = [numberAt(page, at + 8, 4)]
  for (let cell = 0; cell < cells; cell += 1) {
    const place = numberAt(page, at + headLength + 2 * cell, 2)
    if (place + 4 > page.length) return null
    children.push(numberAt(page, place, 4))
  }
  return children
}

/** Big-endian, as all numbers of such a file. */
function numberAt(bytes: Uint8Array, at: number, length: number): number {
  let number = 0
  for (let index = at; index < at + length; index += 1) number = number * 256 + (bytes[index] ?? 0)
  return number
}
