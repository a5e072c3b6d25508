import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { quarterMs, walk } from '../../../test/support/on-call-model.ts'
import { type OnCallSchedule, gapsOf, layerShiftsOf, onCallAt, shiftsOf, standingAt } from './on-call-shifts.ts'
import { type OnCallLayer, storedLayersSchema } from './on-call-schedule.ts'

const idOf = (digit: string): string => `00000000-0000-4000-8000-00000000000${digit}`
const [a, b, c] = [idOf('a'), idOf('b'), idOf('c')]
const nameOf = (id: string | null): string => id?.at(-1) ?? 'no one'

function layerOf(layer: object): OnCallLayer {
  const usual = { participants: [a, b], rotation: { every: 1, unit: 'days' }, hand_over: '09:00' }
  const [parsed] = storedLayersSchema.parse([{ ...usual, start_date: '2026-01-01', ...layer }])
  return parsed ?? assert.fail()
}

const scheduleOf = (layers: object[], timeZone = 'UTC', overrides: OnCallSchedule['overrides'] = []) => ({
  timeZone,
  layers: layers.map(layerOf),
  overrides,
})

const spanOf = (from: string, until: string) => ({ from: new Date(`${from}Z`), until: new Date(`${until}Z`) })
const overrideOf = (id: string, [from, until]: [string, string], contactId: string | null) => ({
  id,
  startsAt: new Date(`${from}Z`),
  endsAt: new Date(`${until}Z`),
  contactId,
})

const short = (time: Date): string => time.toISOString().slice(5, 16)

/** `a 01-01T09:00 01-02T09:00` */
function shown(schedule: OnCallSchedule, from: string, until: string): string[] {
  return shiftsOf(schedule, spanOf(from, until)).map(
    ({ startsAt, endsAt, contactId }) => `${nameOf(contactId)} ${short(startsAt)} ${short(endsAt)}`,
  )
}

const untilOf = (schedule: OnCallSchedule, at: string): string | null =>
  standingAt(schedule, { at: new Date(`${at}Z`), days: 14 })
    .until?.toISOString()
    .slice(0, 16) ?? null

describe('shifts', () => {
  const cases: [what: string, OnCallSchedule, from: string, until: string, shifts: string[]][] = [
    [
      'daily, from the start on',
      scheduleOf([{}]),
      '2025-12-31T00:00',
      '2026-01-03T00:00',
      ['a 01-01T09:00 01-02T09:00', 'b 01-02T09:00 01-03T00:00'],
    ],
    [
      'every twelve hours, by the clock on the wall',
      scheduleOf(
        [{ rotation: { every: 12, unit: 'hours' }, hand_over: '20:00', start_date: '2026-10-24' }],
        'Europe/Sofia',
      ),
      '2026-10-24T17:00',
      '2026-10-25T18:00',
      ['a 10-24T17:00 10-25T06:00', 'b 10-25T06:00 10-25T18:00'],
    ],
    [
      'weekly on Mondays, the first turn being shorter',
      scheduleOf([{ rotation: { every: 1, unit: 'weeks' }, weekday: 1 }]),
      '2026-01-01T00:00',
      '2026-01-13T00:00',
      ['a 01-01T09:00 01-05T09:00', 'b 01-05T09:00 01-12T09:00', 'a 01-12T09:00 01-13T00:00'],
    ],
    [
      'of a time that a change of clocks leaves out',
      scheduleOf([{ hand_over: '03:30', start_date: '2026-03-27' }], 'Europe/Sofia'),
      '2026-03-28T00:00',
      '2026-03-30T12:00',
      [
        'a 03-28T00:00 03-28T01:30',
        'b 03-28T01:30 03-29T01:00',
        'a 03-29T01:00 03-30T00:30',
        'b 03-30T00:30 03-30T12:00',
      ],
    ],
    [
      'of a day that a zone leaves out',
      scheduleOf([{ hand_over: '00:00', start_date: '2011-12-29', participants: [a, b, c] }], 'Pacific/Apia'),
      '2011-12-29T10:00',
      '2011-12-31T10:00',
      ['a 12-29T10:00 12-30T10:00', 'c 12-30T10:00 12-31T10:00'],
    ],
    [
      'of a later layer, which wins in its hours',
      scheduleOf([{}, { participants: [c], restrictions: [{ weekdays: [5], starts: '22:00', ends: '06:00' }] }]),
      '2026-01-02T09:00',
      '2026-01-03T09:00',
      ['b 01-02T09:00 01-02T22:00', 'c 01-02T22:00 01-03T06:00', 'b 01-03T06:00 01-03T09:00'],
    ],
    [
      'of overrides, of which the newest wins',
      scheduleOf([{}], 'UTC', [
        overrideOf('1', ['2026-01-01T12:00', '2026-01-01T18:00'], c),
        overrideOf('2', ['2026-01-01T13:00', '2026-01-01T14:00'], null),
      ]),
      '2026-01-01T09:00',
      '2026-01-01T20:00',
      [
        'a 01-01T09:00 01-01T12:00',
        'c 01-01T12:00 01-01T13:00',
        'no one 01-01T13:00 01-01T14:00',
        'c 01-01T14:00 01-01T18:00',
        'a 01-01T18:00 01-01T20:00',
      ],
    ],
    [
      'of overrides within the time, not of those that end or begin at its ends',
      scheduleOf([{}], 'UTC', [
        overrideOf('1', ['2026-01-01T08:00', '2026-01-01T09:00'], c),
        overrideOf('2', ['2026-01-01T20:00', '2026-01-01T21:00'], c),
      ]),
      '2026-01-01T09:00',
      '2026-01-01T20:00',
      ['a 01-01T09:00 01-01T20:00'],
    ],
    ['of a layer without participants', scheduleOf([{ participants: [] }]), '2026-01-01T00:00', '2026-02-01T00:00', []],
    ['of no layers', scheduleOf([]), '2026-01-01T00:00', '2026-02-01T00:00', []],
  ]
  for (const [what, schedule, from, until, expected] of cases)
    it(`are ${what}`, () => assert.deepEqual(shown(schedule, from, until), expected))

  it('leave gaps, also such as an override means', () => {
    const schedule = scheduleOf([{ start_date: '2026-01-02' }], 'UTC', [
      overrideOf('1', ['2026-01-03T00:00', '2026-01-03T01:00'], null),
    ])
    const span = spanOf('2026-01-01T00:00', '2026-01-04T00:00')
    assert.deepEqual(gapsOf(shiftsOf(schedule, span), span), [
      { startsAt: span.from, endsAt: new Date('2026-01-02T09:00Z'), overrideId: null },
      { startsAt: new Date('2026-01-03T00:00Z'), endsAt: new Date('2026-01-03T01:00Z'), overrideId: '1' },
    ])
    assert.deepEqual(gapsOf([], span), [{ startsAt: span.from, endsAt: span.until, overrideId: null }])
  })

  it('say until when somebody is on call', () => {
    assert.equal(untilOf(scheduleOf([{}]), '2026-01-02T00:00'), '2026-01-02T09:00')
    assert.equal(untilOf(scheduleOf([{ participants: [a] }]), '2026-01-02T00:00'), null)
    assert.equal(untilOf(scheduleOf([{}]), '2025-12-25T00:00'), '2026-01-01T09:00')
    assert.equal(untilOf(scheduleOf([]), '2025-12-25T00:00'), null)
    const business = {
      participants: [a],
      restrictions: [{ weekdays: [1, 2, 3, 4, 5], starts: '09:00', ends: '17:00' }],
    }
    assert.equal(untilOf(scheduleOf([business]), '2026-01-02T10:00'), '2026-01-02T17:00')
    assert.equal(untilOf(scheduleOf([business]), '2026-01-02T17:00'), '2026-01-05T09:00')
  })
})

/** Moments at which clocks change, and one at which none does. */
const changes: [zone: string, at: string][] = [
  ['UTC', '2026-02-28T00:00'],
  ['Europe/Sofia', '2026-03-29T01:00'],
  ['Europe/Sofia', '2026-10-25T01:00'],
  ['America/New_York', '2026-03-08T07:00'],
  ['America/New_York', '2026-11-01T06:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:00'],
  ['Australia/Lord_Howe', '2026-10-03T15:30'],
  ['Africa/Casablanca', '2026-02-15T02:00'],
  ['Africa/Casablanca', '2026-03-22T02:00'],
  ['Pacific/Apia', '2011-12-30T10:00'],
  ['America/Sao_Paulo', '2018-11-04T03:00'],
  ['Asia/Kathmandu', '2026-05-01T00:00'],
]

const quarter = fc.integer({ min: 0, max: 95 }).map((number) => {
  const [hours, minutes] = [Math.floor(number / 4), (number % 4) * 15]
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
})
const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 })
const rotation = fc.oneof(
  fc.record({ every: fc.integer({ min: 1, max: 40 }), unit: fc.constant('hours') }),
  fc.record({ every: fc.integer({ min: 1, max: 5 }), unit: fc.constant('days') }),
  fc.record({ every: fc.integer({ min: 1, max: 2 }), unit: fc.constant('weeks') }),
)
const person = fc.constantFrom(a, b, c)
const randomLayer = fc.record({
  participants: fc.array(person, { maxLength: 4 }),
  rotation,
  hand_over: quarter,
  weekday: fc.option(fc.integer({ min: 1, max: 7 })),
  startsBefore: fc.integer({ min: -2, max: 25 }),
  restrictions: fc.array(fc.record({ weekdays, starts: quarter, ends: quarter }), { maxLength: 2 }),
})
const randomOverride = fc.record({
  from: fc.integer({ min: -400, max: 400 }),
  lasts: fc.integer({ min: 1, max: 200 }),
  contactId: fc.option(person),
})
const randomSchedule = fc.record({
  change: fc.constantFrom(...changes),
  layers: fc.array(randomLayer, { maxLength: 4 }),
  overrides: fc.array(randomOverride, { maxLength: 3 }),
})

describe('a schedule', () => {
  it('has on call whom somebody finds who watches the clock on the wall', () => {
    fc.assert(
      fc.property(randomSchedule, ({ change: [timeZone, text], layers, overrides }) => {
        const at = Date.parse(`${text}Z`)
        const schedule: OnCallSchedule = {
          timeZone,
          layers: layers.map(({ startsBefore, weekday, ...layer }) =>
            layerOf({
              ...layer,
              weekday: layer.rotation.unit === 'weeks' ? weekday : null,
              start_date: new Date(at - startsBefore * 86_400_000).toISOString().slice(0, 10),
            }),
          ),
          overrides: overrides.map(({ from, lasts, contactId }, index) => ({
            id: String(index),
            startsAt: new Date(at + from * quarterMs),
            endsAt: new Date(at + (from + lasts) * quarterMs),
            contactId,
          })),
        }
        const span = { from: new Date(at - 4 * 86_400_000), until: new Date(at + 5 * 86_400_000) }
        const expected = walk(schedule, span)
        const shifts = shiftsOf(schedule, span)
        let next = 0
        for (const [index, contactId] of expected.entries()) {
          const moment = new Date(span.from.getTime() + index * quarterMs)
          while ((shifts[next]?.endsAt ?? span.until) <= moment) next += 1
          const shift = shifts[next]
          const found = shift !== undefined && shift.startsAt <= moment ? shift.contactId : null
          assert.equal(found, contactId, moment.toISOString())
          // Every five quarters come by all times of the hour.
          if (index % 5 === 0)
            assert.deepEqual(onCallAt(schedule, moment), contactId === null ? [] : [contactId], moment.toISOString())
        }
        for (const [index, { startsAt, endsAt }] of shifts.entries())
          assert.ok(startsAt < endsAt && startsAt >= (shifts[index - 1]?.endsAt ?? span.from) && endsAt <= span.until)
      }),
      { numRuns: 100 },
    )
  })

  it('of ten layers that change hourly has as many shifts as there are hours, and no more', () => {
    const layer = {
      participants: Array.from({ length: 50 }, (_, index) => [a, b, c][index % 3]),
      rotation: { every: 1, unit: 'hours' },
      restrictions: Array.from({ length: 10 }, (_, index) => ({
        weekdays: [1, 2, 3, 4, 5, 6, 7],
        starts: `${String(index * 2).padStart(2, '0')}:30`,
        ends: `${String(index * 2 + 1).padStart(2, '0')}:15`,
      })),
    }
    const schedule = scheduleOf(
      Array.from({ length: 10 }, () => layer),
      'Europe/Sofia',
    )
    const span = spanOf('2026-03-20T00:00', '2026-04-03T00:00')
    assert.equal(layerShiftsOf(schedule, span).flat().length, 10 * 14 * 20)
    assert.equal(shiftsOf(schedule, span).length, 14 * 20)
  })
})
