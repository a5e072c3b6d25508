import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, encode } from 'dns-packet'
import { assertQuick } from '../../../test/support/quick.ts'
import { readSignedSections } from './signed-sections.ts'

function message(answers: Answer[]): Buffer {
  return encode({ type: 'response', questions: [{ type: 'MX', name: 'A.example' }], answers })
}

/** A message with these bytes as its answers. */
function withAnswers(count: number, hex: string): Buffer {
  const head = Buffer.from('000081800001000000000000014107457861 6d706c6500000f0001'.replaceAll(' ', ''), 'hex')
  head.writeUInt16BE(count, 6)
  return Buffer.concat([head, Buffer.from(hex, 'hex')])
}

describe('records with their signatures', () => {
  it('have their names in lower case and without pointers, as signatures see them', () => {
    const { answers } = readSignedSections(
      withAnswers(1, 'c00c000f0001000000000005000ac00c00'.slice(0, -2).replace('0005', '0004')),
    )
    assert.deepEqual(answers[0]?.owner, ['a', 'example'])
    assert.equal(answers[0]?.data.toString('hex'), '000a016107'.concat('6578616d706c6500'))
    assert.deepEqual(answers[0]?.value, { is: 'other' })
  })

  it('keep the case of texts', () => {
    const [read] = readSignedSections(message([{ type: 'TXT', name: 'A.example', ttl: 1, data: 'Upper' }])).answers
    assert.equal(read?.data.toString('latin1'), '\x05Upper')
  })

  it('are read each by its type', () => {
    const key = Buffer.from([1, 2, 3, 4])
    const read = readSignedSections(
      message([
        { type: 'DNSKEY', name: 'a.example', ttl: 1, data: { flags: 257, algorithm: 13, key } },
        { type: 'DS', name: 'a.example', ttl: 1, data: { keyTag: 7, algorithm: 13, digestType: 2, digest: key } },
        { type: 'NSEC', name: 'a.example', ttl: 1, data: { nextDomain: 'B.example', rrtypes: ['A'] } },
        { type: 'CNAME', name: 'a.example', ttl: 1, data: 'B.example' },
      ]),
    )
    assert.deepEqual(
      read.answers.map(({ value }) => value),
      [
        { is: 'key', flags: 257, protocol: 3, algorithm: 13, keyTag: 2068, publicKey: key },
        { is: 'digest', keyTag: 7, algorithm: 13, digestType: 2, digest: key },
        { is: 'next name', next: ['b', 'example'], types: Buffer.from('000140', 'hex') },
        { is: 'alias', target: ['b', 'example'] },
      ],
    )
  })

  it('are none where a name or a record ends behind its place, or there are too many', () => {
    const wrong = [
      withAnswers(1, ''),
      withAnswers(1, 'c00c000f00010000000000ff000a'),
      withAnswers(1, 'c00c000500010000000000010161'),
      withAnswers(1, 'c0ff000f000100000000000400'),
      withAnswers(1, 'c00c0032000100000000000601000000ff00'),
      withAnswers(501, 'c00cff000001000000000000'.repeat(501)),
    ]
    for (const bytes of wrong) assert.throws(() => readSignedSections(bytes), RangeError, bytes.toString('hex', 0, 60))
    assert.equal(readSignedSections(withAnswers(500, 'c00cff000001000000000000'.repeat(500))).answers.length, 500)
  })

  it('of other classes are left out', () => {
    assert.deepEqual(readSignedSections(withAnswers(1, 'c00cff000003000000000000')).answers, [])
  })

  it('take a short time, however many there are and however long their names', () => {
    const name = `${'0161'.repeat(126)}00`
    const keys = `c00c003000010000000001f4${'ff'.repeat(500)}`
    assertQuick('long names', () => readSignedSections(withAnswers(220, `${name}ff000001000000000000`.repeat(220))))
    assertQuick('keys', () => readSignedSections(withAnswers(120, keys.repeat(120))))
  })
})
