import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { printable, table } from './table.ts'

describe('table', () => {
  it('pads columns to their widest cell', () => {
    assert.equal(
      table(
        ['ID', 'NAME'],
        [
          ['1', 'one'],
          ['1000', 'x'],
        ],
      ),
      'ID    NAME\n1     one\n1000  x\n',
    )
  })

  it('is one line a row, whatever a name holds', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (names) => {
        const lines = table(
          ['NAME'],
          names.map((name) => [name]),
        ).split(/[\n\r\u2028\u2029]/)
        assert.equal(lines.length, names.length + 2)
      }),
    )
  })
})

describe('printable', () => {
  for (const [text, expected] of [
    ['plain ünïcode 漢字', 'plain ünïcode 漢字'],
    ['red\u001b[31m', String.raw`red\u{1b}[31m`],
    ['two\nlines', String.raw`two\u{a}lines`],
    ['turned\u202eround', String.raw`turned\u{202e}round`],
  ] as const)
    it(`shows ${JSON.stringify(text)} as ${expected}`, () => assert.equal(printable(text), expected))
})
