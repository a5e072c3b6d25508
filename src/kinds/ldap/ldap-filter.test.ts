import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { encodeFilter, FilterError } from './ldap-filter.ts'

describe('a filter', () => {
  // RFC 4511 4.5.1.7, with implicit tags.
  const cases: [text: string, hex: string][] = [
    ['(objectClass=*)', '870b6f626a656374436c617373'],
    ['(uid=ann)', 'a30a0403756964 0403616e6e'],
    ['(uid=)', 'a307040375696404 00'],
    ['(cn=a*b*c)', 'a40f0402636e3009 800161 810162 820163'],
    ['(cn=*b*)', 'a4090402636e3003 810162'],
    ['(cn=a*)', 'a4090402636e3003 800161'],
    ['(cn=\\2a\\c3\\A9é)', 'a30b0402636e04 05 2ac3a9c3a9'],
    ['(age>=5)', 'a5080403616765 040135'],
    ['(age<=5)', 'a6080403616765 040135'],
    ['(cn~=a)', 'a8070402636e 040161'],
    ['(!(a=b))', 'a208a306040161 040162'],
    ['(&(a=b)(|(c=d)(e=*)))', 'a015a306040161040162 a10ba306040163040164 870165'],
    ['(2.5.4.3;lang-de=a)', 'a3140 40f322e352e342e333b6c616e672d6465 040161'],
    ['(cn:dn:2.4.8.10:=a)', 'a9148108322e342e382e3130 8202636e 830161 8401ff'],
    ['(cn:=a)', 'a9078202636e 830161'],
    ['(:caseExactMatch:=a)', 'a9138 10e636173654578616374 4d61746368 830161'],
  ]
  for (const [text, hex] of cases)
    it(`${text} is encoded`, () => assert.equal(encodeFilter(text).toString('hex'), hex.replaceAll(' ', '')))

  const refused: [text: string, place: number, problem: RegExp][] = [
    ['', 1, /a "\(" is missing/],
    ['uid=ann', 1, /a "\(" is missing/],
    ['(uid=ann', 9, /a "\)" is missing/],
    ['(uid=ann))', 10, /nothing more may follow/],
    ['(uid=a(b))', 7, /a "\)" is missing/],
    ['(&)', 3, /a "\(" is missing/],
    ['(!(a=b)(c=d))', 8, /a "\)" is missing/],
    ['(uid)', 2, /there has to be an attribute/],
    ['(=ann)', 2, /there has to be an attribute/],
    ['(1=a)', 2, /there has to be an attribute/],
    ['(:dn:=a)', 2, /there has to be an attribute/],
    ['(a b=c)', 2, /there has to be an attribute/],
    ['(cn=a**b)', 2, /nothing between two/],
    ['(cn>=a*)', 2, /are written/],
    ['(cn=a\\2)', 2, /are written/],
    ['(cn=a\0)', 2, /are written/],
    [`${'(!'.repeat(16)}(a=b)${')'.repeat(16)}`, 33, /more than 16 deep/],
  ]
  for (const [text, place, problem] of refused)
    it(`${JSON.stringify(text).slice(0, 30)} is refused, and the place told`, () => {
      assert.throws(
        () => encodeFilter(text),
        (error) => {
          assert.ok(error instanceof FilterError)
          assert.ok(error.message.includes(`at character ${place},`), error.message)
          return problem.test(error.message)
        },
      )
    })

  it('is encoded, or refused by an error of its own', () => {
    const piece = fc.constantFrom('(', ')', '&', '|', '!', '=', '*', '\\', 'cn', ':', 'dn', '>', '2a', ';', 'é', '\0')
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: anyCharacter })), (given) => {
        try {
          encodeFilter(given)
        } catch (error) {
          assert.ok(error instanceof FilterError)
        }
      }),
    )
  })
})
