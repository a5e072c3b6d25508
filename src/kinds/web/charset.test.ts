import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { declaredCharset, decodeText, headerCharset } from './charset.ts'

const labels = [
  'utf-8',
  'UTF8',
  'latin1',
  'iso-8859-15',
  'shift_jis',
  'gb18030',
  'euc-kr',
  'utf-16le',
  'utf-16be',
  'big5',
]
const others = ['replacement', 'x-user-defined', 'utf-7', 'none', '']
const label = fc.oneof(fc.constantFrom(...labels, ...others), fc.string({ unit: anyCharacter }))

describe('the charset of an answer', () => {
  const headers = [
    ['text/html; charset=utf-8', 'utf-8'],
    ['text/html;charset="ISO-8859-1"', 'windows-1252'],
    ['text/html; charset = Shift_JIS; x=y', 'shift_jis'],
    ['text/html; charset=klingon', null],
    ['text/html', null],
    ['', null],
  ] as const
  for (const [header, expected] of headers)
    it(`"${header}" names ${expected}`, () => assert.equal(headerCharset({ 'content-type': header }), expected))

  const starts = [
    ['\ufeffx', 'utf-8'],
    ['<meta charset=latin1>', 'windows-1252'],
    ["<META content='text/html; charset=euc-kr'>", 'euc-kr'],
    ['<meta charset=utf-16>', 'utf-8'],
    ['<p>charset=latin1', 'utf-8'],
  ] as const
  for (const [start, expected] of starts)
    it(`${JSON.stringify(start)} declares ${expected}`, () =>
      assert.equal(declaredCharset(Buffer.from(start)), expected))

  const marks: [bytes: number[], charset: string][] = [
    [[0xff, 0xfe], 'utf-16le'],
    [[0xff, 0xfe, 0x41, 0x00], 'utf-16le'],
    [[0xfe, 0xff], 'utf-16be'],
    [[0xfe, 0xff, 0x00, 0x41], 'utf-16be'],
    [[0xff, 0x41], 'utf-8'],
    [[0xfe, 0x41], 'utf-8'],
    [[0x41, 0xff], 'utf-8'],
    [[0x41, 0xfe], 'utf-8'],
    [[], 'utf-8'],
  ]
  for (const [bytes, expected] of marks)
    it(`begins with [${bytes.join(', ')}] in ${expected}`, () =>
      assert.equal(declaredCharset(Uint8Array.from(bytes)), expected))

  it('is looked for in the first 1,024 bytes alone', () => {
    const element = '<meta charset=latin1>'
    const behind = (length: number): string => declaredCharset(Buffer.from(' '.repeat(length) + element))
    assert.equal(behind(1024 - element.length), 'windows-1252')
    assert.equal(behind(1024), 'utf-8')
  })

  it('is one that can be read, whatever the bytes and headers are', () => {
    const start = fc.oneof(
      fc.uint8Array({ maxLength: 2000 }),
      label.map((each) => Buffer.from(`<meta charset="${each}">`)),
    )
    fc.assert(
      fc.property(start, label, (bytes, named) => {
        const found = { 'content-type': `text/html; charset=${named}` }
        assert.equal(typeof new TextDecoder(declaredCharset(bytes)).decode(bytes), 'string')
        assert.equal(typeof decodeText(bytes, found), 'string')
        assert.equal(typeof decodeText(bytes, { 'content-type': named }), 'string')
      }),
      { numRuns: 1000 },
    )
  })
})
