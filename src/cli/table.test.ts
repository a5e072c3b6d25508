import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
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

  it('counts columns as a terminal does', () =>
    assert.equal(
      table(
        ['NAME', 'STATE'],
        [
          ['東京', 'up'],
          ['Zürich', ''],
        ],
      ),
      'NAME    STATE\n東京    up\nZürich\n',
    ))

  it('cuts the widest columns into the width of a terminal', () => {
    const rows = [['up', 'A name that is long', 'https://example.com/long']]
    assert.equal(
      table(['STATE', 'NAME', 'TARGET'], rows, { columns: 40 }),
      'STATE  NAME             TARGET\nup     A name that is…  https://example…\n',
    )
    assert.equal(
      table(['STATE', 'NAME', 'TARGET'], rows, { columns: 10 }),
      'STATE  NAME      TARGET\nup     A name …  https:/…\n',
    )
  })

  it('colours cells, and no header', () =>
    assert.equal(
      table(['STATE', 'NAME'], [['up', 'Shop']], { paint: (cell, { column }) => (column === 0 ? `<${cell}>` : cell) }),
      'STATE  NAME\n<up   >  Shop\n',
    ))

  it('is one line a row, whatever a name holds', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { maxLength: 5 }), (names) => {
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
