import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readBars, readSpark } from '../../../web/src/parts/bar-text.ts'
import { type DayShare, dayShare, writeBars, writeSpark } from './bar-text.ts'

describe('daily bars as a text', () => {
  const up: DayShare = { state: 'up' }
  const none: DayShare = { state: 'none' }
  const cases: [text: string, days: DayShare[]][] = [
    ['', []],
    ['u1', [up]],
    ['n2u3', [none, none, up, up, up]],
    ['u1d13u1', [up, { state: 'down', share: 13 }, up]],
    [
      'd1d1',
      [
        { state: 'down', share: 1 },
        { state: 'down', share: 1 },
      ],
    ],
    ['g10000n1', [{ state: 'degraded', share: 10_000 }, none]],
  ]
  for (const [text, days] of cases) it(`is "${text}"`, () => assert.equal(writeBars(days), text))

  it('is read by the console as it was written', () => {
    const share = fc.integer({ min: 1, max: 10_000 })
    const day = fc.oneof(fc.constantFrom(up, none), fc.record({ state: fc.constantFrom('down', 'degraded'), share }))
    fc.assert(
      fc.property(fc.array(day, { maxLength: 90 }), (days) => {
        const read = readBars(writeBars(days), '2026-11-22')
        assert.deepEqual(
          read.map(({ state, share: part }) => [state, Math.round(part * 10_000)]),
          days.map((each) => [each.state, 'share' in each ? each.share : 0]),
        )
        assert.equal(read.at(-1)?.date ?? '2026-11-22', '2026-11-22')
        assert.equal(new Set(read.map(({ date }) => date)).size, days.length)
      }),
    )
  })

  it('tells what failed before what was degraded', () => {
    const counts: [checks: number, down: number, restricted: number, expected: DayShare][] = [
      [0, 0, 0, none],
      [1, 0, 0, up],
      [1, 1, 0, { state: 'down', share: 10_000 }],
      [2, 1, 1, { state: 'down', share: 5000 }],
      [2, 0, 1, { state: 'degraded', share: 5000 }],
      [1_000_000, 1, 0, { state: 'down', share: 1 }],
    ]
    for (const [checks, down, restricted, expected] of counts)
      assert.deepEqual(dayShare({ checks, down, restricted }), expected)
    const nearlyAll = dayShare({ checks: 1_000_000, down: 999_999, restricted: 0 })
    assert.deepEqual(nearlyAll, { state: 'down', share: 10_000 })
  })
})

describe('response times as a text', () => {
  it('is read by the console to a 63rd of the longest', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(60_000)), { maxLength: 30 }), (latencies) => {
        const longest = Math.max(0, ...latencies.map((ms) => ms ?? 0))
        const read = readSpark(writeSpark(latencies))
        assert.equal(read.length, latencies.length)
        for (const [index, ms] of latencies.entries()) {
          const found = read[index] ?? null
          assert.equal(found === null, ms === null)
          assert.ok(Math.abs((found ?? 0) - (ms ?? 0)) <= longest / 126 + 1e-9)
        }
      }),
    )
  })

  it('is short', () => {
    assert.equal(writeSpark([]), '')
    assert.equal(writeSpark([null]), '0:.')
    assert.equal(writeSpark([0]), '0:A')
    assert.equal(writeSpark([0, 1]), '1:A_')
    assert.equal(writeSpark([0, 63, null, 126]), '126:Ag._')
  })
})
