import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Advisory, AffectedRange } from '#core/software/advisory.ts'
import { compileAffected, isAffected } from './affected.ts'
import { readCve } from './cve.ts'
import { affectedByCve } from './cve-versions.ts'
import { readNvd } from './nvd.ts'
import { rangesOfEvents } from './osv-events.ts'
import { readOsv } from './osv.ts'
import { versionOrder } from './version-order.ts'

const { parse } = versionOrder('npm')
const version = fc.integer({ min: 0, max: 30 }).map((minor) => `1.${minor}.0`)
const someRange: fc.Arbitrary<AffectedRange> = fc.record({
  introduced: fc.option(version),
  isIntroducedIncluded: fc.boolean(),
  fixed: fc.option(version),
  lastAffected: fc.option(version),
})

function npmRecord(affected: object): unknown {
  return { id: 'GHSA-aaaa-aaaa-aaaa', affected: [{ package: { ecosystem: 'npm', name: 'a' }, ...affected }] }
}

function cveRecord(versions: readonly object[], defaultStatus = 'unaffected'): unknown {
  const affected = [{ vendor: 'somebody', product: 'something', defaultStatus, versions }]
  return { cveMetadata: { cveId: 'CVE-2026-1000', state: 'PUBLISHED' }, containers: { cna: { affected } } }
}

/** The second number of a version: 7 of `1.7.0`. */
function number(text: string): number {
  return Number(text.split('.')[1])
}

function hole(index: number): { version: string; status: string } {
  return { version: `1.${index}.3`, status: 'unaffected' }
}

function many<Item>(length: number, item: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => item(index))
}

describe('a record of many ranges', () => {
  it('holds the versions that any of its ranges holds', () => {
    fc.assert(
      fc.property(fc.array(someRange, { maxLength: 12 }), version, (ranges, text) => {
        const whole = compileAffected({ ranges, versions: [] }, 'npm')
        const one = parse(text)
        assert.ok(one !== null)
        const byEach = ranges.some((range) =>
          isAffected(compileAffected({ ranges: [range], versions: [] }, 'npm'), one),
        )
        assert.equal(isAffected(whole, one), byEach)
      }),
    )
  })

  it('of events has each range end with the next end', () => {
    const event = fc.oneof(
      version.map((introduced) => ({ introduced })),
      version.map((fixed) => ({ fixed })),
      version.map((last) => ({ last_affected: last })),
    )
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 12 }), (events) => {
        for (const { introduced, fixed, lastAffected } of rangesOfEvents(events, 'npm')) {
          if (introduced === null) continue
          const from = number(introduced)
          const ends = events.flatMap((one) => {
            if ('fixed' in one) return number(one.fixed) > from ? [number(one.fixed)] : []
            return 'last_affected' in one && number(one.last_affected) >= from ? [number(one.last_affected)] : []
          })
          const end = fixed ?? lastAffected
          assert.equal(end === null ? Infinity : number(end), Math.min(...ends))
        }
      }),
    )
  })
})

describe('a record that was made to be slow', () => {
  const slow: [label: string, read: () => Advisory][] = [
    [
      'of OSV with many events and versions',
      () => {
        const events = many(10_000, (index) => ({ [index % 2 ? 'fixed' : 'introduced']: `1.${index}.0` }))
        return readOsv(
          npmRecord({ versions: many(20_000, (index) => `9.${index}.0`), ranges: [{ type: 'SEMVER', events }] }),
        )
      },
    ],
    [
      'of OSV with many ranges and versions',
      () => {
        const ranges = many(50_000, (index) => ({
          type: 'SEMVER',
          events: [{ introduced: `1.${index}.0` }, { fixed: `1.${index}.1` }],
        }))
        return readOsv(npmRecord({ versions: many(20_000, (index) => `9.${index}.0`), ranges }))
      },
    ],
    [
      'of the CVE list with many ranges and holes',
      () => {
        const ranges = many(10_000, (index) => ({
          version: `1.${index}.0`,
          lessThan: `1.${index}.9`,
          status: 'affected',
        }))
        return readCve(cveRecord([...ranges, ...many(10_000, hole)]))
      },
    ],
    ['of the CVE list with as many holes as are cut', () => readCve(cveRecord(many(999, hole), 'affected'))],
    [
      'of the NVD with as many joint nodes as are read',
      () => {
        const match = { vulnerable: true, criteria: 'cpe:2.3:a:somebody:something:1.0:*:*:*:*:*:*:*' }
        return readNvd({
          id: 'CVE-2026-1000',
          configurations: [{ operator: 'AND', nodes: many(1_000, () => ({ cpeMatch: [match] })) }],
        })
      },
    ],
  ]
  for (const [label, read] of slow)
    it(`${label} is read within seconds`, () => {
      const before = process.cpuUsage()
      assert.ok(read().affected.length > 0)
      // The thread of feeds has 30 s for a record; none takes a second, some took minutes.
      assert.ok(process.cpuUsage(before).user < 10_000_000)
    })

  it('may apply where the rest cannot be computed in time', () => {
    const few = affectedByCve(many(999, hole), 'affected')
    assert.deepEqual([few.isVague, few.ranges.length], [false, 1000])
    const ample = affectedByCve(many(1_000, hole), 'affected')
    assert.deepEqual([ample.isVague, ample.ranges.length], [true, 1])
  })
})
