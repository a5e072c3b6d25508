import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endedSupport } from './end-of-support.ts'

type Line = readonly [cycle: string, endsOn: string | null, latest: string | null]

function lines(...all: readonly Line[]) {
  return all.map(([cycle, endsOn, latest]) => ({ cycle, endsOn, latest, isEnded: endsOn === null }))
}

const cycles = lines(
  ['8.4', '2028-12-31', '8.4.3'],
  ['8.3', '2027-12-31', null],
  ['8.2', '2026-12-31', '8.2.30'],
  ['8.1', '2025-12-31', '8.1.34'],
  ['7.4', null, '7.4.33'],
  ['12', '2024-01-01', '12.9'],
  ['1', '2020-01-01', '1.9'],
)

describe('the support of a version', () => {
  const cases = [
    ['8.1.27', { cycle: '8.1', fixVersion: '8.2.30' }],
    ['8.1', { cycle: '8.1', fixVersion: '8.2.30' }],
    ['v8.1.27', { cycle: '8.1', fixVersion: '8.2.30' }],
    ['8.1.27-1ubuntu2', { cycle: '8.1', fixVersion: '8.2.30' }],
    ['7.4.3', { cycle: '7.4', fixVersion: '8.2.30' }],
    ['1.5', { cycle: '1', fixVersion: '8.2.30' }],
    ['12.1', { cycle: '12', fixVersion: null }],
    ['8.2.1', null],
    ['8.10.1', null],
    ['8', null],
    ['13.0', null],
    ['latest', null],
    [null, null],
  ] as const
  for (const [version, expected] of cases)
    it(`of ${version} ${expected === null ? 'has not ended' : `ended with ${expected.cycle}`}`, () =>
      assert.deepEqual(endedSupport(version, cycles, '2026-11-22'), expected))

  it('ends on its day', () => {
    assert.equal(endedSupport('8.2.1', cycles, '2026-12-30'), null)
    assert.deepEqual(endedSupport('8.2.1', cycles, '2026-12-31'), { cycle: '8.2', fixVersion: '8.4.3' })
  })

  it('counts for the longest line that the version begins with', () => {
    const nested = lines(['22', '2024-01-01', '22.1'], ['22.04', '2027-04-01', '22.04.5'])
    assert.equal(endedSupport('22.04.1', nested, '2026-11-22'), null)
    assert.deepEqual(endedSupport('22.1', nested, '2026-11-22'), { cycle: '22', fixVersion: '22.04.5' })
  })
})
