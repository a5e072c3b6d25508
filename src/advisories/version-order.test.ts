import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { cpuMsOf } from '../../test/support/cpu-time.ts'
import { maxVersionLength, schemeOf, versionOrder, versionSchemes, type VersionScheme } from './version-order.ts'

/** Each entry sorts below the next; versions within one entry are equal. */
const ascending: Record<VersionScheme, (string | string[])[]> = {
  npm: [
    '0.0.0-0',
    ['0.0.0', '0', 'v0.0', '=0.0.0'],
    '0.0.1-alpha.1',
    ['1.0.0-0', '1.0.0-00', '1-0'],
    '1.0.0-9',
    '1.0.0-10',
    '1.0.0-99999999999999999999999999',
    '1.0.0--',
    '1.0.0-4a',
    '1.0.0-RC',
    ['1.0.0-alpha', '1.0.0alpha', '1.0.0-alpha+sha.5114f85'],
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-alpha-1',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    ['1.0.0', '1.0.0+20130313144700', 'V1.0.0', '01.00.0', '1'],
    '1.0.0.1',
    '1.0.1-0',
    '1.0.10',
    '1.2.0',
    '9007199254740992.0.0',
    '9007199254740993.0.0',
    '99999999999999999999999999.0.0',
  ],
  cargo: ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0', ['1.0.1', '1.0.1+build.5']],
  go: [
    'v0.0.0-20190605123033-f99c8df09eb5',
    'v0.0.0-20220524220425-1d687d428aca',
    ['v0.0.0', '0'],
    'v1.8.5-0.20170101000000-abcdefabcdef',
    'v1.8.5',
    '1.19.0-0',
    ['go1.19rc1', '1.19.0-rc.1'],
    'go1.19rc2',
    ['go1.19', '1.19.0', 'v1.19'],
    'go1.19.13',
    ['v20.10.9+incompatible', '20.10.9'],
    'v20.10.24+incompatible',
  ],
  nuget: [
    ['1.0.0-ALPHA', '1.0-alpha'],
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.10',
    '1.0.0-Beta2',
    '1.0.0-rc1',
    ['1', '1.0', '1.0.0', '1.0.0.0', '1.00.0+metadata'],
    '1.0.0.1-pre',
    '1.0.0.1',
    '1.0.0.10',
    '1.0.1',
  ],
  pypi: [
    '0.9-gyarados',
    '0.9-horsea',
    ['1.0-alpha-foo', '1.0.alpha-foo', '1-Alpha-foo'],
    '1.0-foo',
    '2004d-legacy',
    ['0.0.dev1', '0.dev1'],
    ['1.0.dev456', '1.dev456', 'v1.0.0-DEV456'],
    '1.0a1',
    '1.0a2.dev456',
    ['1.0a12', '1.0.alpha-12'],
    ['1.0b1.dev456', '1.0-beta.1.dev456'],
    '1.0b2',
    ['1.0rc1', '1.0c1', '1.0-preview_1', '1.0pre1'],
    ['1', '1.0', '1.0.0', 'v1.0'],
    '1.0+abc.5',
    '1.0+abc.7',
    ['1.0+5', '1.0+05'],
    '1.0+5.1',
    '1.0.post0.dev1',
    ['1.0.post456', '1.0-456', '1.0-r456', '1.0rev456'],
    '1.0.1',
    '1.1.dev1',
    '1.10',
    '20240101',
    '99999999999999999999999999',
    '1!0.1',
    '2!0.0.1.dev1',
  ],
  gem: [
    '1.0.a.b',
    '1.0.a.0.a',
    '1.0.a.0.0.a',
    ['1.0.a', '1.a.0', '1.0.0.a.0.0'],
    '1.0.a.0.0.9',
    '1.0.a.0.1',
    '1.0.a.1',
    '1.0.a.2',
    '1.0.a.10',
    ['1.0.b1', '1.0.b.1'],
    ['1.0-2', '1.pre.2'],
    '1.0.rc1',
    ['1', '1.0', '1.0.0', 'v1'],
    '1.0.0.1',
    '1.0.1.pre',
    '1.0.1',
    '1.2',
    '1.10',
    '6.1.7.10',
  ],
  maven: [
    '1-alpha2snapshot',
    ['1-alpha2', '1.0a2', '1-ALPHA-2'],
    '1-beta-2',
    '1.0-m3',
    ['1-rc', '1-cr', '1.0.CR'],
    ['1.0.RC1', '1.0-RC1', '1rc1'],
    '1.0.RC2',
    ['1-SNAPSHOT', '1.0-snapshot'],
    ['1', '1.0', '1.0.0', '1.Final', '1.0.GA', '1-0', '1.RELEASE', '01'],
    '1-sp',
    '1.0.redhat',
    '1-abc',
    '1-def',
    '1.0-pom-1',
    '1-1-snapshot',
    '1-1',
    '1-2',
    '1.0.1',
    '1.1',
    '1.10',
    '20190126.230843',
    '12345678901234567890.1',
  ],
  composer: [
    ['1.0.0-dev', '1.0-dev'],
    ['1.0.0-alpha1', '1.0a1', 'v1.0.0-ALPHA.1'],
    ['1.0.0-beta1', '1.0.0-b1', '1.0.0.beta1'],
    ['1.0.0-RC1', '1.0-rc1'],
    ['1.0.0', '1.0', 'V1', '1.0.0.0', '1.0.0+build', '1.0.0-stable'],
    ['1.0.0-p1', '1.0.0-patch1', '1.0pl1'],
    '1.0.0.1',
    '1.0.1',
    '1.10.0',
    ['2.x-dev', '2.*-dev'],
    '3.0.0-dev',
    '20240101.1',
  ],
  debian: [
    '1.0~~',
    '1.0~rc1-1',
    '1.0~rc1-1ubuntu1',
    ['1.0', '0:1.0', '1.0-0', '1.0-00', '001.0'],
    '1.0-0ubuntu0.22.04.1',
    '1.0-1~deb12u1',
    '1.0-1',
    '1.0-1+b1',
    '1.0-1+deb12u1',
    '1.0-1.1',
    '1.0-2',
    '1.0a-1',
    '1.0+dfsg-1',
    '1.0.1-1',
    '1.00000000000000000000000000000002-1',
    '1:0.1-1',
    '10:0.1-1',
  ],
  generic: [
    ['0.9.8', 'v0.9.8'],
    '0.9.8z',
    '0.9.8za',
    '0.9.8zh',
    '1.0.0-dev',
    ['1.0.0-alpha2', '1.0a2', '1.0.0-alpha.2'],
    '1.0.0-alpha17',
    ['1.0.0-beta1', '1.0b1'],
    ['1.0.0-M1', '1.0.0.M1'],
    ['1.0.0-rc1', '1.0rc1', '1.0.0-RC.1', '1.0-pre1'],
    [
      '1.0.0',
      '1',
      '1.0-3ubuntu1.2',
      '1.0+deb12u1',
      '1.0-0+deb7u14',
      '1.0.0-r7',
      '1.0.0-14.el9',
      '1.0.0-51.module+el8.7.0',
      '2:1.0.0-1~bpo11+1',
      '1.0.0-Debian',
      '1.0.0-fips',
      '1.0.0-MariaDB-log',
      '1.0.0.GA',
      '1.0.0+ent',
      '1.0.0-ee',
      '1.0.0-f8e3218',
      '1.0.0.v20230217',
      '1.0.0,build1396',
      '1.0-alpine3.19',
    ],
    ['1.0.0p1', '1.0.0-p1', '1.0-patch1', '1.0.0pl1'],
    ['1.0.0-p13', '1.0p13-Debian-1ubuntu3'],
    '1.0.0-SP1',
    '1.0.0.1',
    '1.0.1f',
    '1.0.2',
    '1.0.2a',
    ['1.0.2k', '1.0.2k-fips', '1.0.2k-16.el7'],
    '1.0.2zg',
    '1.1.0-0',
    '1.1.0-rc1',
    ['1.1.0', '1.1', '1.1-0ubuntu0.22.04.1'],
    ['1.8.0_392', '1.8.0_392-b08', '1.8.0.392'],
    '2.7.STABLE9',
    '2.7.STABLE10',
    '7.0.8-11',
    '7.0.10-2',
    '8u321',
    '9.6',
    ['9.6p1', '9.6p1-3ubuntu13.4'],
    '9.6.1',
    '99999999999999999999999998.0',
    '99999999999999999999999999.0',
  ],
}

const unreadable: Record<VersionScheme, string> = {
  npm: '1.0.0- 1.0.0-a..b 1.0.0-a_b 1..0 .1 1. x1 ^1.0.0 >=1.0.0 1.x ~1 git+ssh://h/1',
  cargo: '1.* =>1',
  go: '(devel) master1 go v v1.2.3@4',
  nuget: '[1.0,2.0) 1.0.*',
  pypi: '',
  gem: '>=1 1_0 a1 ~>1.0',
  maven: '',
  composer: 'dev-main1 dev-2.x ^1.0 main#1',
  debian: 'a:1.0 :1.0 1.0_1 1: 1.0/2',
  generic: 'REL_15_2 v >=1.0 build-12 -1 nightly.2026-03-10.0',
}

const unreadableEverywhere = [
  '',
  ' ',
  '\n',
  '1 2',
  '1.0 and earlier',
  'before 2.0',
  '<= 1.0',
  '1.0\n2.0',
  ...words('latest * main dev-main n/a unspecified - . ... stable v 1.0é １.０ 1.0\ud800 1.0\0 1.0\u00a01'),
  '1'.repeat(maxVersionLength + 1),
  ...['1.', '9', 'a', '1-', ' '].map((piece) => piece.repeat(100_000)),
]

describe('version orders', () => {
  for (const scheme of versionSchemes) {
    const { parse, compare } = versionOrder(scheme)

    it(`sorts versions of ${scheme} as they follow each other`, () => {
      const places = ascending[scheme].map((place) => (typeof place === 'string' ? [place] : place))
      const read = places.flatMap((texts, place) => texts.map((text) => ({ place, text, version: parse(text) })))
      for (const one of read)
        for (const other of read) {
          assert.ok(one.version !== null && other.version !== null, `${one.text}, ${other.text}`)
          const expected = Math.sign(one.place - other.place)
          assert.equal(compare(one.version, other.version), expected, `${one.text} and ${other.text}`)
        }
    })

    it(`reads nothing of ${scheme} that is no version`, () => {
      for (const text of [...unreadableEverywhere, ...words(unreadable[scheme])])
        assert.equal(parse(text), null, JSON.stringify(text.slice(0, 50)))
    })

    it(`keeps the text of a version of ${scheme}, without what surrounds it`, () => {
      assert.equal(parse(' \t1.2.3\r\n')?.text, '1.2.3')
      const longest = '1'.repeat(maxVersionLength)
      assert.equal(parse(longest)?.text, longest)
    })

    it(`reads and compares the longest and the most hostile texts of ${scheme} in little time`, () => {
      const longest = hostilePieces.map((piece) => piece.repeat(maxVersionLength).slice(0, maxVersionLength))
      const ms = cpuMsOf(() => {
        for (const one of longest)
          for (const other of longest) {
            const [left, right] = [parse(`1${one.slice(1)}`), parse(`1${other.slice(1)}`)]
            if (left !== null && right !== null) assert.equal(compare(left, right), -compare(right, left) || 0)
          }
      })
      const pairs = longest.length ** 2
      assert.ok(ms < 5 * pairs, `${ms} ms for ${pairs} pairs`)
    })

    it(`is a total order of ${scheme}: reflexive, antisymmetric, transitive, and never throws`, () => {
      fc.assert(
        fc.property(versionLike, versionLike, versionLike, (...texts) => {
          const versions = texts.map((text) => parse(text)).filter((version) => version !== null)
          for (const one of versions) {
            assert.equal(compare(one, one), 0)
            for (const other of versions) {
              assert.equal(compare(one, other) + compare(other, one), 0)
              for (const third of versions)
                if (compare(one, other) <= 0 && compare(other, third) <= 0) assert.ok(compare(one, third) <= 0)
            }
          }
        }),
        { numRuns: 2_000 },
      )
    })

    it(`takes any text in place of a version of ${scheme} without throwing`, () => {
      fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => void parse(text)))
    })
  }

  it('knows the scheme of every kind of product', () => {
    const cases: [string, VersionScheme][] = [
      ['npm:@scope/name', 'npm'],
      ['pypi:django', 'pypi'],
      ['gem:rails', 'gem'],
      ['maven:org.apache:log4j', 'maven'],
      ['nuget:newtonsoft.json', 'nuget'],
      ['go:stdlib', 'go'],
      ['composer:symfony/symfony', 'composer'],
      ['cargo:tokio', 'cargo'],
      ['wp-plugin:akismet', 'generic'],
      ['wp-theme:astra', 'generic'],
      ['cpe:f5:nginx', 'generic'],
      ['nginx', 'generic'],
      ['go', 'generic'],
      ['npm', 'generic'],
      ['constructor:x', 'generic'],
      ['', 'generic'],
    ]
    for (const [product, scheme] of cases) assert.equal(schemeOf(product), scheme, product)
  })
})

const hostilePieces = words(
  '1 1. 0 . - ~ + _ a a1 1a 1- rc -a .0 * 1.x : f deb1 -1ubuntu ubuntu -r1 -f1 alpha- post dev1 1! 0a -0 final- ga. ! # @',
)

const versionWords = words(
  'a b m alpha beta rc RC dev pre post p sp final ga snapshot x * k za foo ubuntu deb12u1 r7 1: 1! v # sec _none Final',
)
const versionLike = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('0', '1', '2', '10', '00', '01') },
      { weight: 3, arbitrary: fc.constantFrom('.', '-', '_', '+', '~', '') },
      { weight: 2, arbitrary: fc.constantFrom(...versionWords) },
    ),
    { maxLength: 9 },
  )
  .chain((parts) => fc.constantFrom('1', '1.0', 'v1.', '').map((start) => start + parts.join('')))

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}
