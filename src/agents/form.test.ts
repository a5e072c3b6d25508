import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { AppError } from '#core/language/error.ts'
import { isForm, parseForm } from './form.ts'

describe('a form', () => {
  it('has the parameters that have a value, decoded', () =>
    assert.deepEqual(
      [...parseForm('a=1&b=&c=two+words&d=%26&e')],
      [
        ['a', '1'],
        ['c', 'two words'],
        ['d', '&'],
      ],
    ))

  for (const text of ['a=1&a=2', 'a=1&a=', 'a=&a=1', 'a&a', '%61=1&a=1'])
    it(`is refused when it is ${text}`, () => assert.throws(() => parseForm(text), /more than once/))

  it('is refused when it has too many parameters', () =>
    assert.throws(() => parseForm(Array.from({ length: 101 }, (_, index) => `p${index}=1`).join('&')), AppError))

  it('throws nothing but refusals, in words of the characters that RFC 6749 allows', () =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        try {
          for (const value of parseForm(`${text}&${text}`).values()) assert.notEqual(value, '')
        } catch (error) {
          assert.ok(error instanceof AppError && error.code === 'invalid_request')
          assert.match(error.message, /^[ -!#-[\]-~]+$/)
        }
      }),
    ))

  const types: [string | null, boolean][] = [
    ['application/x-www-form-urlencoded', true],
    ['Application/X-WWW-Form-Urlencoded; charset=UTF-8', true],
    ['application/x-www-form-urlencodedx', false],
    ['application/json', false],
    ['', false],
    [null, false],
  ]
  for (const [type, expected] of types)
    it(`${expected ? 'is' : 'is not'} ${type ?? 'without a type'}`, () => assert.equal(isForm(type), expected))
})
