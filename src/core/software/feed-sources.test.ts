import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { feedName, feedSources, singledOut, sourcesOf } from './feed-sources.ts'
import { ecosystems } from './software-name.ts'

describe('the sources that software needs', () => {
  const cases: readonly [what: string, products: string[], names: string[]][] = [
    ['nothing', [], []],
    ['a package', ['npm:lodash'], ['osv npm', 'exploited']],
    ['all packages with a prefix', ['npm:'], ['osv npm', 'exploited']],
    ['packages of two ecosystems', ['pypi:requests', 'cargo:serde'], ['osv PyPI', 'osv crates.io', 'exploited']],
    [
      'the other ecosystems',
      ['gem:rails', 'maven:a:b', 'nuget:a'],
      ['osv RubyGems', 'osv Maven', 'osv NuGet', 'exploited'],
    ],
    ['the rest of them', ['go:example.org/x', 'composer:a/b'], ['osv Go', 'osv Packagist', 'exploited']],
    ['a package of a product whose releases end', ['pypi:django'], ['osv PyPI', 'exploited', 'endoflife']],
    ['a plugin', ['wp-plugin:akismet'], ['cve', 'exploited']],
    ['a theme', ['wp-theme:astra'], ['cve', 'exploited']],
    ['a CPE', ['cpe:acme:thing'], ['nvd', 'cve', 'exploited']],
    ['a CPE of the catalogue', ['cpe:f5:nginx'], ['nvd', 'cve', 'exploited', 'endoflife']],
    ['a product of the catalogue', ['nginx'], ['osv Bitnami', 'nvd', 'cve', 'exploited', 'endoflife']],
    ['a product that is not known any more', ['no-longer-there'], []],
  ]
  for (const [what, products, names] of cases)
    it(`of ${what}`, () => assert.deepEqual(sourcesOf(products).map(feedName), names))

  it('are in the same order always, and each once', () => {
    const all = [...ecosystems.map((prefix) => `${prefix}:`), ...singledOut]
    assert.deepEqual(sourcesOf(all), feedSources)
    assert.deepEqual(sourcesOf(all.toReversed()), feedSources)
    assert.deepEqual(sourcesOf(['cpe:a:b', 'npm:a', 'npm:b', 'cpe:a:c']).map(feedName), [
      'osv npm',
      'nvd',
      'cve',
      'exploited',
    ])
  })
})
