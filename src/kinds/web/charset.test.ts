import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
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
const label = fc.oneof(fc.constantFrom(...labels, ...others), fc.string({ unit: 'binary' }))

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
