import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { expandDomainSpec, isDomainSpec } from './spf-macro.ts'
import { isSpf, parseSpf } from './spf-record.ts'

describe('an SPF record', () => {
  it('is a text that begins with its version', () => {
    for (const text of ['v=spf1', 'v=spf1 -all', 'V=SPF1 -all']) assert.ok(isSpf(text), text)
    for (const text of ['', 'v=spf10 -all', 'v=spf2.0/pra', ' v=spf1', 'spf1', 'v=spf1\t-all'])
      assert.ok(!isSpf(text), text)
  })

  it('is read term by term', () => {
    assert.deepEqual(
      parseSpf(
        'v=spf1 ip4:192.0.2.0/24 +IP6:2001:db8::/32 a mx/24//64 a:mail.example.com/28 ~include:_spf.example.com ptr ?exists:%{i}.e.example exp=why.example.com custom=x -ALL redirect=other.example',
      ),
      {
        ok: true,
        terms: [
          { name: 'ip' },
          { name: 'ip' },
          { name: 'a', domain: null },
          { name: 'mx', domain: null },
          { name: 'a', domain: 'mail.example.com' },
          { name: 'include', domain: '_spf.example.com' },
          { name: 'ptr', domain: null },
          { name: 'exists', domain: '%{i}.e.example' },
          { name: 'all', qualifier: '-' },
        ],
        redirect: 'other.example',
      },
    )
    assert.deepEqual(parseSpf('v=spf1'), { ok: true, terms: [], redirect: null })
    assert.deepEqual(parseSpf('v=spf1   all  '), { ok: true, terms: [{ name: 'all', qualifier: '+' }], redirect: null })
  })

  const wrong = [
    'all:x', 'all/8', 'include', 'include:', 'include:museum', 'include:a.1', 'a:', 'a:museum', 'a/33', 'a/08', 'a//129',
    'a:example.com:8080', 'mx:example.com/-1', 'ptr:', 'exists', 'exists:%{c}.example', 'exists:%{i', 'ip4', 'ip4:',
    'ip4:192.0.2', 'ip4:192.0.2.256', 'ip4:192.0.2.01', 'ip4:192.0.2.0/33', 'ip4:2001:db8::', 'ip6:192.0.2.1', 'ip6:::/129',
    'ip6:2001:db8', 'redirect=', 'redirect=museum', 'redirect=a.example redirect=b.example', 'exp=', 'x=%', '-', '--all', '=x',
    'unknown', 'unknown:x', 'http://example.com', '"-all"', 'a\u0001', 'é', 'a:%{d0}.example', 'ip4:192.0.2.1/', 'includee:a.example',
  ] // prettier-ignore
  for (const term of wrong)
    it(`is worthless with ${term}`, () => {
      const parsed = parseSpf(`v=spf1 mx ${term} -all`)
      assert.ok(!parsed.ok)
      assert.equal(parsed.wrongTerm, term.split(' ').at(-1))
    })

  it('may hold anything without harm', () => {
    const words = fc.constantFrom(
      'a',
      'mx',
      'include',
      'redirect',
      'ip4',
      'ip6',
      'exists',
      ':',
      '=',
      '/',
      '%{d}',
      '%',
      '.e',
      ' ',
      '-',
      '1',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((each) => each.join('')),
        ),
        (text) => {
          assert.equal(typeof parseSpf(`v=spf1 ${text}`).ok, 'boolean')
          assert.equal(typeof isDomainSpec(text), 'boolean')
          expandDomainSpec(text, { domain: 'a.example', senderDomain: 'b.example' })
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('a name with macros', () => {
  const names = { domain: 'mail.Sub.example.com', senderDomain: 'example.com' }
  const cases: [string, string | null][] = [
    ['spf.example.net', 'spf.example.net'],
    ['spf.example.net.', 'spf.example.net'],
    ['%{d}', 'mail.sub.example.com'],
    ['%{o}._spf.x', 'example.com._spf.x'],
    ['%{d2}', 'example.com'],
    ['%{dr}.x', 'com.example.sub.mail.x'],
    ['%{d1r}.x', 'mail.x'],
    ['%{D2}.x', 'example.com.x'],
    ['a%%b.x', 'a%b.x'],
    ['%{i}.x', null],
    ['%{l}.%{d}', null],
    ['%{ir}.%{v}._spf.%{d2}', null],
    ['%{d-}.x', 'mail.sub.example.com.x'],
    ['%{o.-}', 'example.com'],
  ]
  for (const [spec, name] of cases)
    it(`${spec} is ${name ?? 'known for a message only'}`, () => assert.equal(expandDomainSpec(spec, names), name))

  it('loses labels from the left when it is too long', () => {
    const long = { domain: Array.from({ length: 50 }, (_, index) => `l${index + 10}`).join('.'), senderDomain: 'x' }
    const name = expandDomainSpec('%{d}.%{d}.end.example', long) ?? ''
    assert.ok(name.length <= 253 && name.length > 245 && name.endsWith('.l59.end.example'), name)
  })
})
