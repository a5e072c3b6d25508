import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sharedText, withoutSharedData } from '../../test/support/shared-data.ts'
import { versionOrder, type VersionScheme } from './version-order.ts'

// The public vectors of google/osv-scalibr and google/osv.dev: `A < B` lines, made by hand or by each ecosystem's own tool.

const noVersion = 'names no version: what has it counts as of unknown version, not as older than everything'

/**
 * The lines that our order does not meet, each with its reason. The test also fails when our order meets one of them.
 */
const handMade: { file: string; schemes: VersionScheme[]; exceptions?: Record<string, string> }[] = [
  { file: 'semver-versions.txt', schemes: ['npm', 'go', 'cargo'] },
  {
    file: 'pypi-versions.txt',
    schemes: ['pypi'],
    exceptions: {
      '-class.-jw.util.version.version-pre < 1.0': noVersion,
      '-class.-jw.util.version.version-preview < 1.0': noVersion,
      '-class.-jw.util.version.version-dev < 1.0': noVersion,
    },
  },
  { file: 'rubygems-versions.txt', schemes: ['gem'] },
  { file: 'maven-versions.txt', schemes: ['maven'] },
  { file: 'nuget-versions.txt', schemes: ['nuget'] },
  {
    file: 'packagist-versions.txt',
    schemes: ['composer'],
    exceptions: {
      '1.0.0 > 1.0': "PHP's rule; Composer reads both as 1.0.0.0, and its constraints treat them as one",
      'dev-foo < 1.26.0': noVersion,
      '1.26.0 > dev-foo': noVersion,
      '1.2.3.# = 1.2.3.1': 'contradicts two lines of the same file, 1.2.3.# = 1.2.3 and 1.2.3 < 1.2.3.1',
    },
  },
  {
    file: 'osvdev-packagist.txt',
    schemes: ['composer'],
    exceptions: {
      'dev-foo < 1.26.0': noVersion,
      '1.26.0 > dev-foo': noVersion,
      '1.2.3.# = 1.2.3.1': 'contradicts two lines of the same file, 1.2.3.# = 1.2.3 and 1.2.3 < 1.2.3.1',
    },
  },
  { file: 'debian-versions.txt', schemes: ['debian'] },
]

/**
 * Our orders miss a few of these lines: `trunk` and the like, lines in which PHP treats RC and rc as two words, and
 * orders that Maven corrected in 3.9.
 */
const generated: { file: string; scheme: VersionScheme }[] = [
  { file: 'pypi-versions-generated.txt', scheme: 'pypi' },
  { file: 'rubygems-versions-generated.txt', scheme: 'gem' },
  { file: 'maven-versions-generated.txt', scheme: 'maven' },
  { file: 'packagist-versions-generated.txt', scheme: 'composer' },
  { file: 'debian-versions-generated.txt', scheme: 'debian' },
]
const sharedShare = 0.999

describe('public version vectors', { skip: withoutSharedData }, () => {
  for (const { file, schemes, exceptions = {} } of handMade)
    for (const scheme of schemes)
      it(`holds for every line of ${file} by the order of ${scheme}, but for the exceptions`, () => {
        const lines = vectors(file)
        assert.ok(lines.length >= 25, `${lines.length} lines`)
        assert.deepEqual(new Set(unmet(lines, scheme)), new Set(Object.keys(exceptions)))
      })

  for (const { file, scheme } of generated)
    it(`holds for 99.9 % of ${file}`, (t) => {
      const lines = vectors(file)
      assert.ok(lines.length >= 4_000, `${lines.length} lines`)
      const missed = unmet(lines, scheme)
      t.diagnostic(`${scheme}: ${lines.length - missed.length} of ${lines.length}; not: ${missed.join(' | ')}`)
      assert.ok(missed.length <= lines.length * (1 - sharedShare), missed.join('\n'))
    })
})

function vectors(file: string): string[] {
  const lines = sharedText(`version-vectors/${file}`)
    .split('\n')
    .map((line) => line.trim())
  return lines.filter((line) => line !== '' && !/^(?:\/\/|#)/.test(line))
}

function unmet(lines: readonly string[], scheme: VersionScheme): string[] {
  const { parse, compare } = versionOrder(scheme)
  return lines.filter((line) => {
    const [left = '', sign = '', right = '', ...more] = line.split(' ')
    assert.ok(/^[<=>]$/.test(sign) && more.length === 0, line)
    const one = parse(left)
    const other = parse(right)
    if (one === null || other === null) return true
    const expected = '<=>'.indexOf(sign) - 1
    return compare(one, other) !== expected || compare(other, one) + expected !== 0
  })
}
