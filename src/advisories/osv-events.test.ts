import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compileAffected, isAffected } from './affected.ts'
import { type OsvEvent, rangesOfEvents } from './osv-events.ts'
import { versionOrder } from './version-order.ts'

describe('rangesOfEvents', () => {
  it('pairs what introduces with what ends', () => {
    const cases: [OsvEvent[], [string | null, string | null, string | null][]][] = [
      [[], []],
      [[{ introduced: '0' }], [[null, null, null]]],
      [[{ introduced: '0' }, { fixed: '1.0.0' }], [[null, '1.0.0', null]]],
      [[{ introduced: '1.0.0' }, { last_affected: '1.2.0' }], [['1.0.0', null, '1.2.0']]],
      [[{ introduced: '1.0.0' }, { last_affected: '1.0.0' }], [['1.0.0', null, '1.0.0']]],
      [[{ introduced: '1.0.0' }, { limit: '2.0.0' }], [['1.0.0', '2.0.0', null]]],
      [[{ introduced: '1.0.0' }, { limit: '*' }], [['1.0.0', null, null]]],
      [
        [{ fixed: '3.2.23' }, { fixed: '4.2.7' }, { introduced: '4.2.0' }, { introduced: '3.2.0' }],
        [
          ['4.2.0', '4.2.7', null],
          ['3.2.0', '3.2.23', null],
        ],
      ],
      [
        [{ introduced: '2.4.1' }, { fixed: '2.4.2' }, { introduced: '2.4.2' }, { fixed: '2.4.3' }],
        [
          ['2.4.1', '2.4.2', null],
          ['2.4.2', '2.4.3', null],
        ],
      ],
      [[{ introduced: '1.0.0' }, { fixed: '1.0.0' }], []],
      [[{ introduced: '1.0.0' }, { fixed: '1.5.0' }, { fixed: '1.6.0' }], [['1.0.0', '1.5.0', null]]],
      [[{ fixed: '1.6.0' }, { fixed: '1.5.0' }], [[null, '1.5.0', null]]],
      [[{ introduced: 'nightly' }, { fixed: '4.6.0' }], [['nightly', '4.6.0', null]]],
      [[{ introduced: 'nightly' }, { introduced: '4.5.0' }, { fixed: '4.6.0' }], [['nightly', '4.6.0', null]]],
      [
        [{ introduced: '0' }, { fixed: 'someday' }, { introduced: '3.0.0' }],
        [
          [null, 'someday', null],
          ['3.0.0', null, null],
        ],
      ],
    ]
    for (const [events, expected] of cases)
      assert.deepEqual(
        rangesOfEvents(events, 'npm').map((range) => [range.introduced, range.fixed, range.lastAffected]),
        expected,
        JSON.stringify(events),
      )
  })

  it('says of every version what the evaluation of the OSV schema says', () => {
    const { parse, compare } = versionOrder('npm')
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 4 }), fc.constantFrom(...versions), (pairs, text) => {
        const events = pairs.flat()
        const version = parse(text)
        assert.ok(version !== null)
        const compiled = compileAffected({ ranges: rangesOfEvents(events, 'npm'), versions: [] }, 'npm')
        const sorted = events
          .map((event) => ({ event, at: parse(event.introduced ?? event.fixed ?? event.last_affected ?? '') }))
          .toSorted((one, other) => (one.at && other.at ? compare(one.at, other.at) : 0))
        let isVulnerable = false
        for (const { event, at } of sorted) {
          const place = at === null ? 0 : compare(version, at)
          if (event.introduced !== undefined && place >= 0) isVulnerable = true
          if (event.fixed !== undefined && place >= 0) isVulnerable = false
          if (event.last_affected !== undefined && place > 0) isVulnerable = false
        }
        assert.equal(isAffected(compiled, version), isVulnerable, `${text} of ${JSON.stringify(events)}`)
      }),
      { numRuns: 3_000 },
    )
  })
})

const versions = Array.from({ length: 24 }, (_, index) => `${Math.trunc(index / 4) + 1}.${index % 4}.0`)
const place = fc.nat({ max: 10 })
/** Distinct places for beginnings and ends: where both lie at one version, the schema's outcome is left to chance. */
const pair = fc.tuple(place, fc.nat({ max: 6 }), fc.constantFrom('fixed', 'last_affected', 'none')).map(pairOf)

function pairOf([at, length, end]: [number, number, 'fixed' | 'last_affected' | 'none']): OsvEvent[] {
  const introduced = versions[at * 2] ?? ''
  const last = versions[at * 2 + length * 2 + 1] ?? '99.0.0'
  return end === 'none' ? [{ introduced }] : [{ introduced }, { [end]: last }]
}
