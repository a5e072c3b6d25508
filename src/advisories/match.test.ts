import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { rangeOf, type Stretch } from '../../test/support/software.ts'
import { compileAdvisories, type KnownAffected, matchVersion } from './match.ts'

const now = new Date('2026-11-22T00:00:00Z')
const longAgo = new Date('2020-01-01T00:00:00Z')
const lately = new Date('2026-11-01T00:00:00Z')

type Said = Readonly<Partial<Omit<KnownAffected, 'affected'>>> & {
  readonly stretches?: readonly Stretch[]
  readonly versions?: readonly string[]
}

function known({ stretches = [], versions = [], ...said }: Said): KnownAffected {
  return {
    vulnerability: 'CVE-1',
    source: 'osv',
    isConditional: false,
    mayApply: false,
    publishedAt: lately,
    isExploited: false,
    ...said,
    affected: { ranges: stretches.map(rangeOf), versions: [...versions] },
  }
}

function matches(said: readonly Said[], version: string | null, scheme: 'npm' | 'generic' | 'pypi' = 'generic') {
  const compiled = compileAdvisories(said.map(known), scheme)
  return matchVersion(compiled, version, now)
}

/** The certainty of the match: `sure`, `may`, or nothing. */
function verdict(said: readonly Said[], version: string | null, scheme: 'npm' | 'generic' | 'pypi' = 'generic') {
  const [match] = matches(said, version, scheme)
  return match === undefined ? null : match.versionKnown ? 'sure' : 'may'
}

describe('a version', () => {
  const upTo: Said = { stretches: [{ from: '1.0.0', fixed: '1.2.4' }] }
  const cases = [
    ['lies in a range', [upTo], '1.2.3', 'sure'],
    ['lies before it', [upTo], '0.9.9', null],
    ['is the fix', [upTo], '1.2.4', null],
    ['is listed', [{ versions: ['1.2.3'] }], '1.2.3', 'sure'],
    ['lies in a range of some edition only', [{ ...upTo, isConditional: true }], '1.2.3', 'may'],
    ['lies in a range that cannot be read for sure', [{ ...upTo, mayApply: true }], '1.2.3', 'may'],
    ['lies in both a vague and a clear one', [{ ...upTo, mayApply: true }, upTo], '1.2.3', 'sure'],
    ['lies in a range with a bound that is no version', [{ stretches: [{ fixed: 'the next one' }] }], '1.2.3', 'may'],
  ] as const
  for (const [what, said, version, expected] of cases)
    it(`${what}: ${expected ?? 'nothing'}`, () => assert.equal(verdict(said, version), expected))
})

describe('a release line', () => {
  const fixedInside: Said = { stretches: [{ from: '8.2.0', fixed: '8.2.5' }] }
  const cases = [
    ['8.2', [fixedInside], 'may'],
    ['8', [fixedInside], 'may'],
    ['v8.2', [fixedInside], 'may'],
    ['8.2.0', [fixedInside], 'sure'],
    ['8.1', [fixedInside], null],
    ['8.20', [fixedInside], null],
    ['8.2', [{ stretches: [{ fixed: '8.3.1' }] }], 'sure'],
    ['8.3', [{ stretches: [{ fixed: '8.3.1' }] }], 'may'],
    ['8.3', [{ stretches: [{ fixed: '8.3.0' }] }], null],
    ['8.2', [{ stretches: [{ from: '8.1.0', last: '8.2.9' }] }], 'may'],
    ['8.2', [{ stretches: [{ from: '8.2.3' }] }], 'may'],
    ['8.2', [{ versions: ['8.2.1', '8.2.2'] }], 'may'],
    ['8.2', [{ stretches: [{ from: '8.2.0', fixed: '8.2.5' }], versions: ['8.2', '8.2.1'] }], 'sure'],
    ['8.2', [fixedInside, { stretches: [{ from: '8.0.0', fixed: '8.4.0' }] }], 'sure'],
  ] as const
  for (const [version, said, expected] of cases)
    it(`${version} of ${JSON.stringify(said)}: ${expected ?? 'nothing'}`, () =>
      assert.equal(verdict(said, version), expected))

  it('is told the fix of its own', () => {
    const [match] = matches(
      [
        {
          stretches: [
            { from: '8.1.0', fixed: '8.1.9' },
            { from: '8.2.0', fixed: '8.2.5' },
          ],
        },
      ],
      '8.2',
    )
    assert.deepEqual(match, { vulnerability: 'CVE-1', versionKnown: false, fixedIn: '8.2.5', fixVersion: '8.2.5' })
  })
})

describe('an unknown version', () => {
  const fixed: Said = { stretches: [{ fixed: '1.2.4' }] }
  const cases = [
    ['what is new', [fixed], 'may'],
    ['what is old and fixed', [{ ...fixed, publishedAt: longAgo }], null],
    ['what is old, fixed and undated', [{ ...fixed, publishedAt: null }], null],
    ['what is old and never fixed', [{ stretches: [{}], publishedAt: longAgo }], 'may'],
    ['what is old and over', [{ stretches: [{ last: '1.2.3' }], publishedAt: longAgo }], null],
    ['what is old and exploited', [{ ...fixed, publishedAt: longAgo, isExploited: true }], 'may'],
    ['what names nothing', [{}], null],
  ] as const
  for (const version of [null, 'latest'])
    for (const [what, said, expected] of cases)
      it(`(${version}) has of ${what}: ${expected ?? 'nothing'}`, () => assert.equal(verdict(said, version), expected))

  it('has a hundred at most, the exploited and the newest', () => {
    const said = Array.from({ length: 300 }, (_, index) => ({
      ...fixed,
      vulnerability: `CVE-${index}`,
      publishedAt: new Date(now.getTime() - (index + 1) * 3_600_000),
      isExploited: index === 299,
    }))
    const names = matches(said, null).map(({ vulnerability }) => vulnerability)
    assert.deepEqual(names, ['CVE-299', ...said.slice(0, 99).map(({ vulnerability }) => vulnerability)])
  })
})

describe('several sources', () => {
  it('are believed in their order: who tells most exactly decides alone', () => {
    const wide = { stretches: [{}] }
    const narrow = { stretches: [{ fixed: '1.2.4' }] }
    const by = (source: KnownAffected['source'], said: Said): Said => ({ ...said, source })
    const cases: [said: Said[], version: string, expected: 'sure' | null][] = [
      [[by('osv', narrow), by('nvd', wide)], '1.2.4', null],
      [[by('cve', wide), by('nvd', narrow)], '1.2.4', null],
      [[by('cve', wide), by('nvd', narrow)], '1.2.3', 'sure'],
      [[by('cve', wide)], '1.2.4', 'sure'],
    ]
    for (const [said, version, expected] of cases) assert.equal(verdict(said, version), expected)
  })

  it('of one rank say it together', () => {
    const lines = [
      { stretches: [{ from: '1.0.0', fixed: '1.2.4' }] },
      { stretches: [{ from: '2.0.0', fixed: '2.1.0' }] },
    ]
    const [match] = matches(lines, '2.0.5')
    assert.deepEqual(match, { vulnerability: 'CVE-1', versionKnown: true, fixedIn: '2.1.0', fixVersion: '2.1.0' })
  })
})

it('matching throws nothing, whatever advisories and lists say, and names no vulnerability twice', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('1', '1.2', '1.2.3', '0', 'v2.0', '1.2.3-rc.1', 'latest'))
  const stretch = fc.record({ from: text, fixed: text, last: text }, { requiredKeys: [] })
  const said = fc.record({
    vulnerability: fc.constantFrom('a', 'b', 'c'),
    source: fc.constantFrom('osv' as const, 'nvd' as const, 'cve' as const),
    stretches: fc.array(stretch),
    versions: fc.array(text),
    isConditional: fc.boolean(),
    mayApply: fc.boolean(),
    isExploited: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(said), fc.option(text), (all, version) => {
      const names = matches(all, version).map(({ vulnerability }) => vulnerability)
      assert.equal(new Set(names).size, names.length)
    }),
  )
})
