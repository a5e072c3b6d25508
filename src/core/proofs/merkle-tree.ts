// Merkle trees over SHA-256 as RFC 9162 2.1 defines them. Hashes of leaves and of nodes begin with different bytes, so
// that no node can be shown as a leaf.
import { sha256 } from './sha-256.ts'

const leafPrefix = Buffer.from([0])
const nodePrefix = Buffer.from([1])

export function leafHash(content: Uint8Array): Buffer {
  return sha256(Buffer.concat([leafPrefix, content]))
}

export function rootOf(leafHashes: readonly Uint8Array[]): Buffer {
  let level = leafHashes
  while (level.length > 1) level = levelAbove(level)
  return Buffer.from(level[0] ?? sha256(new Uint8Array()))
}

/** What leads from a leaf to the root: the hashes beside the way, the lowest first (RFC 9162 2.1.3.1). */
export function pathOf(leafHashes: readonly Uint8Array[], index: number): Uint8Array[] {
  const path: Uint8Array[] = []
  let level = leafHashes
  for (let place = index; level.length > 1; place = Math.floor(place / 2)) {
    const beside = level[place ^ 1]
    if (beside !== undefined) path.push(beside)
    level = levelAbove(level)
  }
  return path
}

export type Inclusion = { index: number; size: number; path: readonly Uint8Array[] }

/** The root that a tree of this size has if the path is right; null where it leads to none (RFC 9162 2.1.3.2). */
export function rootByPath(leaf: Uint8Array, { index, size, path }: Inclusion): Buffer | null {
  if (index >= size) return null
  const left = [...path]
  let hash: Buffer = Buffer.from(leaf)
  let place = index
  for (let length = size; length > 1; length = Math.ceil(length / 2)) {
    // The last node of an uneven level has none beside it, and rises as it is.
    if ((place ^ 1) < length) {
      const beside = left.shift()
      if (beside === undefined) return null
      hash = place % 2 === 0 ? nodeHash(hash, beside) : nodeHash(beside, hash)
    }
    place = Math.floor(place / 2)
  }
  return left.length === 0 ? hash : null
}

function levelAbove(level: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = []
  for (let place = 0; place < level.length; place += 2) {
    const [left, right] = [level[place], level[place + 1]]
    if (left !== undefined) above.push(right === undefined ? left : nodeHash(left, right))
  }
  return above
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.concat([nodePrefix, left, right]))
}
