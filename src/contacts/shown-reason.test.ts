import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { mask } from '#core/language/mask.ts'
import { shownReason } from './shown-reason.ts'

const token = 'tk_Grüße/+ hunter2'

describe('shownReason', () => {
  it('cuts what is long, and no secret in two', () => {
    const text = `${'x'.repeat(495)}${token}`
    assert.equal(shownReason(text, [token]), `${'x'.repeat(495)}${mask.slice(0, 4)}…`)
  })

  it('is one line without control characters', () =>
    assert.equal(shownReason('no\u0000 such\r\n\ttopic\u202e', []), 'no such topic'))

  it('shows none of the secrets, whatever is said', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, minLength: 8, maxLength: 60 }).filter((text) => text.trim().length >= 8),
        fc.string({ unit: anyCharacter, maxLength: 700 }),
        fc.nat(),
        (secret, around, place) => {
          const known = secret.toWellFormed()
          const at = place % (around.length + 1)
          for (const form of [known, encodeURIComponent(known), Buffer.from(known).toString('base64')]) {
            const shown = shownReason(`${around.slice(0, at)}${form}${around.slice(at)}`, [secret])
            assert.ok(shown.length <= 500)
            assert.doesNotMatch(shown, /\p{Cc}/u)
            assert.ok(!shown.includes(form) || around.includes(form))
          }
        },
      ),
    ))
})
