import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { isDomainName, parseDomainName, parseDomainTarget } from './domain-name.ts'

describe('a domain name', () => {
  const longest = `${`${'a'.repeat(62)}.`.repeat(4)}b`
  const cases: [string, string | null][] = [
    ['example.com', 'example.com'],
    ['EXAMPLE.com.', 'example.com'],
    ['localhost', 'localhost'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['*.example.com', '*.example.com'],
    ['Bücher.Example', 'xn--bcher-kva.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
    [longest, longest],
    [`${longest}b`, null],
    [`${'a'.repeat(64)}.example`, null],
    ['', null],
    ['.', null],
    ['..', null],
    ['a..b', null],
    ['.a', null],
    ['a.*.b', null],
    ['a b', null],
    ['a/b', null],
    ['a:53', null],
    ['ü:53', null],
    ['ü/..', null],
    ['a\u0000', null],
    ['192.0.2.1', null],
    ['192.0.2.256', null],
    ['1.2', null],
    ['a.0x7f', null],
    ['::1', null],
    ['1a.com', '1a.com'],
  ]
  for (const [text, name] of cases)
    it(`${text.slice(0, 30)} ${name === null ? 'is none' : 'is one'}`, () => assert.equal(parseDomainName(text), name))

  it('is the host of a URL', () => {
    assert.equal(parseDomainTarget('HTTPS://User@Example.com:8443/a?b#c'), 'example.com')
    assert.equal(parseDomainTarget('example.com'), 'example.com')
    for (const text of ['http://', 'http://192.0.2.1/', 'http://[::1]/', 'ftp://example.com', 'http//a.example'])
      assert.equal(parseDomainTarget(text), null, text)
  })

  it('stays itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.domain()), (text) => {
        const name = parseDomainName(text)
        parseDomainTarget(`http://${text}`)
        if (name === null) return
        assert.ok(isDomainName(name))
        assert.equal(parseDomainName(name), name)
      }),
    )
  })
})
