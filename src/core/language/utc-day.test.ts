import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  addDays,
  countDays,
  dayMs,
  dayOf,
  dayOfNumber,
  daysFrom,
  isoTimeOf,
  monthOf,
  nextMonth,
  startOf,
  weekOf,
} from './utc-day.ts'

describe('UTC days', () => {
  const added: [day: string, count: number, expected: string][] = [
    ['2026-11-21', 0, '2026-11-21'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2027-01-01', -1, '2026-12-31'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2027-02-28', 1, '2027-03-01'],
    ['2100-02-28', 1, '2100-03-01'],
    ['2026-11-21', -89, '2026-08-24'],
    ['2026-03-29', 1, '2026-03-30'],
  ]
  for (const [day, count, expected] of added)
    it(`${day} and ${count} days are ${expected}`, () => assert.equal(addDays(day, count), expected))

  const weeks: [day: string, monday: string][] = [
    ['2026-11-21', '2026-11-16'],
    ['2026-11-16', '2026-11-16'],
    ['2026-11-22', '2026-11-16'],
    ['2026-11-23', '2026-11-23'],
    ['2027-01-01', '2026-12-28'],
    ['2028-03-01', '2028-02-28'],
  ]
  for (const [day, monday] of weeks)
    it(`the week of ${day} began on ${monday}`, () => assert.equal(weekOf(day), monday))

  const months: [day: string, first: string, next: string][] = [
    ['2026-11-21', '2026-11-01', '2026-12-01'],
    ['2026-12-31', '2026-12-01', '2027-01-01'],
    ['2028-02-29', '2028-02-01', '2028-03-01'],
    ['2027-02-01', '2027-02-01', '2027-03-01'],
    ['2026-01-31', '2026-01-01', '2026-02-01'],
  ]
  for (const [day, first, next] of months)
    it(`the month of ${day} is ${first} until ${next}`, () =>
      assert.deepEqual([monthOf(day), nextMonth(day)], [first, next]))

  it('counts both ends', () => {
    assert.equal(countDays('2026-11-21', '2026-11-21'), 1)
    assert.equal(countDays('2026-01-01', '2026-12-31'), 365)
    assert.equal(countDays('2028-01-01', '2028-12-31'), 366)
    assert.equal(countDays('2026-11-22', '2026-11-21'), 0)
  })

  it('are named by their number as by their date', () => {
    // Four centuries, and both ends of the range of dates.
    for (const [first, last] of [
      [-200_000, 200_000],
      [-719_162, -718_000],
      [2_932_000, 2_932_896],
    ] as const)
      for (let number = first; number <= last; number += 1)
        assert.equal(dayOfNumber(number), dayOf(new Date(number * dayMs)))
  })

  it('lists every day once', () => {
    assert.deepEqual(daysFrom('2028-02-28', '2028-03-01'), ['2028-02-28', '2028-02-29', '2028-03-01'])
    assert.deepEqual(daysFrom('2026-11-22', '2026-11-21'), [])
  })

  it('begins and ends a day at midnight UTC', () => {
    assert.equal(startOf('2026-11-21').toISOString(), '2026-11-21T00:00:00.000Z')
    assert.equal(dayOf(new Date('2026-11-21T23:59:59.999Z')), '2026-11-21')
    assert.equal(dayOf(new Date('2026-11-22T00:30:00+01:00')), '2026-11-21')
  })

  it('are written with their time as a Date writes it', () => {
    const years = {
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    }
    fc.assert(fc.property(fc.date(years), (time) => assert.equal(isoTimeOf(time.getTime()), time.toISOString())))
  })
})
