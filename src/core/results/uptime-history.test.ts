import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { allTime, periodUnit } from './uptime-history.ts'
import { addDays, countDays } from '#core/language/utc-day.ts'
import { testDay } from '../../../test/support/uptime.ts'

const today = '2026-11-21'

describe('the whole history', () => {
  it('is empty before the first check', () =>
    assert.deepEqual(allTime([], { since: null, today }), { unit: 'day', since: null, periods: [] }))

  // 2026-11-21 is a Saturday: 90 weeks back from its Monday is 2025-03-03.
  const units: [since: string, unit: string, bars: number, firstFrom: string][] = [
    [today, 'day', 1, today],
    ['2026-08-24', 'day', 90, '2026-08-24'],
    ['2026-08-23', 'week', 14, '2026-08-17'],
    ['2026-08-22', 'week', 14, '2026-08-17'],
    ['2025-03-04', 'week', 90, '2025-03-03'],
    ['2025-03-03', 'week', 90, '2025-03-03'],
    ['2025-03-02', 'month', 21, '2025-03-01'],
    ['2024-02-29', 'month', 34, '2024-02-01'],
    ['2016-11-30', 'month', 121, '2016-11-01'],
  ]
  for (const [since, unit, bars, firstFrom] of units)
    it(`since ${since} is ${bars} bars of a ${unit}`, () => {
      const history = allTime([testDay(since, { up: 1 }), testDay(today, { down: 1 })].slice(since === today ? 1 : 0), {
        since,
        today,
      })
      assert.deepEqual([history.unit, history.since, history.periods.length], [unit, since, bars])
      assert.equal(history.periods[0]?.from, firstFrom)
      assert.equal(history.periods.at(-1)?.to, today)
    })

  it('is weeks for 90 whole ones', () => {
    assert.equal(periodUnit('2025-03-03', '2026-11-22'), 'week')
    assert.equal(periodUnit('2025-03-02', '2026-11-22'), 'month')
  })

  it('sums the days of a week over the change of year', () => {
    const days = [
      testDay('2026-08-01', { up: 1 }),
      testDay('2026-12-27', { up: 1 }),
      testDay('2026-12-28', { up: 2, latencySumMs: 20, latencyCount: 2 }),
      testDay('2027-01-03', { up: 1, down: 1, restricted: 1, latencySumMs: 40, latencyCount: 1 }),
      testDay('2027-01-04', { up: 5 }),
    ]
    const { periods } = allTime(days, { since: '2026-08-01', today: '2027-01-05' })
    assert.deepEqual(
      periods.find(({ from }) => from === '2026-12-28'),
      {
        from: '2026-12-28',
        to: '2027-01-03',
        checks: 5,
        up: 3,
        down: 1,
        latency_ms: 20,
      },
    )
    assert.deepEqual(periods.at(-1), {
      from: '2027-01-04',
      to: '2027-01-05',
      checks: 5,
      up: 5,
      down: 0,
      latency_ms: null,
    })
  })

  it('gives leap Februaries their 29 days', () => {
    const days = [testDay('2023-01-15', { up: 1 }), testDay('2024-02-29', { up: 1 }), testDay('2025-01-01', { up: 1 })]
    const february = allTime(days, { since: '2023-01-15', today: '2025-01-01' }).periods.find(
      ({ from }) => from === '2024-02-01',
    )
    assert.deepEqual([february?.to, february?.checks], ['2024-02-29', 1])
  })

  it('has no gaps and loses no check, whatever the history', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(4000), { minLength: 1, maxLength: 60 }), (ages) => {
        const days = ages.toSorted((a, b) => b - a).map((age) => testDay(addDays(today, -age), { up: 1 }))
        const { unit, periods } = allTime(days, { since: days[0]?.date ?? today, today })
        assert.equal(
          periods.reduce((sum, { checks }) => sum + checks, 0),
          days.length,
        )
        for (const [index, { from }] of periods.entries())
          if (index > 0) assert.equal(addDays(periods[index - 1]?.to ?? '', 1), from)
        assert.ok(periods.length <= 90 || unit === 'month')
        assert.ok(unit === 'day' || countDays(periods[0]?.from ?? '', today) > 90)
      }),
    )
  })
})
