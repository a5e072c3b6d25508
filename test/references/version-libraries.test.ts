import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as pep440 from '@renovatebot/pep440'
import fc from 'fast-check'
import semver from 'semver'
import { versionOrder } from '#advisories/version-order.ts'

// Compares with other implementations: on texts that both accept, the orders are the same.
describe('version orders and the libraries of their ecosystems', () => {
  it('orders npm versions as node-semver does', () => {
    const { parse, compare } = versionOrder('npm')
    fc.assert(
      fc.property(semanticLike, semanticLike, (left, right) => {
        const [one, other] = [parse(left), parse(right)]
        assert.ok(one !== null && other !== null)
        assert.equal(compare(one, other), semver.compare(left, right), `${left} and ${right}`)
      }),
      { numRuns: 5_000 },
    )
  })

  it('orders PyPI versions as pep440 does', () => {
    const { parse, compare } = versionOrder('pypi')
    fc.assert(
      fc.property(pep440Like, pep440Like, (left, right) => {
        const [one, other] = [parse(left), parse(right)]
        assert.ok(one !== null && other !== null)
        assert.equal(compare(one, other), Math.sign(pep440.compare(left, right)), `${left} and ${right}`)
      }),
      { numRuns: 5_000 },
    )
  })
})

const semanticNumber = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.maxSafeNat()).map(String)
const identifier = fc.oneof(semanticNumber, fc.constantFrom('a', 'A', 'alpha', 'rc', '-', 'a-1', '1a', '0a', 'rc1'))
const semanticLike = fc
  .tuple(
    fc.tuple(semanticNumber, semanticNumber, semanticNumber),
    fc.array(identifier, { maxLength: 3 }),
    fc.constantFrom('', '+build', '+1.2'),
  )
  .map(([numbers, ids, build]) => `${numbers.join('.')}${ids.length === 0 ? '' : `-${ids.join('.')}`}${build}`)

const pep440Like = fc
  .tuple(
    fc.constantFrom('', '1!', '0!'),
    fc.array(fc.constantFrom('0', '1', '2', '10'), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', 'a1', '.alpha', 'b2', '-beta_2', 'rc1', 'c1', '.preview3'),
    fc.constantFrom('', '.post1', '-2', 'rev', '-r3'),
    fc.constantFrom('', '.dev0', 'dev', '-dev4'),
  )
  .map(([epoch, release, ...suffixes]) => `${epoch}${release.join('.')}${suffixes.join('')}`)
