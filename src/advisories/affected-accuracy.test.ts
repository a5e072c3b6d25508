import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type OsvRecord, osvRecords } from '../../test/support/osv-records.ts'
import { withoutSharedData } from '../../test/support/shared-data.ts'
import type { AffectedRange } from '#core/software/advisory.ts'
import { compileAffected, fixesOf, isAffected } from './affected.ts'
import { rangesOfEvents } from './osv-events.ts'
import { type ParsedVersion, versionOrder, type VersionScheme } from './version-order.ts'

/** Ecosystems of OSV; Drupal's has a suffix that names its registry. */
const schemes: ReadonlyMap<string, VersionScheme> = new Map([
  ['Bitnami', 'generic'],
  ['npm', 'npm'],
  ['RubyGems', 'gem'],
  ['Maven', 'maven'],
  ['Packagist', 'composer'],
  ['Go', 'go'],
  ['NuGet', 'nuget'],
  ['PyPI', 'pypi'],
  ['crates.io', 'cargo'],
])

/** One record's words on one package. */
type Case = {
  id: string
  name: string
  ecosystem: string
  scheme: VersionScheme
  ranges: AffectedRange[]
  listed: string[]
}

const prereleases = 'listed although the ranges begin with the release itself: hit by the list, missed by the ranges'

/** Versions on which the ranges and the list of one record disagree, each a mistake of that record. */
const contradictions: Record<string, string> = {
  'PYSEC-2023-61 django 3.2a1': prereleases,
  'PYSEC-2023-61 django 3.2b1': prereleases,
  'PYSEC-2023-61 django 3.2rc1': prereleases,
  'PYSEC-2023-61 django 4.2a1': prereleases,
  'PYSEC-2023-61 django 4.2b1': prereleases,
  'PYSEC-2023-61 django 4.2rc1': prereleases,
  'PYSEC-2022-159 scrapy 1.8.3': 'came out after the list was made; the range holds it',
}

describe('affected versions and recorded advisories', { skip: withoutSharedData }, () => {
  const cases = osvRecords().flatMap(casesOf)

  it('hits every version that a record lists, and no other that was known, by the ranges alone', (t) => {
    const known = Map.groupBy(cases, ({ ecosystem, name }) => `${ecosystem} ${name}`)
    const rows = new Map<string, { listed: number; missed: number; others: number; hit: number }>()
    const differences: string[] = []
    for (const { id, name, ecosystem, scheme, ranges, listed } of cases.filter((one) => one.listed.length > 0)) {
      const row = rows.get(ecosystem) ?? { listed: 0, missed: 0, others: 0, hit: 0 }
      rows.set(ecosystem, row)
      const byRanges = compileAffected({ ranges, versions: [] }, scheme)
      const byAll = compileAffected({ ranges, versions: listed }, scheme)
      if (ranges.length === 0) continue
      for (const version of listed.map((text) => read(text, scheme))) {
        row.listed += 1
        assert.ok(isAffected(byAll, version), `${id} ${name} ${version.text}`)
        if (isAffected(byRanges, version)) continue
        row.missed += 1
        differences.push(`${id} ${name} ${version.text}`)
      }
      const elsewhere = known.get(`${ecosystem} ${name}`)?.flatMap((one) => one.listed) ?? []
      for (const version of [...new Set(elsewhere)].map((text) => read(text, scheme))) {
        if (byAll.versions.has(version.key)) continue
        row.others += 1
        if (!isAffected(byRanges, version)) continue
        row.hit += 1
        differences.push(`${id} ${name} ${version.text}`)
      }
    }
    for (const [ecosystem, { listed, missed, others, hit }] of rows)
      t.diagnostic(`${ecosystem}: ${listed} listed, ${missed} missed; ${others} others, ${hit} hit`)
    assert.deepEqual(new Set(differences), new Set(Object.keys(contradictions)))
    assert.ok([...rows.values()].reduce((sum, row) => sum + row.listed, 0) > 25_000)
  })

  it('affects what a range begins and ends with, not what fixes it, and finds a fix that nothing affects', (t) => {
    const rows = new Map<string, { bounds: number; fixes: number; continued: number }>()
    for (const { id, name, ecosystem, scheme, ranges } of cases) {
      const row = rows.get(ecosystem) ?? { bounds: 0, fixes: 0, continued: 0 }
      rows.set(ecosystem, row)
      const compiled = compileAffected({ ranges, versions: [] }, scheme)
      for (const { introduced, fixed, lastAffected } of ranges) {
        const where = `${id} ${name} ${JSON.stringify({ introduced, fixed, lastAffected })}`
        for (const bound of [introduced, lastAffected]
          .map((text) => readOrNull(text, scheme))
          .filter((one) => one !== null)) {
          row.bounds += 1
          assert.ok(isAffected(compiled, bound), where)
        }
        const fix = readOrNull(fixed, scheme)
        if (fix === null) continue
        row.fixes += 1
        const isContinued = isAffected(compiled, fix)
        row.continued += Number(isContinued)
        assert.equal(
          isContinued,
          ranges.some((range) => range.introduced === fixed),
          where,
        )
        const { fixedIn, fixVersion } = fixesOf([compiled], readOrNull(introduced, scheme))
        assert.ok(fixedIn !== null, where)
        if (fixVersion !== null) assert.ok(!isAffected(compiled, read(fixVersion, scheme)), where)
        else assert.ok(isContinued, where)
      }
    }
    for (const [ecosystem, { bounds, fixes, continued }] of rows)
      t.diagnostic(
        `${ecosystem}: ${bounds} bounds affected; ${fixes} fixes, ${continued} in a range that goes on there`,
      )
    assert.ok([...rows.values()].reduce((sum, row) => sum + row.fixes, 0) > 6_000)
  })
})

function casesOf(record: OsvRecord): Case[] {
  const packages = Map.groupBy(
    record.affected.filter((affected) => affected.package !== undefined),
    (affected) => `${affected.package?.ecosystem} ${affected.package?.name}`,
  )
  return [...packages].flatMap(([key, affected]) => {
    const [registry = '', name = ''] = key.split(' ')
    const ecosystem = registry.split(':', 1)[0] ?? ''
    const scheme = schemes.get(ecosystem)
    assert.ok(scheme !== undefined, key)
    const ranges = affected
      .flatMap((one) => one.ranges)
      .filter((range) => range.type !== 'GIT')
      .flatMap((range) => rangesOfEvents(range.events, scheme))
    return [{ id: record.id, name, ecosystem, scheme, ranges, listed: affected.flatMap((one) => one.versions) }]
  })
}

function readOrNull(text: string | null, scheme: VersionScheme): ParsedVersion | null {
  return text === null ? null : versionOrder(scheme).parse(text)
}

function read(text: string, scheme: VersionScheme): ParsedVersion {
  const version = readOrNull(text, scheme)
  assert.ok(version !== null, `${scheme} ${text}`)
  return version
}
