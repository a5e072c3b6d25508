import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type QuietHours, quietHoursSchema } from './alert-rules.ts'
import { heldByQuietHours, quietUntil } from './quiet-hours.ts'

const berlin = { time_zone: 'Europe/Berlin', from: '22:00', to: '07:00' }
const office = { time_zone: 'America/New_York', from: '09:00', to: '17:30', weekdays: [1, 2, 3, 4, 5] }
const weekend = { time_zone: 'UTC', from: '00:00', to: '00:00', weekdays: [6, 7] }
const friday = { time_zone: 'UTC', from: '18:00', to: '08:00', weekdays: [5] }

describe('the end of quiet hours', () => {
  for (const [name, quiet, at, end] of [
    ['is not there before they begin', berlin, '2026-11-25T20:59:59.999Z', null],
    ['holds from their first minute', berlin, '2026-11-25T21:00:00.000Z', '2026-11-26T06:00:00.000Z'],
    ['is on the same day after midnight', berlin, '2026-11-26T05:59:59.999Z', '2026-11-26T06:00:00.000Z'],
    ['is no part of them', berlin, '2026-11-26T06:00:00.000Z', null],
    ['is by the wall after clocks went forward', berlin, '2026-03-28T22:00:00.000Z', '2026-03-29T05:00:00.000Z'],
    ['is by the wall after clocks went back', berlin, '2026-10-24T21:00:00.000Z', '2026-10-25T06:00:00.000Z'],
    ['is within the day', office, '2026-11-25T15:00:00.000Z', '2026-11-25T22:30:00.000Z'],
    ['is not there on other days', office, '2026-11-28T15:00:00.000Z', null],
    ['joins days that follow one another', weekend, '2026-11-28T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    ['belongs to the day on which they begin', friday, '2026-11-28T07:00:00.000Z', '2026-11-28T08:00:00.000Z'],
    ['is not there a day later', friday, '2026-11-29T07:00:00.000Z', null],
    [
      'comes early where clocks skip it',
      { ...berlin, to: '02:30' },
      '2026-03-29T00:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'comes once where clocks show it twice',
      { ...berlin, to: '02:30' },
      '2026-10-25T00:29:00.000Z',
      '2026-10-25T00:30:00.000Z',
    ],
    ['is no part of them the second time', { ...berlin, to: '02:30' }, '2026-10-25T01:10:00.000Z', null],
  ] as const)
    it(name, () => {
      const until = quietUntil(quietHoursSchema.parse(quiet), new Date(at))
      assert.equal(until?.toISOString() ?? null, end)
    })

  it('is what a walk from minute to minute finds, across every change of clocks', () => {
    fc.assert(
      fc.property(quietHours, changes, fc.integer({ min: -2880, max: 2880 }), (quiet, change, minutes) => {
        const at = new Date(Date.parse(change) + minutes * 60_000 + 12_345)
        assert.equal(quietUntil(quiet, at)?.toISOString() ?? null, walk(quiet, at))
      }),
      { numRuns: 150 },
    )
  })
})

describe('an alert', () => {
  const at = new Date('2026-11-25T23:00:00Z')
  const night = { quiet_hours: { time_zone: 'UTC', from: '22:00', to: '06:00' } }
  const morning = { quiet_hours: { time_zone: 'UTC', from: '05:00', to: '08:00' } }
  const otherwise = { quiet_hours: { time_zone: 'UTC', from: '06:00', to: '22:00' } }
  for (const [name, rules, until] of [
    ['leaves where nothing was chosen', { contact: null, monitor: null }, null],
    ['waits for the contact', { contact: night, monitor: {} }, '2026-11-26T06:00:00.000Z'],
    ['waits for the monitor', { contact: {}, monitor: night }, '2026-11-26T06:00:00.000Z'],
    ['waits until neither is quiet', { contact: night, monitor: morning }, '2026-11-26T08:00:00.000Z'],
    ['waits for neither after the other', { contact: morning, monitor: null }, null],
    ['of a critical monitor leaves', { contact: night, monitor: { critical: true } }, null],
    ['leaves where both leave no time', { contact: night, monitor: otherwise }, null],
  ] as const)
    it(name, () => assert.equal(heldByQuietHours(rules, at)?.toISOString() ?? null, until))
})

describe('two sets of quiet hours', () => {
  // Together they leave no time in winter, and an hour of each night from the end of March on.
  const contact = { quiet_hours: { time_zone: 'Europe/Berlin', from: '03:00', to: '02:00' } }
  const monitor = { quiet_hours: { time_zone: 'UTC', from: '01:00', to: '02:00' } }
  const free = '2026-03-30T00:00:00.000Z'
  for (const [name, at, until] of [
    ['hold an alert back for a week', '2026-03-23T00:00:00.000Z', free],
    ['hold back nothing that would wait for longer', '2026-03-22T23:59:59.999Z', null],
    ['hold back nothing that would wait for days longer', '2026-03-22T12:00:00.000Z', null],
  ] as const)
    it(name, () => {
      assert.equal(heldByQuietHours({ contact, monitor }, new Date(at))?.toISOString() ?? null, until)
    })
})

describe('quiet hours', () => {
  for (const [given, problem] of [
    [{ ...berlin, time_zone: 'Europe/Atlantis' }, 'time_zone'],
    [{ ...berlin, from: '24:00' }, 'from'],
    [{ ...berlin, to: '7:00' }, 'to'],
    [{ ...berlin, to: '22:00' }, 'to'],
    [{ ...berlin, to: '22:00', weekdays: [1, 2, 3, 4, 5, 6, 7] }, 'to'],
    [{ ...berlin, weekdays: [] }, 'weekdays'],
    [{ ...berlin, weekdays: [0] }, 'weekdays.0'],
    [{ ...berlin, until: '08:00' }, ''],
  ] as const)
    it(`refuse ${JSON.stringify(given)}`, () => {
      const parsed = quietHoursSchema.safeParse(given)
      assert.equal(parsed.error?.issues[0]?.path.join('.'), problem)
    })
})

const time = fc
  .integer({ min: 0, max: 1439 })
  .map((minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`)
const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC')
const someDays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 })
const quietHours: fc.Arbitrary<QuietHours> = fc
  .oneof(
    fc.record({ time_zone: zone, from: time, to: time }),
    fc.record({ time_zone: zone, from: time, to: time, weekdays: someDays }),
    fc
      .record({ time_zone: zone, day: time, weekdays: someDays })
      .map(({ day, ...of }) => Object.assign(of, { from: day, to: day })),
  )
  .filter((quiet) => quietHoursSchema.safeParse(quiet).success)
/** Of Berlin, New York and Lord Howe, whose clocks change by half an hour. */
const changes = fc.constantFrom(
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-04-04T15:00:00Z',
  '2026-10-03T15:30:00Z',
)

/** From minute to minute, by a clock that is stopped rather than put back: it shows the latest that it has shown. */
function walk(quiet: QuietHours, at: Date): string | null {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: quiet.time_zone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const begun = Math.floor(at.getTime() / 60_000)
  let shown = ''
  for (let minute = begun - 180; ; minute += 1) {
    const now = format.format(new Date(minute * 60_000))
    if (now > shown) shown = now
    if (minute < begun) continue
    const [date = '', clock = ''] = shown.split(' ')
    if (!holds(quiet, { date, clock })) return minute === begun ? null : new Date(minute * 60_000).toISOString()
  }
}

/** By the dates of calendars: today's quiet hours hold, or those that began yesterday. */
function holds({ from, to, weekdays }: QuietHours, { date, clock }: { date: string; clock: string }): boolean {
  const today = Date.parse(`${date}T00:00:00Z`)
  return [today, today - 86_400_000].some((day) => {
    if (weekdays !== undefined && !weekdays.includes(new Date(day).getUTCDay() || 7)) return false
    const begins = `${new Date(day).toISOString().slice(0, 10)} ${from}`
    const ends = `${new Date(to > from ? day : day + 86_400_000).toISOString().slice(0, 10)} ${to}`
    return `${date} ${clock}` >= begins && `${date} ${clock}` < ends
  })
}
