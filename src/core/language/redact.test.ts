import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mask } from './mask.ts'
import { redact } from './redact.ts'

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

  it('hides base64 with the signs of base64 around it, and with two of its ends', () => {
    const core = Buffer.from('hunter2hunter2').toString('base64url')
    for (let code = 0x21; code < 0x7f; code += 1) {
      const sign = String.fromCharCode(code)
      const shown = redact(`${sign}${core}${sign}`, ['hunter2hunter2'])
      const expected = /[\w+/-]/.test(sign) ? mask : sign === '=' ? `=${mask}` : `${sign}${mask}${sign}`
      assert.equal(shown, expected, sign)
    }
    assert.equal(redact(`(${core}===)`, ['hunter2hunter2']), `(${mask}=)`)
  })

  it('hides base64 from six characters on', () => {
    assert.equal(redact(Buffer.from('abcd').toString('base64'), ['abcd']), mask)
    assert.equal(redact(Buffer.from('abc').toString('base64'), ['abc']), 'YWJj')
    assert.equal(redact(Buffer.from('xyzabcdeq').toString('base64'), ['abcde']), mask)
  })

  it('hides a part of an address from eight characters on', () => {
    const hook = 'https://hooks.chat.example/eightlet/sevenle?v=1'
    assert.equal(redact('no eightlet, no sevenle', [hook]), `no ${mask}, no sevenle`)
  })

  it('leaves everything else', () => {
    const text = 'hooks.chat.example answered v1: limit reached'
    assert.equal(redact(text, [token, address, '']), text)
  })

  it('hides them in every encoding, wherever they stand', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 60 }).filter((text) => text.trim().length >= 8),
        fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
        fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
        (secret, before, after) => {
          const whole = Buffer.from(`${before}${secret}${after}`)
          const encodings = [
            secret,
            encodeURIComponent(secret),
            Buffer.from(secret).toString('base64'),
            Buffer.from(secret).toString('base64url'),
          ]
          for (const form of encodings) {
            const shown = redact(`${before} ${form} ${after}`, [secret])
            assert.ok(!shown.includes(` ${form} `))
          }
          for (const encoding of ['base64', 'base64url'] as const)
            assert.ok(!Buffer.from(redact(whole.toString(encoding), [secret]), encoding).includes(secret))
        },
      ),
    ))

  it('takes no longer for one long word', () => {
    const word = 'x'.repeat(200_000)
    const startedMs = performance.now()
    redact(word, [token, address])
    assert.ok(performance.now() - startedMs < 2_000)
  })
})
