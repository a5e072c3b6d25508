import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isNtpReply, ntpRequest, readNtpReply } from './ntp-packet.ts'

const nonce = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
const asked = ntpRequest(nonce)

/** An answer to the question, with other bytes at some places. */
function answer(changes: Readonly<Record<number, number>> = {}, length = 48): Buffer {
  const packet = Buffer.alloc(length)
  packet[0] = 0x24
  packet.set(nonce.subarray(0, Math.max(0, length - 24)), 24)
  for (const [at, byte] of Object.entries(changes)) packet[Number(at)] = byte
  return packet
}

/** Seconds since 1900, and a part of one in 2^32. */
function withTime(offset: number, seconds: number, fraction = 0): Buffer {
  const packet = answer()
  packet.writeUInt32BE(seconds, offset)
  packet.writeUInt32BE(fraction, offset + 4)
  return packet
}

describe('a question of NTP', () => {
  it('is of version 4 from a client, and holds nothing but its nonce', () => {
    assert.equal(Buffer.from(asked).toString('hex'), `23${'00'.repeat(39)}0102030405060708`)
  })

  it('has eight bytes of a nonce', () => {
    assert.deepEqual(ntpRequest(Uint8Array.of(...nonce, 9)), asked)
  })

  const told: [what: string, received: Buffer, isReply: boolean][] = [
    ['an answer', answer(), true],
    ['one with more behind it', answer({}, 68), true],
    ['one of another version', answer({ 0: 0x1c }), true],
    ['one that is cut short', answer({}, 47), false],
    ['nothing', Buffer.alloc(0), false],
    ['a question', Buffer.from(asked), false],
    ['one of a broadcast', answer({ 0: 0x25 }), false],
    ['one with another first byte of the nonce', answer({ 24: 9 }), false],
    ['one with another last byte of the nonce', answer({ 31: 9 }), false],
  ]
  for (const [what, received, isReply] of told)
    it(`${isReply ? 'is' : 'is not'} answered by ${what}`, () => assert.equal(isNtpReply(received, asked), isReply))
})

describe('an answer of NTP', () => {
  const near = Date.UTC(2026, 0, 1)
  const read = (packet: Buffer) => readNtpReply(packet, near)

  it('has its leap, its version and its stratum', () => {
    const { leap, version, stratum } = read(answer({ 0: 0b1101_1100, 1: 3 }))
    assert.deepEqual([leap, version, stratum], [3, 3, 3])
    assert.deepEqual([read(answer({ 0: 0b0110_0100 })).leap, read(answer({ 1: 255 })).stratum], [1, 255])
  })

  const sources: [stratum: number, source: number[], referenceId: string, kissCode: string | null][] = [
    [0, [0x52, 0x41, 0x54, 0x45], 'RATE', 'RATE'],
    [1, [0x47, 0x50, 0x53, 0], 'GPS', null],
    [1, [0x20, 0x21, 0x7e, 0x7f], '!~', null],
    [2, [192, 0, 2, 1], '192.0.2.1', null],
    [15, [0x47, 0x50, 0x53, 0x53], '71.80.83.83', null],
  ]
  for (const [stratum, [one = 0, two = 0, three = 0, four = 0], referenceId, kissCode] of sources)
    it(`of stratum ${stratum} has its time from ${referenceId}`, () => {
      const found = read(answer({ 1: stratum, 12: one, 13: two, 14: three, 15: four, 11: 9, 16: 9 }))
      assert.deepEqual([found.referenceId, found.kissCode], [referenceId, kissCode])
    })

  it('has its delay and its dispersion in seconds of 16 and 16 bits', () => {
    const { rootDelayMs, rootDispersionMs } = read(answer({ 5: 1, 6: 0x80, 9: 2, 10: 0x40 }))
    assert.deepEqual([rootDelayMs, rootDispersionMs], [1_500, 2_250])
  })

  it('has the times at which the question came and the answer left', () => {
    const seconds = 2_208_988_800 + near / 1000
    const half = 2 ** 31
    const received = readNtpReply(withTime(32, seconds, half), near)
    const sent = readNtpReply(withTime(40, seconds + 1, half), near)
    assert.deepEqual([received.receivedAtMs, sent.sentAtMs], [near + 500, near + 1_500])
  })

  it('has times of the era that is nearest', () => {
    const eraMs = 2 ** 32 * 1000
    const seconds = 2_208_988_800 + near / 1000
    for (const eras of [-1, 0, 1, 2])
      assert.equal(
        readNtpReply(withTime(32, seconds), near + eras * eraMs + 1_000_000).receivedAtMs,
        near + eras * eraMs,
      )
    const later = Date.UTC(2036, 1, 8)
    assert.equal(readNtpReply(withTime(32, later / 1000 + 2_208_988_800 - 2 ** 32), later).receivedAtMs, later)
  })

  it('is read where it lies in a larger buffer', () => {
    const around = Buffer.concat([Buffer.alloc(5, 0xff), answer({ 1: 2 }), Buffer.alloc(5, 0xff)])
    assert.deepEqual(read(around.subarray(5, 53)), read(answer({ 1: 2 })))
  })
})
