import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ber, berInteger, berTags, readElements, readInteger, readOnly } from './ber.ts'

describe('an element of BER', () => {
  const integers: [value: number, hex: string][] = [
    [0, '020100'],
    [127, '02017f'],
    [128, '02020080'],
    [255, '020200ff'],
    [256, '02020100'],
    [32_768, '0203008000'],
    [2_147_483_647, '02047fffffff'],
  ]
  for (const [value, hex] of integers)
    it(`tells ${value} in as few bytes as it takes`, () => {
      assert.equal(berInteger(value).toString('hex'), hex)
      assert.equal(readInteger(readOnly(Buffer.from(hex, 'hex')) ?? undefined), value)
    })

  it('tells its length in as many bytes as it takes', () => {
    for (const [length, head] of [
      [0, '0400'],
      [127, '047f'],
      [128, '048180'],
      [255, '0481ff'],
      [256, '04820100'],
      [70_000, '0483011170'],
    ] as const) {
      const bytes = ber(berTags.octets, Buffer.alloc(length, 7))
      assert.equal(bytes.subarray(0, head.length / 2).toString('hex'), head)
      assert.deepEqual(readOnly(bytes), { tag: 4, content: Buffer.alloc(length, 7) })
    }
  })

  it('is read with a length that takes more bytes than it needs, as Active Directory sends them', () => {
    assert.deepEqual(readOnly(Buffer.from('0484000000 0161'.replace(' ', ''), 'hex')), {
      tag: 4,
      content: Buffer.from('a'),
    })
  })

  it('is negative where its first bit is set, and no number of more than four bytes', () => {
    assert.equal(readInteger({ tag: 2, content: Buffer.from([0xff]) }), -1)
    assert.equal(readInteger({ tag: 2, content: Buffer.alloc(5) }), null)
    assert.equal(readInteger({ tag: 2, content: Buffer.alloc(0) }), null)
    assert.equal(readInteger({ tag: 4, content: Buffer.alloc(1) }), null)
    assert.equal(readInteger(undefined), null)
  })

  for (const [name, hex] of [
    ['ends before its end', '040261'],
    ['ends in its length', '0482'],
    ['has no length', '04'],
    ['tells no length', '04800000'],
    ['tells its length in more than four bytes', '048500000000 00'],
    ['is longer than anything', '0484ffffffff'],
  ] as const)
    it(`that ${name} is not read`, () => {
      const bytes = Buffer.from(hex.replace(' ', ''), 'hex')
      assert.equal(readOnly(bytes), null)
      assert.equal(readElements(bytes), null)
    })

  it('lies beside others, up to a limit', () => {
    assert.equal(readElements(Buffer.alloc(20_000))?.length, 10_000)
    assert.equal(readElements(Buffer.alloc(20_002)), null)
    assert.deepEqual(readElements(Buffer.alloc(0)), [])
    assert.equal(readOnly(Buffer.alloc(4)), null)
  })

  it('is what was written, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 300 }))), (elements) => {
        const bytes = Buffer.concat(elements.map(([tag, content]) => ber(tag, content)))
        assert.deepEqual(
          readElements(bytes),
          elements.map(([tag, content]) => ({ tag, content: Buffer.from(content) })),
        )
      }),
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => void readElements(Buffer.from(bytes))))
  })
})
