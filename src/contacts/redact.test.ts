import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mask } from '#core/language/mask.ts'
import { redact, shownReason } from './redact.ts'

const token = 'tk_Grüße/+ hunter2'
const basic = Buffer.from(`robot:${token}`).toString('base64')
const address = 'https://hooks.chat.example/services/T0000000/B0000000/hunter2hunter2?sign=verysecret&v=1'

describe('redact', () => {
  const cases = [
    ['what is as it was sent', `Bad token ${token}.`, `Bad token ${mask}.`],
    ['a part of a URL', `/x?t=${encodeURIComponent(token)}&a`, `/x?t=${mask}&a`],
    ['a part of a URL in small letters', 't=tk_Gr%c3%bc%c3%9fe%2f%2b%20hunter2&a', `t=${mask}&a`],
    ['a part of a form', `t=${encodeURIComponent(token).replaceAll('%20', '+')}`, `t=${mask}`],
    ['JSON', JSON.stringify({ token }).replaceAll('/', '\\/'), `{"token":"${mask}"}`],
    ['base64', `(${Buffer.from(token).toString('base64')})`, `(${mask})`],
    ['base64url', `(${Buffer.from(token).toString('base64url')})`, `(${mask})`],
    ['base64 of more', `Basic ${basic} is wrong`, `Basic ${mask} is wrong`],
    ['the address', `No such hook: ${address}`, `No such hook: ${mask}`],
    ['its path', 'POST /services/T0000000/B0000000/hunter2hunter2 404', `POST ${mask} 404`],
    ['its last part', 'unknown hunter2hunter2', `unknown ${mask}`],
    ['a value of its query', 'bad signature verysecret', `bad signature ${mask}`],
  ] as const
  for (const [what, text, expected] of cases)
    it(`hides ${what}`, () => {
      assert.equal(redact(text, [token, address]), expected)
    })

  it('leaves everything else', () => {
    const text = 'hooks.chat.example answered v1: limit reached'
    assert.equal(redact(text, [token, address, '']), text)
  })
})

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
        fc.string({ unit: 'binary', minLength: 8, maxLength: 60 }).filter((text) => text.trim().length >= 8),
        fc.string({ unit: 'binary', maxLength: 700 }),
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
