import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { AdvisoryError } from './advisory-error.ts'
import { readOsv } from './osv.ts'

const named = { ecosystem: 'npm', name: 'next' }
const everything = { type: 'SEMVER', events: [{ introduced: '0' }] }

function read(changes: Record<string, unknown>): ReturnType<typeof readOsv> {
  return readOsv({
    id: 'GHSA-1',
    modified: '2026-11-20T10:00:00Z',
    affected: [{ package: named, ranges: [everything] }],
    ...changes,
  })
}

const line = (introduced: string, fixed: string): unknown => ({
  package: named,
  ranges: [{ type: 'ECOSYSTEM', events: [{ introduced }, { fixed }] }],
})

const entry = (...severity: unknown[]): unknown => ({ package: named, ranges: [everything], severity })

const bounded = (written: unknown, events: unknown[]): unknown =>
  read({
    affected: [
      {
        package: named,
        ranges: [{ type: 'ECOSYSTEM', events }],
        database_specific: { last_known_affected_version_range: written },
      },
    ],
  }).affected[0]?.affected.ranges[0]

describe('readOsv', () => {
  it('keeps every entry of a package, one for each of its release lines', () => {
    const { affected } = read({
      affected: [line('13.0.0', '13.5.9'), line('15.0.0', '15.2.3'), line('12.0.0', '12.3.5')],
    })
    assert.deepEqual(
      affected.map((one) => one.affected.ranges.map(({ introduced, fixed }) => `${introduced} ${fixed}`).join()),
      ['13.0.0 13.5.9', '15.0.0 15.2.3', '12.0.0 12.3.5'],
    )
  })

  const products: [string, string, string[]][] = [
    ['npm', '@scope/name', ['npm:@scope/name']],
    ['PyPI', 'Flask_SQLAlchemy', ['pypi:flask-sqlalchemy']],
    ['RubyGems', 'rails', ['gem:rails']],
    ['Maven', 'org.apache:log4j', ['maven:org.apache:log4j']],
    ['NuGet', 'Newtonsoft.Json', ['nuget:newtonsoft.json']],
    ['Go', 'github.com/Masterminds/squirrel', ['go:github.com/Masterminds/squirrel']],
    ['Go', 'stdlib', ['go:stdlib']],
    ['Packagist', 'Laravel/Framework', ['composer:laravel/framework']],
    ['Packagist:https://packages.drupal.org/8', 'drupal/views', ['composer:drupal/views']],
    ['crates.io', 'tokio', ['cargo:tokio']],
    ['Bitnami', 'nginx', ['bitnami:nginx']],
    ['Debian:12', 'nginx', []],
    ['npm', 'no name', []],
  ]
  for (const [ecosystem, name, expected] of products)
    it(`knows ${name} of ${ecosystem} as ${expected.join() || 'nothing'}`, () => {
      const { affected } = read({ affected: [{ package: { ecosystem, name }, ranges: [everything] }] })
      assert.deepEqual(
        affected.map(({ product }) => product),
        expected,
      )
    })

  const critical = { type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }
  const low = { type: 'CVSS_V3', score: 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N' }
  const newer = { type: 'CVSS_V4', score: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N/E:U' }
  const ratings: [string, Record<string, unknown>, [unknown, unknown]][] = [
    ['of the record', { severity: [critical] }, ['critical', 9.8]],
    ['of the newest version of CVSS, by its base metrics', { severity: [critical, newer] }, ['medium', 6.9]],
    ['of the worst of its packages', { affected: [entry(low), entry(critical)] }, ['critical', 9.8]],
    ['in words', { database_specific: { severity: 'MODERATE' } }, ['medium', null]],
    [
      'in words where the vector cannot be read',
      { severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:?' }], database_specific: { severity: 'HIGH' } },
      ['high', null],
    ],
    ['as none where the record has none', { severity: [{ type: 'Ubuntu', score: 'low' }] }, [null, null]],
    ['as critical where the package is malicious', { id: 'MAL-2026-1' }, ['critical', null]],
  ]
  for (const [what, changes, [severity, score]] of ratings)
    it(`takes the severity ${what}`, () => {
      const advisory = read(changes)
      assert.deepEqual([advisory.severity, advisory.score], [severity, score])
    })

  it('takes the last version that is known to be affected for a bound where nothing fixes it', () => {
    const open = { introduced: null, isIntroducedIncluded: true, fixed: null, lastAffected: null }
    assert.deepEqual(bounded('<= 2.1.0', [{ introduced: '0' }]), { ...open, lastAffected: '2.1.0' })
    assert.deepEqual(bounded('< 2.1.0', [{ introduced: '0' }]), { ...open, fixed: '2.1.0' })
    assert.deepEqual(bounded('<= 2.1.0', [{ introduced: '0' }, { fixed: '3.0.0' }]), { ...open, fixed: '3.0.0' })
    assert.deepEqual(bounded({ not: 'text' }, [{ introduced: '0' }]), open)
  })

  it('keeps listed versions that no range holds, and ignores commits', () => {
    const { affected } = read({
      affected: [
        {
          package: named,
          ranges: [
            { type: 'GIT', events: [{ introduced: '0' }] },
            { type: 'SEMVER', events: [{ introduced: '1.0.0' }, { fixed: '2.0.0' }] },
          ],
          versions: ['0.9.0', '1.0.0', '1.5.0', '2.0.0-rc.1', 'latest'],
        },
      ],
    })
    assert.deepEqual(affected[0]?.affected.versions, ['0.9.0'])
    const ofGit = { package: named, ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] }
    assert.deepEqual(read({ affected: [ofGit] }).affected, [])
  })

  it('says of what is affected on other systems than Linux alone that it may apply', () => {
    const go = (goos: string[][]): boolean | undefined =>
      read({
        affected: [
          {
            package: { ecosystem: 'Go', name: 'stdlib' },
            ranges: [everything],
            ecosystem_specific: { imports: goos.map((one) => ({ path: 'os', goos: one })) },
          },
        ],
      }).affected[0]?.isConditional
    assert.equal(go([['windows']]), true)
    assert.equal(go([['windows', 'linux']]), false)
    assert.equal(go([['windows'], []]), false)
    const crate = {
      package: { ecosystem: 'crates.io', name: 'time' },
      ranges: [everything],
      ecosystem_specific: { affects: { os: ['windows'] } },
    }
    assert.equal(read({ affected: [crate] }).affected[0]?.isConditional, true)
  })

  it('takes a notice that a crate is unmaintained for no vulnerability', () => {
    const crate = { package: { ecosystem: 'crates.io', name: 'x' }, ranges: [everything] }
    assert.deepEqual(
      read({ affected: [{ ...crate, database_specific: { informational: 'unmaintained' } }] }).affected,
      [],
    )
    assert.equal(read({ affected: [{ ...crate, database_specific: { informational: 'unsound' } }] }).affected.length, 1)
  })

  it('makes one clean line of a summary, or of the first line of the details', () => {
    assert.equal(read({ summary: ' Two\nlines\u0000 \ud800' }).summary, 'Two lines \ufffd')
    assert.equal(read({ summary: '', details: '\n\n### What\nhappens' }).summary, 'What')
    assert.equal(read({ details: 'x'.repeat(600) }).summary?.length, 500)
    assert.equal(read({}).summary, null)
  })

  it('leads to the page of GitHub, of the CVE for a record of a product, or of OSV', () => {
    assert.equal(read({}).url, 'https://github.com/advisories/GHSA-1')
    const aliases = ['CVE-2026-1000']
    assert.equal(read({ id: 'BIT-nginx-2026-1000', aliases }).url, 'https://nvd.nist.gov/vuln/detail/CVE-2026-1000')
    assert.equal(read({ id: 'PYSEC-2026-1', aliases }).url, 'https://osv.dev/vulnerability/PYSEC-2026-1')
  })

  it('leaves out aliases and times that are none', () => {
    const advisory = read({
      aliases: ['CVE-2026-1000', '', 'two words', 'GHSA-1', 'CVE-2026-1000'],
      published: '0001-01-01T00:00:00Z',
      modified: 'soon',
    })
    assert.deepEqual(advisory.aliases, ['CVE-2026-1000'])
    assert.deepEqual([advisory.publishedAt, advisory.modifiedAt], [null, null])
  })

  it('throws nothing but AdvisoryError, whatever it is given', () => {
    const events = fc.array(
      fc.record({ introduced: fc.string(), fixed: fc.string(), last_affected: fc.string() }, { requiredKeys: [] }),
    )
    const affected = fc.record(
      {
        package: fc.record({ ecosystem: fc.constantFrom('npm', 'PyPI', 'Go', 'x'), name: fc.string() }),
        ranges: fc.array(fc.record({ type: fc.constantFrom('SEMVER', 'GIT'), events })),
        versions: fc.array(fc.string()),
        severity: fc.array(fc.record({ score: fc.string() })),
        ecosystem_specific: fc.jsonValue(),
        database_specific: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    const record = fc.record(
      {
        id: fc.constantFrom('A', ''),
        affected: fc.array(fc.oneof(affected, fc.jsonValue())),
        aliases: fc.jsonValue(),
        summary: fc.string({ unit: anyCharacter }),
      },
      { requiredKeys: ['id'] },
    )
    fc.assert(fc.property(fc.oneof(record, fc.jsonValue()), onlyAdvisoryErrors))
  })
})

function onlyAdvisoryErrors(record: unknown): void {
  try {
    readOsv(record)
  } catch (error) {
    assert.ok(error instanceof AdvisoryError, String(error))
  }
}
