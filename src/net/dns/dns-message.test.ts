import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, encode } from 'dns-packet'
import fc from 'fast-check'
import { assertQuick } from '../../../test/support/quick.ts'
import { decodeAnswer, encodeQuestion } from './dns-message.ts'
import { createFrameReader } from './dns-tcp.ts'

const question = { name: 'a.example', type: 'TXT' } as const

function response(answers: Answer[]): Buffer {
  return encode({ type: 'response', id: 7, questions: [question], answers })
}

const answers: Answer[] = [
  { type: 'A', name: 'a.example', ttl: 1, data: '192.0.2.1' },
  { type: 'AAAA', name: 'a.example', ttl: 1, data: '2001:db8::1' },
  { type: 'MX', name: 'a.example', ttl: 1, data: { preference: 10, exchange: 'mx.example' } },
  { type: 'TXT', name: 'a.example', ttl: 1, data: ['one', 'two'] },
  { type: 'SRV', name: 'a.example', ttl: 1, data: { priority: 1, weight: 2, port: 3, target: 't.example' } },
  { type: 'CAA', name: 'a.example', ttl: 1, data: { tag: 'issue', value: 'ca.example' } },
]

/**
 * One record of an unknown type whose data hold names, and as many records as fit, each named by the last of these
 * names.
 */
function withNames(write: (bytes: Buffer, start: number, end: number) => number): Buffer {
  const bytes = Buffer.alloc(65_535)
  const dataAt = response([]).copy(bytes) + 11
  const dataEnd = 16_382
  bytes.writeUInt16BE(65_280, dataAt - 10)
  bytes.writeUInt16BE(dataEnd - dataAt, dataAt - 2)
  const name = write(bytes, dataAt, dataEnd)
  for (let offset = dataEnd; offset + 12 <= bytes.length; offset += 12) {
    bytes.writeUInt16BE(0xc000 + name, offset)
    bytes.writeUInt16BE(65_280, offset + 2)
  }
  bytes.writeUInt16BE(2499, 6)
  return bytes
}

describe('a DNS message', () => {
  it('asks for the name and type, with an id', () => {
    const bytes = encodeQuestion(question, { id: 0xabcd, hasEdns: false })
    assert.equal(bytes.toString('hex'), 'abcd010000010000000000000161076578616d706c650000100001')
  })

  it('is read whole or not at all', () => {
    const whole = decodeAnswer(response(answers), question, 7)
    assert.ok(typeof whole === 'object')
    assert.deepEqual(
      whole.answer.answers.map(({ type }) => type),
      ['A', 'AAAA', 'MX', 'TXT', 'SRV', 'other'],
    )
    const bytes = response(answers)
    for (let length = 0; length < bytes.length; length++)
      assert.equal(typeof decodeAnswer(bytes.subarray(0, length), question, 7), 'string', `${length} bytes`)
  })

  it('never throws, whatever the bytes', () => {
    const valid = response(answers)
    const damaged = fc
      .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 })
      .map((changes) => {
        const copy = Buffer.from(valid)
        for (const [offset, value] of changes) copy[offset] = value
        return copy
      })
    const withHeader = fc
      .uint8Array({ maxLength: 600 })
      .map((rest) => Buffer.concat([valid.subarray(0, 12), Buffer.from(rest)]))
    const any = fc.oneof(
      damaged,
      withHeader,
      fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
    )
    fc.assert(
      fc.property(any, (bytes) => {
        const read = decodeAnswer(bytes, question, 7)
        if (typeof read === 'string') return
        for (const record of read.answer.answers) assert.equal(typeof record.name, 'string')
      }),
      { numRuns: 3000 },
    )
  })

  it('refuses endless chains of pointers, and takes a short time for the longest names', () => {
    const chain = withNames((bytes, start, end) => {
      let last = start
      for (let offset = start + 2; offset + 2 <= end; offset += 2) {
        bytes.writeUInt16BE(0xc000 + offset - 2, offset)
        last = offset
      }
      return last
    })
    const longest = withNames((bytes, start) => {
      let offset = start + 1
      for (let label = 0; label < 126; label++) {
        bytes.writeUInt16BE(0x0161, offset)
        bytes.writeUInt16BE(0xc000 + (label === 0 ? start : offset - 4), offset + 2)
        offset += 4
      }
      return offset - 4
    })
    assertQuick('a chain of pointers', () => assert.equal(decodeAnswer(chain, question, 7), 'garbled'))
    assertQuick('the longest names', () => {
      const read = decodeAnswer(longest, question, 7)
      assert.equal(typeof read === 'object' && read.answer.answers.at(-1)?.name.length, 251)
    })
  })
})

describe('the frames of DNS over TCP', () => {
  it('are the same however the bytes are split', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat(402), { maxLength: 6 }), (body, cuts) => {
        const frame = Buffer.concat([Buffer.from([body.length >> 8, body.length & 255]), body, Buffer.from('rest')])
        const read = createFrameReader()
        const ends = [...new Set([...cuts, frame.length])].toSorted((a, b) => a - b)
        let start = 0
        let message: Buffer | null = null
        for (const end of ends) {
          message ??= read(frame.subarray(start, end))
          start = end
        }
        assert.deepEqual(message, Buffer.from(body))
      }),
    )
  })
})
