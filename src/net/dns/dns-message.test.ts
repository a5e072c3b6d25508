import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, encode, type Packet } from 'dns-packet'
import fc from 'fast-check'
import { assertQuick } from '../../../test/support/quick.ts'
import { decodeAnswer, encodeQuestion } from './dns-message.ts'
import type { DnsQuestion, DnsValue } from './dns-record.ts'

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

  it('asks with EDNS for answers of 1,232 bytes', () => {
    const bytes = encodeQuestion(question, { id: 0xabcd, hasEdns: true })
    const asked = 'abcd010000010000000000010161076578616d706c650000100001'
    assert.equal(bytes.toString('hex'), `${asked}00002904d0000000000000`)
  })

  it('asks for signatures that the server shall not judge, which takes EDNS', () => {
    const signed = { ...question, isSigned: true }
    const asked = 'abcd011000010000000000010161076578616d706c650000100001'
    assert.equal(
      encodeQuestion(signed, { id: 0xabcd, hasEdns: true }).toString('hex'),
      `${asked}00002904d0000080000000`,
    )
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
        decodeAnswer(bytes, { ...question, isSigned: true }, 7)
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

/** This many records of an unknown type, each twelve bytes long, in one section. */
function withRecords(count: number, section: 'answers' | 'authorities' | 'additionals'): Buffer {
  const head = response([])
  const bytes = Buffer.alloc(head.length + 12 * count)
  head.copy(bytes)
  bytes.writeUInt16BE(count, { answers: 6, authorities: 8, additionals: 10 }[section])
  for (let offset = head.length; offset < bytes.length; offset += 12) bytes.writeUInt32BE(0xc00cff00, offset)
  return bytes
}

/**
 * An alias that stands behind so many words of two bytes, each with the place of the one before it, and the first of
 * them with that of the name asked for. Words are pointers where they have the mark of pointers.
 */
function withChain(words: number, mark = 0xc000): Buffer {
  const head = response([])
  const filling = Buffer.alloc(300)
  const chain = Buffer.alloc(2 * (words - 1))
  const unknown = Buffer.alloc(12)
  unknown.writeUInt32BE(0xc00cff00)
  unknown.writeUInt16BE(filling.length + chain.length, 10)
  const firstAt = head.length + unknown.length + filling.length
  for (let at = 0; at < chain.length; at += 2) chain.writeUInt16BE(mark + (at === 0 ? 12 : firstAt + at - 2), at)
  const alias = Buffer.from('c00c00050001000000010002'.padEnd(28, '0'), 'hex')
  alias.writeUInt16BE(0xc000 + (mark === 0 ? 12 : firstAt + chain.length - 2), 12)
  head.writeUInt16BE(2, 6)
  return Buffer.concat([head, unknown, filling, chain, alias])
}

describe('a DNS message that is large', () => {
  for (const section of ['answers', 'authorities', 'additionals'] as const)
    it(`is read with 2,499 ${section} beside its question, and not with one more`, () => {
      const read = decodeAnswer(withRecords(2499, section), question, 7)
      assert.equal(typeof read === 'object' && read.answer[section].length, 2499)
      assert.equal(decodeAnswer(withRecords(2500, section), question, 7), 'garbled')
    })

  it('is read where names lead over 16 pointers, and not where they lead over more', () => {
    const read = decodeAnswer(withChain(16), question, 7)
    assert.ok(typeof read === 'object')
    assert.deepEqual(read.answer.answers[1], { name: 'a.example', ttlSeconds: 1, type: 'CNAME', target: 'a.example' })
    assert.equal(decodeAnswer(withChain(17), question, 7), 'garbled')
  })

  it('is read though the data of a record look like a chain of places that are no pointers', () => {
    assert.equal(typeof decodeAnswer(withChain(40, 0), question, 7), 'object')
  })
})

/** What is read of an answer with this beside the question. */
function readOf(packet: Packet, asked: DnsQuestion = question): ReturnType<typeof decodeAnswer> {
  return decodeAnswer(encode({ type: 'response', id: 7, questions: [question], ...packet }), asked, 7)
}

function partsOf(packet: Packet): unknown[] {
  const read = readOf(packet)
  assert.ok(typeof read === 'object')
  return [read.answer.rcode, read.hasEdns]
}

function ednsOf(extendedRcode: number): Answer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: 1232,
    extendedRcode,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  }
}

describe('an answer of DNS', () => {
  const codes = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED', 'RCODE6']
  for (const [low, name] of codes.entries())
    it(`has the code ${low} as ${name}`, () => assert.deepEqual(partsOf({ flags: low }), [name, false]))

  const extended: [high: number, low: number, name: string][] = [
    [0, 3, 'NXDOMAIN'],
    [1, 0, 'BADVERS'],
    [1, 7, 'BADCOOKIE'],
    [2, 1, 'RCODE33'],
  ]
  for (const [extendedRcode, flags, name] of extended)
    it(`of EDNS has the code ${extendedRcode * 16 + flags} as ${name}`, () =>
      assert.deepEqual(partsOf({ flags, additionals: [ednsOf(extendedRcode)] }), [name, true]))

  it('has its records, but not that of EDNS', () => {
    const ns = { type: 'NS', name: 'example', ttl: 60, data: 'ns.example' } as const
    const alias = { type: 'CNAME', name: 'a.example', ttl: 5, data: 'b.example' } as const
    const glue = { type: 'A', name: 'ns.example', ttl: 1, data: '192.0.2.1' } as const
    const additionals = [ednsOf(0), glue]
    const read = readOf({ answers: [alias], authorities: [ns], additionals, flags: 0x0600 })
    assert.deepEqual(read, {
      isTruncated: true,
      hasEdns: true,
      answer: {
        rcode: 'NOERROR',
        isAuthoritative: true,
        answers: [{ name: 'a.example', ttlSeconds: 5, type: 'CNAME', target: 'b.example' }],
        authorities: [{ name: 'example', ttlSeconds: 60, type: 'NS', target: 'ns.example' }],
        additionals: [{ name: 'ns.example', ttlSeconds: 1, type: 'A', address: '192.0.2.1' }],
      },
    })
  })

  const values: [Answer, DnsValue][] = [
    [
      { type: 'A', name: 'b.example', ttl: 7, data: '192.0.2.1' },
      { type: 'A', address: '192.0.2.1' },
    ],
    [
      { type: 'AAAA', name: 'b.example', ttl: 7, data: '2001:db8::1' },
      { type: 'AAAA', address: '2001:db8::1' },
    ],
    [
      { type: 'CNAME', name: 'b.example', ttl: 7, data: 'c.example' },
      { type: 'CNAME', target: 'c.example' },
    ],
    [
      { type: 'NS', name: 'b.example', ttl: 7, data: 'ns.example' },
      { type: 'NS', target: 'ns.example' },
    ],
    [
      { type: 'TXT', name: 'b.example', ttl: 7, data: ['größ', 'e'] },
      { type: 'TXT', text: 'größe' },
    ],
    [
      { type: 'MX', name: 'b.example', ttl: 7, data: { preference: 10, exchange: 'mx.example' } },
      { type: 'MX', preference: 10, exchange: 'mx.example' },
    ],
    [
      { type: 'SRV', name: 'b.example', ttl: 7, data: { priority: 1, weight: 2, port: 3, target: 't.example' } },
      { type: 'SRV', priority: 1, weight: 2, port: 3, target: 't.example' },
    ],
    [
      {
        type: 'SOA',
        name: 'b.example',
        ttl: 7,
        data: { mname: 'ns.example', rname: 'dns.example', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
      },
      { type: 'SOA', mname: 'ns.example', rname: 'dns.example', numbers: [1, 2, 3, 4, 5] },
    ],
    [{ type: 'CAA', name: 'b.example', ttl: 7, data: { tag: 'issue', value: 'ca.example' } }, { type: 'other' }],
  ]
  for (const [answer, value] of values)
    it(`has what a record of the type ${answer.type} says`, () => {
      const read = readOf({ answers: [answer] })
      assert.deepEqual(typeof read === 'object' && read.answer.answers, [
        { name: 'b.example', ttlSeconds: 7, ...value },
      ])
    })

  it('has a record of EDNS among the answers, where it does not belong, as one of another type', () => {
    const read = readOf({ answers: [ednsOf(0)] })
    assert.deepEqual(typeof read === 'object' && [read.answer.answers, read.hasEdns], [
      [{ name: '.', ttlSeconds: 0, type: 'other' }],
      false,
    ])
  })

  it('says whether it was cut, and whether its server has the name itself', () => {
    const flags = [0, 0x0200, 0x0400].map((each) => {
      const read = readOf({ flags: each })
      return typeof read === 'object' && [read.isTruncated, read.answer.isAuthoritative]
    })
    assert.deepEqual(flags, [
      [false, false],
      [true, false],
      [false, true],
    ])
  })

  it('is not the question that was asked, come back as it was', () => {
    assert.equal(decodeAnswer(encodeQuestion(question, { id: 7, hasEdns: true }), question, 7), 'foreign')
  })

  it('is of the question that was asked, in any letter case and with or without a dot', () => {
    assert.equal(typeof readOf({}, { name: 'A.Example.', type: 'TXT' }), 'object')
    assert.equal(typeof readOf({ questions: [{ name: 'A.EXAMPLE', type: 'TXT' }] }), 'object')
    assert.equal(readOf({ questions: [{ name: 'b.example', type: 'TXT' }] }), 'foreign')
    assert.equal(readOf({ questions: [{ name: 'a.exampl', type: 'TXT' }] }), 'foreign')
    assert.equal(readOf({ questions: [{ name: 'a.example', type: 'A' }] }), 'foreign')
    assert.equal(readOf({ questions: [question, question] }), 'garbled')
    assert.equal(readOf({ id: 8 }), 'foreign')
    assert.equal(readOf({ type: 'query' }), 'foreign')
  })

  it('may be a header alone where the server does not understand the question', () => {
    const header = encode({ type: 'response', id: 7, flags: 1 })
    assert.equal(header.length, 12)
    const read = decodeAnswer(header, question, 7)
    assert.equal(typeof read === 'object' && read.answer.rcode, 'FORMERR')
    assert.equal(decodeAnswer(header.subarray(0, 11), question, 7), 'foreign')
    assert.equal(decodeAnswer(encode({ type: 'response', id: 7 }), question, 7), 'garbled')
  })
})
