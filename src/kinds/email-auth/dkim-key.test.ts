import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { rsaKeyBits } from './dkim-key.ts'

function rsaKey(modulusLength: number, type: 'spki' | 'pkcs1'): Buffer {
  return generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ type, format: 'der' })
}

/** Two numbers as RFC 8017 A.1.1 has them. */
function rsaOf(...numbers: number[][]): Uint8Array {
  const content = numbers.flatMap((bytes) => [2, bytes.length].concat(bytes))
  return Uint8Array.from([0x30, content.length, ...content])
}

describe('the size of an RSA key', () => {
  it('is read from both of the forms that are published', () => {
    for (const bits of [512, 1024, 1032, 2048])
      for (const type of ['spki', 'pkcs1'] as const)
        assert.equal(rsaKeyBits(rsaKey(bits, type)), bits, `${bits} ${type}`)
  })

  it('is not read from another key', () => {
    const { publicKey: ed25519 } = generateKeyPairSync('ed25519')
    const { publicKey: ec } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    for (const key of [ed25519, ec]) assert.equal(rsaKeyBits(key.export({ type: 'spki', format: 'der' })), null)
  })

  it('is not read from a key that is cut short or has more behind it', () => {
    const key = rsaKey(1024, 'spki')
    for (let length = 0; length < key.length; length++)
      assert.equal(rsaKeyBits(key.subarray(0, length)), null, `${length}`)
    assert.equal(rsaKeyBits(Buffer.concat([key, Buffer.alloc(1)])), null)
  })

  const small: [what: string, der: Uint8Array, bits: number | null][] = [
    ['a modulus of one bit', rsaOf([1], [3]), 1],
    ['a modulus of nine bits', rsaOf([1, 0], [3]), 9],
    ['a modulus with zeros before it', rsaOf([0, 0, 0x80], [3]), 8],
    ['a modulus of zeros', rsaOf([0, 0], [3]), null],
    ['a modulus of nothing', rsaOf([], [3]), null],
    ['an exponent of nothing', rsaOf([5], []), null],
    ['no exponent', rsaOf([5]), null],
    ['three numbers', rsaOf([5], [3], [1]), null],
    ['a length of two bytes', Uint8Array.from([0x30, 0x82, 0, 6, 2, 1, 5, 2, 1, 3]), 3],
    ['a length of four bytes', Uint8Array.from([0x30, 0x84, 0, 0, 0, 6, 2, 1, 5, 2, 1, 3]), 3],
    ['a length of five bytes', Uint8Array.from([0x30, 0x85, 0, 0, 0, 0, 6, 2, 1, 5, 2, 1, 3]), null],
    ['a length that is not told', Uint8Array.from([0x30, 0x80, 2, 1, 5, 2, 1, 3]), null],
    [
      'a length of 127',
      rsaOf(
        Array.from({ length: 122 }, () => 0xff),
        [3],
      ),
      976,
    ],
  ]
  for (const [what, der, bits] of small)
    it(`is ${bits ?? 'none'} with ${what}`, () => assert.equal(rsaKeyBits(der), bits))

  it('does not throw, whatever the bytes', () => {
    const key = rsaKey(512, 'spki')
    const damaged = fc
      .array(fc.tuple(fc.nat(key.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
      .map((changes) => {
        const copy = Buffer.from(key)
        for (const [offset, value] of changes) copy[offset] = value
        return copy
      })
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 100 })), (bytes) => {
        const bits = rsaKeyBits(bytes)
        assert.ok(bits === null || (bits > 0 && bits <= bytes.length * 8))
      }),
      { numRuns: 3000 },
    )
  })
})
