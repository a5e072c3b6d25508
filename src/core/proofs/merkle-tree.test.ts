import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { leafHash, pathOf, rootByPath, rootOf } from './merkle-tree.ts'

/** The leaves of the tests of Certificate Transparency, github.com/google/certificate-transparency, merkletree. */
const published = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => Buffer.from(hex, 'hex'))

/** Their roots by number of leaves, from none on. */
const publishedRoots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

describe('a Merkle tree', () => {
  it('has the published roots', () => {
    const roots = publishedRoots.map((_, size) => rootOf(published.slice(0, size).map(leafHash)).toString('hex'))
    assert.deepEqual(roots, publishedRoots)
  })

  it('has the published paths', () => {
    const leaves = published.map(leafHash)
    const hexOf = (size: number, index: number): string[] =>
      pathOf(leaves.slice(0, size), index).map((hash) => Buffer.from(hash).toString('hex'))
    assert.deepEqual(hexOf(1, 0), [])
    assert.deepEqual(hexOf(8, 0), [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ])
    assert.deepEqual(hexOf(8, 5), [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ])
    assert.deepEqual(hexOf(3, 2), ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'])
  })

  it('is what the definition of RFC 9162 says, word for word', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 70 }), fc.nat(100), (contents, seed) => {
        const leaves = contents.map(leafHash)
        assert.deepEqual(rootOf(leaves), rootByDefinition(contents))
        if (contents.length === 0) return
        const index = seed % contents.length
        const path = pathOf(leaves, index)
        assert.deepEqual(path.map(toHex), pathByDefinition(contents, index).map(toHex))
        assert.deepEqual(
          rootByPath(leafHash(contents[index] ?? assert.fail()), { index, size: leaves.length, path }),
          rootOf(leaves),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('is reached from one place alone', () => {
    for (let size = 1; size <= 20; size += 1) {
      const leaves = Array.from({ length: size }, (_, index) => leafHash(Buffer.from([index])))
      const root = rootOf(leaves).toString('hex')
      for (const [index, leaf] of leaves.entries()) {
        const path = pathOf(leaves, index)
        const reached = Array.from({ length: size + 2 }, (_, other) => rootByPath(leaf, { index: other, size, path }))
        const right = reached.flatMap((hash, place) => (hash?.toString('hex') === root ? [place] : []))
        assert.deepEqual(right, [index], `${index} of ${size}`)
        assert.equal(rootByPath(leaf, { index, size, path: [...path, leaf] }), null)
        assert.notEqual(rootByPath(leaf, { index, size, path: path.slice(1) })?.toString('hex'), size === 1 ? '' : root)
      }
    }
  })
})

function toHex(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex')
}

function sha256(...parts: Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

/** MTH(D[n]) of RFC 9162 2.1.1. */
function rootByDefinition(contents: readonly Uint8Array[]): Buffer {
  const [only] = contents
  if (only === undefined) return sha256()
  if (contents.length === 1) return sha256(Buffer.from([0]), only)
  const k = splitOf(contents.length)
  return sha256(Buffer.from([1]), rootByDefinition(contents.slice(0, k)), rootByDefinition(contents.slice(k)))
}

/** PATH(m, D[n]) of RFC 9162 2.1.3.1. */
function pathByDefinition(contents: readonly Uint8Array[], m: number): Buffer[] {
  if (contents.length === 1) return []
  const k = splitOf(contents.length)
  return m < k
    ? [...pathByDefinition(contents.slice(0, k), m), rootByDefinition(contents.slice(k))]
    : [...pathByDefinition(contents.slice(k), m - k), rootByDefinition(contents.slice(0, k))]
}

/** The largest power of two below n. */
function splitOf(n: number): number {
  let k = 1
  while (k * 2 < n) k *= 2
  return k
}
