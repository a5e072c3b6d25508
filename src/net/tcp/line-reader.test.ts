import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createLineReader } from './line-reader.ts'

describe('a reader of lines', () => {
  it('ends a line at LF, with or without CR, and keeps what is not complete', () => {
    const reader = createLineReader()
    assert.deepEqual(reader.feed(Buffer.from('220-a\r\n220 b\n\r\nrest')), ['220-a', '220 b', ''])
    assert.equal(reader.hasRest(), true)
    assert.deepEqual(reader.feed(Buffer.from('\r')), [])
    assert.deepEqual(reader.feed(Buffer.from('\n')), ['rest'])
    assert.equal(reader.hasRest(), false)
  })

  it('reads UTF-8 whose letters come in pieces', () => {
    const reader = createLineReader()
    const pieces = [...Buffer.from('220 Köln €\n')].map((byte) => reader.feed(Uint8Array.of(byte)))
    assert.deepEqual(pieces.flat(), ['220 Köln €'])
  })

  it('gives the same lines however the bytes are split', () => {
    const byte = fc.oneof(fc.nat(255), fc.constantFrom(10, 13))
    const chunks = fc.array(fc.array(byte, { maxLength: 20 }).map((bytes) => Uint8Array.from(bytes)))
    fc.assert(
      fc.property(chunks, (pieces) => {
        const whole = createLineReader()
        const split = createLineReader()
        assert.deepEqual(pieces.flatMap(split.feed), whole.feed(Buffer.concat(pieces)))
        assert.equal(split.hasRest(), whole.hasRest())
      }),
    )
  })
})
