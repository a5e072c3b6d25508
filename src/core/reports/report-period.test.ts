import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addDays, dayMs, dayOf } from '#core/language/utc-day.ts'
import {
  type SendingTimes,
  duePeriod,
  lastEndedPeriod,
  nextSending,
  partsOf,
  periodAt,
  periodBefore,
  readPeriod,
  sendingTime,
} from './report-period.ts'

const hour = 3_600_000

describe('a period', () => {
  const cases: [key: string, timeZone: string, from: string, until: string, hours: number][] = [
    ['2026-W47', 'UTC', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z', 168],
    // The clocks are put forward, and back.
    ['2026-W13', 'Europe/Berlin', '2026-03-22T23:00:00Z', '2026-03-29T22:00:00Z', 167],
    ['2026-W43', 'Europe/Berlin', '2026-10-18T22:00:00Z', '2026-10-25T23:00:00Z', 169],
    ['2026-W10', 'America/New_York', '2026-03-02T05:00:00Z', '2026-03-09T04:00:00Z', 167],
    ['2026-W44', 'America/New_York', '2026-10-26T04:00:00Z', '2026-11-02T05:00:00Z', 169],
    ['2026-W14', 'Australia/Lord_Howe', '2026-03-29T13:00:00Z', '2026-04-05T13:30:00Z', 168.5],
    ['2026-10', 'Europe/Berlin', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z', 745],
    ['2026-02', 'Asia/Kolkata', '2026-01-31T18:30:00Z', '2026-02-28T18:30:00Z', 672],
    ['2028-02', 'UTC', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z', 696],
    // Midnight is left out on the day of the change: the day begins with the first moment there is.
    ['2026-W10', 'America/Havana', '2026-03-02T05:00:00Z', '2026-03-09T04:00:00Z', 167],
    // Weeks at the end of years.
    ['2026-W01', 'UTC', '2025-12-29T00:00:00Z', '2026-01-05T00:00:00Z', 168],
    ['2026-W53', 'UTC', '2026-12-28T00:00:00Z', '2027-01-04T00:00:00Z', 168],
    ['2027-W01', 'UTC', '2027-01-04T00:00:00Z', '2027-01-11T00:00:00Z', 168],
    ['2020-W53', 'UTC', '2020-12-28T00:00:00Z', '2021-01-04T00:00:00Z', 168],
  ]
  for (const [key, timeZone, from, until, hours] of cases)
    it(`${key} in ${timeZone} has ${hours} hours`, () => {
      const type = key.includes('W') ? 'weekly' : 'monthly'
      const period = readPeriod(key, { type, timeZone })
      assert.ok(period !== null)
      assert.deepEqual([period.from, period.until], [new Date(from), new Date(until)])
      assert.equal((period.until.getTime() - period.from.getTime()) / hour, hours)
      assert.equal(periodAt(period.from, period).key, key)
      assert.equal(periodAt(new Date(period.until.getTime() - 1), period).key, key)
      assert.notEqual(periodAt(period.until, period).key, key)
    })

  it('is not read of what is none, or is one of another type', () => {
    for (const key of ['2025-W53', '2026-W00', '2026-W54', '2026-13', '2026-00', '2026', 'x', '2026-W1', '1999-W10'])
      assert.equal(readPeriod(key, { type: key.includes('W') ? 'weekly' : 'monthly', timeZone: 'UTC' }), null, key)
    assert.equal(readPeriod('2026-W10', { type: 'monthly', timeZone: 'UTC' }), null)
    assert.equal(readPeriod('2026-10', { type: 'weekly', timeZone: 'UTC' }), null)
  })

  it('follows the one before without a gap, whatever the clocks do', () => {
    fc.assert(
      fc.property(moment, zoned, (at, { type, timeZone }) => {
        const period = periodAt(at, { type, timeZone })
        assert.ok(period.from <= at && at < period.until)
        const before = periodBefore(period)
        assert.deepEqual(before.until, period.from)
        assert.deepEqual(readPeriod(period.key, { type, timeZone }), period)
        assert.deepEqual(lastEndedPeriod({ type, timeZone }, at), before)
        // As the calendar of the zone says it, read by other means.
        const shown = new Intl.DateTimeFormat('en-CA', { timeZone }).format(at)
        assert.ok(period.firstDay <= shown && shown <= period.lastDay, `${shown} lies in ${period.key}`)
      }),
      { numRuns: 300 },
    )
  })
})

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Kiritimati']
const zoned = fc.record({
  type: fc.constantFrom('weekly' as const, 'monthly' as const),
  timeZone: fc.constantFrom(...zones),
})
/** Nights in which clocks are put back lie apart: there the calendar may show a day again that was over. */
const moment = fc
  .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2032, 0, 1) })
  .map((ms) => new Date(Math.floor(ms / dayMs) * dayMs + 12 * hour))

describe('a report', () => {
  const cases: [settings: SendingTimes, after: string, next: string][] = [
    [{ type: 'weekly', timeZone: 'UTC', weekday: 1, hour: 8 }, '2026-11-23T07:59:00Z', '2026-11-23T08:00:00Z'],
    [{ type: 'weekly', timeZone: 'UTC', weekday: 1, hour: 8 }, '2026-11-23T08:00:00Z', '2026-11-30T08:00:00Z'],
    [{ type: 'weekly', timeZone: 'UTC', weekday: 7, hour: 23 }, '2026-11-23T08:00:00Z', '2026-11-29T23:00:00Z'],
    [
      { type: 'weekly', timeZone: 'Europe/Berlin', weekday: 1, hour: 8 },
      '2026-10-20T00:00:00Z',
      '2026-10-26T07:00:00Z',
    ],
    [
      { type: 'weekly', timeZone: 'Europe/Berlin', weekday: 1, hour: 8 },
      '2026-03-24T00:00:00Z',
      '2026-03-30T06:00:00Z',
    ],
    // 02:00 is left out on that Sunday.
    [
      { type: 'weekly', timeZone: 'Europe/Berlin', weekday: 7, hour: 2 },
      '2026-03-24T00:00:00Z',
      '2026-03-29T01:00:00Z',
    ],
    // 02:00 comes twice, and counts once.
    [
      { type: 'weekly', timeZone: 'Europe/Berlin', weekday: 7, hour: 2 },
      '2026-10-20T00:00:00Z',
      '2026-10-25T00:00:00Z',
    ],
    [
      { type: 'weekly', timeZone: 'Europe/Berlin', weekday: 7, hour: 2 },
      '2026-10-25T00:00:00Z',
      '2026-11-01T01:00:00Z',
    ],
    [
      { type: 'monthly', timeZone: 'America/New_York', weekday: 3, hour: 0 },
      '2026-10-31T00:00:00Z',
      '2026-11-01T04:00:00Z',
    ],
    [{ type: 'monthly', timeZone: 'UTC', weekday: 1, hour: 8 }, '2026-12-01T08:00:00Z', '2027-01-01T08:00:00Z'],
  ]
  for (const [settings, after, next] of cases)
    it(`leaves next at ${next} after ${after}`, () => {
      assert.deepEqual(nextSending(settings, { after: new Date(after), sent: null }), new Date(next))
    })

  it('does not leave again for a period that was sent, at another hour', () => {
    const settings = { type: 'weekly', timeZone: 'UTC', weekday: 1, hour: 10 } as const
    const after = new Date('2026-11-23T09:00:00Z')
    assert.deepEqual(nextSending(settings, { after, sent: '2026-W46' }), new Date('2026-11-23T10:00:00Z'))
    assert.deepEqual(nextSending(settings, { after, sent: '2026-W47' }), new Date('2026-11-30T10:00:00Z'))
  })

  it('tells of each period exactly once, in order, whatever its settings', () => {
    const settings = fc.record({
      type: fc.constantFrom('weekly' as const, 'monthly' as const),
      timeZone: fc.constantFrom(...zones),
      weekday: fc.integer({ min: 1, max: 7 }),
      hour: fc.integer({ min: 0, max: 23 }),
    })
    fc.assert(
      fc.property(moment, settings, (start, times) => {
        let [at, told] = [start, duePeriod(times, start).key]
        for (let count = 0; count < 60; count += 1) {
          at = nextSending(times, { after: at, sent: told })
          const due = duePeriod(times, at)
          assert.equal(periodBefore(due).key, told)
          assert.deepEqual(sendingTime(due, times), at)
          assert.ok(due.until <= at)
          told = due.key
        }
      }),
      { numRuns: 60 },
    )
  })

  it('that is late tells of the last period whose time has come', () => {
    const times = { type: 'weekly', timeZone: 'UTC', weekday: 3, hour: 8 } as const
    assert.equal(duePeriod(times, new Date('2026-11-25T07:59:59Z')).key, '2026-W46')
    assert.equal(duePeriod(times, new Date('2026-11-25T08:00:00Z')).key, '2026-W47')
  })
})

const isKept = (): boolean => true

describe('the parts of a period', () => {
  it('are whole days in UTC', () => {
    const parts = partsOf({ from: new Date('2026-11-16T00:00:00Z'), until: new Date('2026-11-23T00:00:00Z') }, isKept)
    assert.deepEqual(parts, { days: { from: '2026-11-16', to: '2026-11-22' }, hours: [], isExact: true })
  })

  it('are whole days and the hours around them elsewhere', () => {
    const [from, until] = [new Date('2026-11-15T23:00:00Z'), new Date('2026-11-22T23:00:00Z')]
    assert.deepEqual(partsOf({ from, until }, isKept), {
      days: { from: '2026-11-16', to: '2026-11-21' },
      hours: [
        { from, until: new Date('2026-11-16T00:00:00Z') },
        { from: new Date('2026-11-22T00:00:00Z'), until },
      ],
      isExact: true,
    })
  })

  it('are the nearest days where results are forgotten, and follow each other all the same', () => {
    const parts = partsOf(
      { from: new Date('2026-11-15T23:00:00Z'), until: new Date('2026-11-22T23:00:00Z') },
      (day) => day !== '2026-11-15',
    )
    assert.deepEqual(parts, { days: { from: '2026-11-16', to: '2026-11-22' }, hours: [], isExact: false })
  })

  it('cover the period once', () => {
    fc.assert(
      fc.property(moment, zoned, (at, { type, timeZone }) => {
        const period = periodAt(at, { type, timeZone })
        const { days, hours } = partsOf(period, isKept)
        let covered = hours.reduce((sum, part) => sum + part.until.getTime() - part.from.getTime(), 0)
        for (let day = days.from; day <= days.to; day = addDays(day, 1)) covered += dayMs
        assert.equal(covered, period.until.getTime() - period.from.getTime())
        assert.ok(hours.every((part) => dayOf(part.from) === dayOf(new Date(part.until.getTime() - 1))))
      }),
    )
  })
})
