import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { echoRequest, readEchoReply } from './icmp-packet.ts'

const echo = { identifier: 0x1234, sequence: 0xfffe, cookie: Buffer.from('cookie!!') }

/** The answer of a host to a request: the same packet with another type. */
function replyTo(family: 4 | 6): Buffer {
  const packet = echoRequest(family, echo)
  packet[0] = family === 4 ? 0 : 129
  return packet
}

describe('an echo packet', () => {
  for (const family of [4, 6] as const)
    it(`of IPv${family} brings back number and cookie`, () => {
      const read = readEchoReply(family, replyTo(family))
      assert.deepEqual(read && { ...read, cookie: Buffer.from(read.cookie) }, echo)
    })

  it('has the checksum of RFC 1071, which makes the sum of all words 0xffff', () => {
    const packet = echoRequest(4, echo)
    assert.equal(packet.length, 64)
    let sum = 0
    for (let offset = 0; offset < packet.length; offset += 2) sum += packet.readUInt16BE(offset)
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16)
    assert.equal(sum, 0xffff)
  })

  const sums: [identifier: number, checksum: number][] = [
    [0xf7fe, 0x0001],
    [0xf7ff, 0x0000],
    [0xf800, 0xfffe],
    [0xf801, 0xfffd],
  ]
  for (const [identifier, checksum] of sums)
    it(`has a checksum in which what is carried over counts, as with ${identifier.toString(16)}`, () => {
      const packet = echoRequest(4, { identifier, sequence: 0, cookie: Buffer.alloc(8) })
      assert.equal(packet.readUInt16BE(2), checksum)
    })

  it('is found behind an IPv4 header, with and without options', () => {
    for (const words of [5, 7, 15]) {
      const header = Buffer.alloc(words * 4)
      header[0] = 0x40 | words
      assert.equal(readEchoReply(4, Buffer.concat([header, replyTo(4)]))?.sequence, 0xfffe)
    }
  })

  it('is no reply when it is a request, has a code or is cut off', () => {
    assert.equal(readEchoReply(4, echoRequest(4, echo)), null)
    assert.equal(readEchoReply(6, echoRequest(6, echo)), null)
    assert.equal(readEchoReply(4, replyTo(4).subarray(0, 15)), null)
    assert.notEqual(readEchoReply(4, replyTo(4).subarray(0, 16)), null)
    assert.equal(readEchoReply(4, replyTo(6)), null)
    const coded = replyTo(4)
    coded[1] = 1
    assert.equal(readEchoReply(4, coded), null)
    assert.equal(readEchoReply(4, Buffer.from([0x4f, 0, 0])), null)
  })

  it('never makes the parser throw', () => {
    const beginning = fc.constantFrom([], [0, 0], [129, 0], [0x45], [0x4f], [0x40])
    fc.assert(
      fc.property(beginning, fc.uint8Array({ maxLength: 100 }), fc.constantFrom(4, 6), (head, rest, family) => {
        const read = readEchoReply(family, Buffer.concat([Buffer.from(head), rest]))
        if (read !== null) assert.equal(read.cookie.length, 8)
      }),
    )
  })
})
