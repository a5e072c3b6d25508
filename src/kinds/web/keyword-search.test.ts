import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createKeywordSearch } from './keyword-search.ts'

type Headers = Readonly<Record<string, string>>

function search(keyword: string, pieces: readonly Uint8Array[], headers: Headers = {}): boolean {
  const found = createKeywordSearch(keyword)
  for (const piece of pieces) if (found.look(piece, headers)) break
  return found.isFound()
}

function bytewise(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte))
}

const utf8 = { 'content-type': 'text/html; charset=utf-8' }
const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]) // "Привет" in windows-1251

describe('the keyword search', () => {
  const page = Buffer.from('<p>Hällo wörld, it is 10 €</p>')
  const wide = Buffer.from('\uFEFFsome wide text', 'utf16le')
  const cases: readonly [string, string, Uint8Array, Headers, boolean][] = [
    ['finds what is there', 'wörld', page, utf8, true],
    ['finds it without a charset', 'wörld', page, {}, true],
    ['takes the case as it is', 'WÖRLD', page, utf8, false],
    ['misses what is not there', 'wörlds', page, utf8, false],
    ['finds the whole body', page.toString(), page, utf8, true],
    ['misses what is longer than the body', `${page.toString()}x`, page, utf8, false],
    ['finds nothing in an empty body', 'x', Buffer.alloc(0), utf8, false],
    [
      'reads a charset of the header',
      'Привет',
      cyrillic,
      { 'content-type': 'text/plain; charset="windows-1251"' },
      true,
    ],
    ['finds nothing before the body', '\0<p>', page, utf8, false],
    [
      'takes the charset of the header before that of a meta element',
      'Привет',
      Buffer.concat([Buffer.from('<meta charset=windows-1251>'), cyrillic]),
      utf8,
      false,
    ],
    ['does not guess another charset', 'Привет', cyrillic, utf8, false],
    [
      'reads a charset of a meta element',
      'Привет',
      Buffer.concat([Buffer.from('<META http-equiv=x content="text/html; charset=windows-1251">'), cyrillic]),
      { 'content-type': 'text/html' },
      true,
    ],
    ['reads a charset of a byte order mark', 'wide text', wide, {}, true],
    ['takes an unknown charset for UTF-8', 'wörld', page, { 'content-type': 'text/html; charset=klingon' }, true],
    [
      'takes a meta element that says UTF-16 for UTF-8',
      'wörld',
      Buffer.concat([Buffer.from('<meta charset=utf-16>'), page]),
      {},
      true,
    ],
  ]
  for (const [title, keyword, body, headers, expected] of cases)
    it(title, () => {
      assert.equal(search(keyword, [body], headers), expected)
      assert.equal(search(keyword, bytewise(body), headers), expected)
    })

  it('tells at once when it has found', () => {
    const found = createKeywordSearch('needle')
    assert.equal(found.look(Buffer.from('hay need'), utf8), false)
    assert.equal(found.look(Buffer.from('le hay'), utf8), true)
  })

  it('does not keep the piece it was given', () => {
    const found = createKeywordSearch('needle')
    const shared = Buffer.from('..need')
    found.look(shared, utf8)
    shared.fill('x')
    assert.equal(found.look(Buffer.from('le'), utf8), true)
  })

  it('finds what String.includes finds, however the text is cut and encoded', () => {
    const letters = fc.constantFrom('a', 'b', 'ä', '€', '😀')
    const text = fc.array(letters, { maxLength: 60 }).map((each) => each.join(''))
    const keyword = fc.array(letters, { minLength: 1, maxLength: 4 }).map((each) => each.join(''))
    fc.assert(
      fc.property(text, keyword, fc.array(fc.nat(300)), (whole, part, places) => {
        const encoding = places.length % 2 === 0 ? 'utf8' : 'utf16le'
        const bytes = Buffer.from(whole, encoding)
        const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
        const pieces = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
        const charset = encoding === 'utf8' ? 'utf-8' : 'utf-16le'
        assert.equal(search(part, pieces, { 'content-type': `text/plain;charset=${charset}` }), whole.includes(part))
      }),
    )
  })
})
