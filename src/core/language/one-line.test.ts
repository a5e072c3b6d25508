import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { fullWebAddress } from '../../../test/support/web-addresses.ts'
import { oneLine, someLines, toPublicUrl } from './one-line.ts'

describe('toPublicUrl', () => {
  const cases = [
    ['https://shop.example/health', 'https://shop.example/health'],
    ['https://shop.example/health?token=1', 'https://shop.example/health'],
    ['https://shop.example/#token', 'https://shop.example/'],
    ['https://user:secret@shop.example/a@b', 'https://shop.example/a@b'],
    ['https://user:se@cret@shop.example/', 'https://shop.example/'],
    ['HTTPS://user@shop.example', 'HTTPS://shop.example'],
    ['user:secret@shop.example:25', 'shop.example:25'],
    ['https://user:secret@shop.example\\path', 'https://shop.example\\path'],
    ['shop.example:5432', 'shop.example:5432'],
    ['2001:db8::1', '2001:db8::1'],
    ['shop.example/a?b#c', 'shop.example/a'],
    ['', ''],
  ] as const
  for (const [url, shown] of cases) it(`shows ${url} as "${shown}"`, () => assert.equal(toPublicUrl(url), shown))

  it('never shows a user, a password, a query or a fragment of a URL', () =>
    fc.assert(
      fc.property(fullWebAddress, fc.stringMatching(/^[\w:!$]+$/), (url, user) => {
        const parsed = new URL(toPublicUrl(url.replace('://', `://${user}@`)))
        assert.deepEqual([parsed.username, parsed.password, parsed.search, parsed.hash], ['', '', '', ''])
        assert.equal(parsed.host, new URL(url).host)
      }),
    ))
})

describe('oneLine', () => {
  it('has no control characters, whatever it is given, and at most 1,000 characters', () =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 3000 }), (text) => {
        const line = oneLine(text)
        assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}]/u)
        assert.ok(line.length <= 1000 && line.isWellFormed())
      }),
    ))

  it('cuts what is longer than asked', () => {
    assert.equal(oneLine('abcde', 5), 'abcde')
    assert.equal(oneLine('abcdef', 5), 'abcd…')
  })

  it('puts a space where a line broke', () =>
    assert.equal(oneLine('Shop\r\nBcc: all@example.com'), 'Shop Bcc: all@example.com'))

  it('does not let a text turn the direction of writing', () => assert.equal(oneLine('a\u202eb'), 'a b'))
})

describe('someLines', () => {
  it('cuts what has more bytes than asked', () => {
    assert.equal(someLines('one\r\ntwo', 7), 'one\ntwo')
    assert.equal(someLines('one\r\ntwos', 7), 'one…')
    assert.equal(someLines('one two', 6), 'one…')
    assert.equal(someLines('üüü', 6), 'üüü')
    assert.equal(someLines('üüüü', 7), 'üü…')
  })
})
