import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { hasMorePackets, readPackets, writePacket } from './git-packets.ts'

const bytes = (...packets: string[]): Uint8Array => Buffer.from(packets.join(''))

describe('packets', () => {
  const told: [what: string, text: string, packets: (string | null)[] | null][] = [
    ['nothing', '', []],
    ['a line', '0006a\n', ['a']],
    ['a line without an end', '0005a', ['a']],
    ['an empty line', '0004', ['']],
    ['markers', '000000010002', [null, null, null]],
    ['upper-case digits', '000Aabcde\n', ['abcde']],
    ['a letter of two bytes', '0006é', ['é']],
    ['the length 3', '0003', null],
    ['no digits', '00x4', null],
    ['half a length', '000', null],
    ['half a line', '0006a', null],
    ['more than a packet holds', `fff1${'a'.repeat(0xfff1 - 4)}`, null],
    ['as much as a packet holds', `fff0${'a'.repeat(0xfff0 - 4)}`, ['a'.repeat(0xfff0 - 4)]],
  ]
  for (const [what, text, packets] of told)
    it(`are read from ${what}`, () => assert.deepEqual(readPackets(bytes(text)), packets))

  it('are written as they are read', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 100 })), (lines) => {
        assert.deepEqual(readPackets(bytes(...lines.map(writePacket))), lines)
      }),
    )
  })
})

describe('more packets than are wanted', () => {
  const told: [what: string, text: string, hasMore: boolean][] = [
    ['nothing', '', false],
    ['two', '0005a0005b', false],
    ['three', '0005a0005b0005c', true],
    ['many', '0005a'.repeat(50), true],
    ['two and a marker', '0005a0005b0000', true],
    ['three, of which the last is cut off', '0005a0005b00ffc', true],
    ['two, and what is no packet', `0005a0005b${'x'.repeat(100)}`, false],
    ['no packet at all', 'x'.repeat(100), false],
  ]
  for (const [what, text, hasMore] of told)
    it(`${hasMore ? 'are' : 'are not'} in ${what}`, () => assert.equal(hasMorePackets(bytes(text), 2), hasMore))
})

describe('the length of a packet', () => {
  it('has digits to 9 and letters to f, of either case', () => {
    for (const length of ['0009', '000f', '000F', '000a', '000A'])
      assert.equal(readPackets(bytes(length.padEnd(Number.parseInt(length, 16), 'x')))?.length, 1, length)
    for (const [length, wouldBe] of [
      ['000:', 10],
      ['000g', 16],
      ['000G', 16],
      ['000/', 16],
      ['000@', 16],
    ] as const)
      assert.equal(readPackets(bytes(length.padEnd(wouldBe, 'x'))), null, length)
  })
})
