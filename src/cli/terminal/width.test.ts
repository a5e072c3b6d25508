import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cut, fitted, padded, widthOf } from './width.ts'

describe('the width of a text', () => {
  for (const [text, width] of [
    ['', 0],
    ['shop', 4],
    ['Zürich', 6],
    ['Zu\u0308rich', 6],
    ['東京', 4],
    ['서울', 4],
    ['ｼｮｯﾌﾟ', 5],
    ['🛒 shop', 7],
    ['👩‍👩‍👧', 2],
    ['🇦🇹', 2],
    ['❤️', 2],
    ['…', 1],
    ['a\u200bb', 2],
    ['\u0d4e ', 2],
    ['क्ष', 2],
    ['\u1112\u1161\u11ab', 2],
  ] as const)
    it(`of ${JSON.stringify(text)} is ${width}`, () => assert.equal(widthOf(text), width))
})

describe('a text that is cut', () => {
  it('ends with an ellipsis, and never within a character', () => {
    assert.equal(cut('checkout', 8), 'checkout')
    assert.equal(cut('checkout', 7), 'checko…')
    assert.equal(cut('東京都', 5), '東京…')
    assert.equal(cut('東京都', 4), '東…')
    assert.equal(cut('shop', 0), '')
    assert.equal(cut('👩‍👩‍👧 family', 3), '👩‍👩‍👧…')
  })

  it('fits, whatever it is', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, width) => {
        assert.ok(widthOf(cut(text, width)) <= width)
        assert.equal(widthOf(fitted(text, width)), width)
        assert.ok(padded(text, width).startsWith(text))
      }),
    ))
})
