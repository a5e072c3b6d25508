import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  callScheduleOf,
  dueAfter,
  isOftenerThan,
  isSameSchedule,
  rememberDue,
  scheduleProblem,
} from './call-schedule.ts'

const minuteMs = 60_000

/** The first times after a moment, as ISO 8601 tells them. */
function timesAfter(time: string, [expression, timeZone]: readonly [string, string], count: number): string[] {
  const found: string[] = []
  let at = Date.parse(time) * 1000
  while (found.length < count) {
    at = dueAfter({ expression, timeZone }, at) ?? assert.fail('There is no time.')
    found.push(new Date(at / 1000).toISOString().slice(0, 16))
  }
  return found
}

function field(last: number): fc.Arbitrary<number[] | null> {
  return fc.option(fc.uniqueArray(fc.nat(last), { minLength: 1, maxLength: 3 }), { nil: null })
}

describe('a schedule', () => {
  for (const [what, schedule, after, times] of [
    [
      'a time that is left out, in Vienna',
      ['30 2 * * *', 'Europe/Vienna'],
      '2026-03-28T02:00Z',
      ['2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'a time that comes twice, in Vienna',
      ['30 2 * * *', 'Europe/Vienna'],
      '2026-10-24T22:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'a time that is left out, in New York',
      ['30 2 * * *', 'America/New_York'],
      '2026-03-07T12:00Z',
      ['2026-03-08T07:00', '2026-03-09T06:30'],
    ],
    [
      'a time that comes twice, in New York',
      ['30 1 * * *', 'America/New_York'],
      '2026-11-01T00:00Z',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'a time that half an hour leaves out, on Lord Howe',
      ['15 2 * * *', 'Australia/Lord_Howe'],
      '2026-10-03T00:00Z',
      ['2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    [
      'a time that half an hour brings twice, on Lord Howe',
      ['45 1 * * *', 'Australia/Lord_Howe'],
      '2026-04-04T00:00Z',
      ['2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    [
      'several times that are left out, as one',
      ['0,30 2 * * *', 'Europe/Vienna'],
      '2026-03-28T01:30Z',
      ['2026-03-29T01:00', '2026-03-30T00:00'],
    ],
    [
      'each ten minutes of an hour that is left out, which are none',
      ['*/10 2 * * *', 'Europe/Vienna'],
      '2026-03-28T01:50Z',
      ['2026-03-30T00:00', '2026-03-30T00:10'],
    ],
    [
      'every half hour while one hour comes twice',
      ['*/30 * * * *', 'Europe/Vienna'],
      '2026-10-25T00:00Z',
      ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
    ],
    ['working days', ['0 9 * * 1-5', 'UTC'], '2026-11-27T09:00Z', ['2026-11-30T09:00', '2026-12-01T09:00']],
    [
      'a day of the month or of the week',
      ['0 0 13 * FRI', 'UTC'],
      '2026-11-01T00:00Z',
      ['2026-11-06T00:00', '2026-11-13T00:00', '2026-11-20T00:00'],
    ],
    ['a turn of the year', ['59 23 31 DEC *', 'UTC'], '2026-12-31T23:58:59Z', ['2026-12-31T23:59', '2027-12-31T23:59']],
  ] as const)
    it(`knows ${what}`, () => assert.deepEqual(timesAfter(after, schedule, times.length), times))

  it('is due after a moment, and not at it', () => {
    const schedule = { expression: '* * * * *', timeZone: 'UTC' }
    const minute = Date.parse('2026-11-28T12:00:00Z') * 1000
    assert.deepEqual(
      [minute - 1, minute, minute + 1, minute + 59_999_999].map((at) => dueAfter(schedule, at)),
      [minute, minute + 60_000_000, minute + 60_000_000, minute + 60_000_000],
    )
  })

  it('has the same times where they are remembered, in any order of moments', () => {
    const remembered = rememberDue()
    const schedules = [
      { expression: '30 2 * * *', timeZone: 'Europe/Vienna' },
      { expression: '30 2 * * *', timeZone: 'UTC' },
      { expression: '*/7 * * * *', timeZone: 'UTC' },
    ]
    const start = Date.parse('2026-10-24T00:00:00Z') * 1000
    const moments = fc.array(fc.tuple(fc.constantFrom(...schedules), fc.nat(3 * 86_400)), { maxLength: 30 })
    fc.assert(
      fc.property(moments, (asked) => {
        for (const [schedule, seconds] of asked) {
          const at = start + seconds * 1_000_000
          assert.equal(remembered(schedule, at), dueAfter(schedule, at))
        }
      }),
    )
  })

  it('has the times that a look at each minute of the clock on the wall finds', () => {
    const zones = ['UTC', 'Europe/Vienna', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
    // The days around the changes of clocks of these zones, and others.
    const days = ['2026-03-07', '2026-03-28', '2026-04-04', '2026-10-03', '2026-10-24', '2026-10-31', '2026-11-28']
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...days),
        fc.record({ minutes: field(59), hours: field(23), weekdays: field(6), offset: fc.nat(2 * 86_400_000) }),
        (timeZone, day, { minutes, hours, weekdays, offset }) => {
          const expression = `${minutes?.join() ?? '*'} ${hours?.join() ?? '*'} * * ${weekdays?.join() ?? '*'}`
          const from = Date.parse(`${day}T00:00:00Z`) + offset
          const found = dueAfter({ expression, timeZone }, from * 1000) ?? assert.fail('There is no time.')
          assert.equal(
            new Date(found / 1000).toISOString(),
            lookedUp({ minutes, hours, weekdays }, { timeZone, from }),
            expression,
          )
        },
      ),
      { numRuns: 150 },
    )
  })
})

type Fields = { minutes: number[] | null; hours: number[] | null; weekdays: number[] | null }

/** Minute by minute, by what Intl says of the clock on the wall. */
function lookedUp(fields: Fields, { timeZone, from: fromMs }: { timeZone: string; from: number }): string {
  const wall = wallOf(timeZone)
  const isFixed = fields.hours !== null && fields.minutes !== null
  for (let at = (Math.floor(fromMs / minuteMs) + 1) * minuteMs; ; at += minuteMs) {
    const now = wall(at)
    // What the clock went over since the minute before; most often that is this minute alone.
    const before = wall(at - minuteMs)
    const skipped = now - before
    const passed = skipped > 1 && isFixed ? Array.from({ length: skipped }, (_, step) => before + 1 + step) : [now]
    if (!passed.some((minutes) => isMeant(fields, minutes))) continue
    // A time of day that comes twice counts the first time.
    const isSecond = isFixed && [30, 60].some((ago) => wall(at - ago * minuteMs) === now)
    if (!isSecond) return new Date(at).toISOString()
  }
}

/** Minutes of the clock on the wall since 1970. */
function isMeant({ minutes, hours, weekdays }: Fields, wallMinutes: number): boolean {
  const at = new Date(wallMinutes * minuteMs)
  return (
    (minutes?.includes(at.getUTCMinutes()) ?? true) &&
    (hours?.includes(at.getUTCHours()) ?? true) &&
    (weekdays?.includes(at.getUTCDay()) ?? true)
  )
}

function wallOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return (at) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`) / minuteMs
}

describe('what is wrong with a schedule', () => {
  const notReadable = 'Must be a cron expression of five fields, such as `30 2 * * *`.'
  for (const [expression, problem] of [
    ['30 2 * * *', null],
    ['*/5 9-17 * * MON-FRI', null],
    ['0 0 1 1 *', null],
    [' 0  0 * * 7 ', null],
    ['0 30 2 * * *', notReadable],
    ['@daily', notReadable],
    ['30 2 * *', notReadable],
    ['60 2 * * *', notReadable],
    ['a b c d e', notReadable],
    ['', notReadable],
    ['0 0 29 2 *', 'Must be due at least once a year.'],
    ['0 0 31 2 *', 'Must be due at least once a year.'],
  ] as const)
    it(`of \`${expression}\` is ${problem ?? 'nothing'}`, () =>
      assert.equal(scheduleProblem({ expression, timeZone: 'Europe/Vienna' }), problem))

  it('leaves a zone that there is not to others', () => {
    assert.equal(scheduleProblem({ expression: '30 2 * * *', timeZone: 'Europe/Nowhere' }), null)
  })

  for (const [expression, seconds, isOftener] of [
    ['* * * * *', 60, false],
    ['* * * * *', 61, true],
    ['*/5 * * * *', 300, false],
    ['*/4 * * * *', 300, true],
    ['0,4 3 * * *', 300, true],
    ['0,58 * * * *', 300, true],
    ['30 2 * * *', 300, false],
  ] as const)
    it(`is ${isOftener ? '' : 'not '}that \`${expression}\` is due more often than every ${seconds} seconds`, () =>
      assert.equal(isOftenerThan({ expression, timeZone: 'UTC' }, seconds), isOftener))
})

describe('options', () => {
  it('have a schedule in UTC, or in their zone, or none', () => {
    assert.deepEqual(callScheduleOf({ schedule: '30 2 * * *' }), { expression: '30 2 * * *', timeZone: 'UTC' })
    const vienna = { schedule: '30 2 * * *', time_zone: 'Europe/Vienna' }
    assert.deepEqual(callScheduleOf(vienna), { expression: '30 2 * * *', timeZone: 'Europe/Vienna' })
    assert.equal(callScheduleOf({}), null)
  })

  it('have the same schedule where both the expression and the zone are the same', () => {
    const one = { expression: '0 0 * * *', timeZone: 'UTC' }
    for (const [other, isSame] of [
      [{ ...one }, true],
      [{ ...one, timeZone: 'Asia/Tokyo' }, false],
      [{ ...one, expression: '1 0 * * *' }, false],
      [null, false],
    ] as const)
      assert.deepEqual([isSameSchedule(one, other), isSameSchedule(other, one)], [isSame, isSame])
    assert.equal(isSameSchedule(null, null), true)
  })
})
