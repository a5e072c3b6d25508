import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { quoted, readable } from './readable.ts'

describe('what a server said, as it is shown', () => {
  it('keeps words and lines, and nothing that a terminal would obey', () => {
    assert.equal(readable(' 220 \u001b[31mmx\u0000\r\nhéllo\u202e\n'), '220 ?[31mmx??\nhéllo?')
    assert.equal(quoted('x'.repeat(200)), `"${'x'.repeat(100)}"`)
  })

  it('is short and printable, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), fc.nat(300), (said, maxLength) => {
        const shown = readable(said, maxLength)
        assert.ok(shown.length <= maxLength)
        assert.doesNotMatch(shown, /[^\P{C}\n]/u)
        assert.ok(shown.isWellFormed())
      }),
      { numRuns: 2000 },
    )
  })
})
