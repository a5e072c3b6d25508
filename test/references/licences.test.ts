// The check of licences reads SPDX expressions with a library of the suites.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isAllowed, licenceProblems } from '../../scripts/supply/licences.ts'
import type { Locked } from '../../scripts/supply/locked.ts'

const allowed = ['MIT', 'Apache-2.0', 'ISC']

describe('licences', () => {
  for (const [expression, isTaken] of [
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['GPL-3.0-only OR MIT', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-3.0-only', false],
    ['(MIT OR GPL-3.0-only) AND (ISC OR AGPL-3.0-only)', true],
    ['GPL-2.0-only WITH Classpath-exception-2.0', false],
    ['Apache-2.0 WITH LLVM-exception', false],
    ['Apache-2.0+', false],
    ['GPL-3.0-only', false],
    ['mit', false],
    ['SEE LICENSE IN LICENSE.md', false],
    ['UNLICENSED', false],
    ['', false],
  ] as const)
    it(`${expression === '' ? 'no words' : expression}: ${isTaken ? 'taken' : 'refused'}`, () =>
      assert.equal(isAllowed(expression, allowed), isTaken))

  it('name the package that has none, and the one with another', () => {
    const packages = [locked('good', 'MIT'), locked('silent', null), locked('strict', 'GPL-3.0-only')]
    assert.deepEqual(licenceProblems(packages, { allowed, exceptions: [] }), [
      'silent@1.0.0 has no licence in the lock file.',
      'strict@1.0.0 has the licence GPL-3.0-only, which is not allowed.',
    ])
  })

  it('have exceptions by name and licence, each of which some package needs', () => {
    const exceptions = [
      { name: 'tool-*', licence: 'MPL-2.0', because: 'A tool.' },
      { name: 'silent', licence: null, because: 'It says so elsewhere.' },
      { name: 'good', licence: 'MIT', because: 'It is allowed already.' },
    ]
    const packages = [
      locked('tool-mac', 'MPL-2.0'),
      locked('tool-arm', 'GPL-3.0-only'),
      locked('silent', null),
      locked('good', 'MIT'),
    ]
    assert.deepEqual(licenceProblems(packages, { allowed, exceptions }), [
      'tool-arm@1.0.0 has the licence GPL-3.0-only, which is not allowed.',
      'The exception for good is of no package: delete it.',
    ])
  })
})

function locked(name: string, licence: string | null): Locked {
  return {
    path: `node_modules/${name}`,
    name,
    version: '1.0.0',
    licence,
    integrity: 'sha512-x',
    isOptional: false,
    hasInstallScript: false,
    needs: [],
  }
}
