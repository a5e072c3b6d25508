import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { echoRequest, type Family } from '#net/ping/icmp-packet.ts'
import { quoting } from '../../../test/support/icmp-errors.ts'
import { readAnswer, readRequest, unreachableReason } from './route-packet.ts'

const cookie = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
const echo = { identifier: 4660, sequence: 7, cookie }

function changed(packet: Buffer, changes: Record<number, number>): Buffer {
  const copy = Buffer.from(packet)
  for (const [offset, value] of Object.entries(changes)) copy[Number(offset)] = value
  return copy
}

describe('what comes back for a probe', () => {
  for (const [family, types] of [
    [4, { reply: 0, exceeded: 11, unreachable: 3 }],
    [6, { reply: 129, exceeded: 3, unreachable: 1 }],
  ] as const) {
    const request = echoRequest(family, echo)
    const error = (type: number, code = 0, bytes = 72): Buffer => quoting(family, { request, type, code, bytes })
    const start = family === 4 ? 20 : 0

    it(`is read in IPv${family}`, () => {
      assert.deepEqual(plain(readAnswer(family, changed(request, { 0: types.reply }))), answer('reply', 0))
      assert.deepEqual(plain(readAnswer(family, error(types.exceeded))), answer('exceeded', 0))
      assert.deepEqual(plain(readAnswer(family, error(types.unreachable, 1))), answer('unreachable', 1))
    })

    it(`has no cookie in IPv${family} where the quote is as short as it may be, or padded`, () => {
      for (const quote of [error(types.exceeded, 0, 8), error(types.exceeded, 0, 15)])
        assert.deepEqual(plain(readAnswer(family, quote)), { ...answer('exceeded', 0), cookie: '' })
      const padded = error(types.exceeded)
      padded.fill(0, padded.length - 56)
      assert.deepEqual(plain(readAnswer(family, padded)), { ...answer('exceeded', 0), cookie: '' })
    })

    it(`is nothing else in IPv${family}`, () => {
      const whole = error(types.exceeded)
      const quote = start + 8
      const inner = quote + (family === 4 ? 20 : 40)
      const none: [what: string, packet: Uint8Array][] = [
        ['a request', request],
        ['nothing', Buffer.alloc(0)],
        ['another type', changed(whole, { [start]: family === 4 ? 5 : 137 })],
        ['a fragment that came too late', error(types.exceeded, 1)],
        ['another protocol', changed(whole, { [quote + (family === 4 ? 9 : 6)]: 17 })],
        ['another version of IP', changed(whole, { [quote]: family === 4 ? 0x60 : 0x45 })],
        ['a reply that is quoted', changed(whole, { [inner]: types.reply })],
        ...Array.from({ length: inner + 8 }, (_, length): [string, Uint8Array] => [
          `${length} bytes`,
          whole.subarray(0, length),
        ]),
      ]
      for (const [what, packet] of none) assert.equal(readAnswer(family, packet), null, what)
    })
  }

  it('is not read from a header of IPv4 that is shorter than one can be', () => {
    const whole = quoting(4, { request: echoRequest(4, echo), type: 11, code: 0, bytes: 72 })
    assert.equal(readAnswer(4, changed(whole, { 28: 0x44 })), null)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom<Family>(4, 6), fc.uint8Array({ maxLength: 120 }), (family, bytes) => {
        readAnswer(family, bytes)
        readRequest(family, bytes)
      }),
    )
  })
})

describe('why a destination is unreachable', () => {
  const cases: [Family, number, string][] = [
    [4, 0, 'network_unreachable'],
    [4, 1, 'host_unreachable'],
    [4, 13, 'prohibited'],
    [4, 5, 'other'],
    [6, 0, 'network_unreachable'],
    [6, 1, 'prohibited'],
    [6, 3, 'host_unreachable'],
    [6, 2, 'other'],
    [6, 200, 'other'],
  ]
  for (const [family, code, reason] of cases)
    it(`is ${reason} by code ${code} of IPv${family}`, () => assert.equal(unreachableReason(family, code), reason))
})

function answer(type: string, code: number): object {
  return { type, code, identifier: 4660, sequence: 7, cookie: '0102030405060708' }
}

function plain(found: ReturnType<typeof readAnswer>): object | null {
  return found === null ? null : { ...found, cookie: Buffer.from(found.cookie).toString('hex') }
}
