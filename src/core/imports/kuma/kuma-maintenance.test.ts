import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ImportedFile } from '#core/imports/imported.ts'
import { readKuma } from './kuma.ts'
import type { RawTables } from './kuma-rows.ts'

const now = new Date('2026-11-26T12:00:00Z')
const weekly = {
  id: 1,
  title: 'Nightly',
  description: null,
  strategy: 'recurring-weekday',
  active: 1,
  start_time: '03:05',
  end_time: '04:00',
  weekdays: '[1]',
  timezone: 'UTC',
}

/** What becomes of one maintenance of a monitor. */
function read(row: object, others: RawTables = {}): ImportedFile {
  const monitor = [{ id: 1, name: 'Shop', type: 'http', url: 'https://shop.example/' }]
  const links = [{ monitor_id: 1, maintenance_id: 1 }]
  return readKuma({ monitor, maintenance: [{ ...weekly, ...row }], monitor_maintenance: links, ...others }, now)
}

const inputOf = (row: object, others: RawTables = {}) => read(row, others).maintenance[0]?.input
const scheduleOf = (row: object) => inputOf(row)?.schedule ?? null
const place = 'maintenance 1 "Nightly"'

/** The notes of the maintenance, by the part of its place. */
function notesOf({ notes }: ImportedFile): string[] {
  return notes
    .filter((note) => note.place.startsWith(place))
    .map((note) => `${note.place.slice(place.length)}: ${note.message}`)
}

const once = { strategy: 'single', start_date: '2026-11-26 11:00:00', end_date: '2026-11-26 12:00:01' }
const monthly = { strategy: 'recurring-day-of-month', days_of_month: '[1]' }
const everyDay = [1, 2, 3, 4, 5, 6, 7]

describe('maintenance of Uptime Kuma', () => {
  const atNight = { type: 'weekly', weekdays: [1], starts: '03:05', duration_minutes: 55 }
  const told: [what: string, row: object, schedule: object][] = [
    ['on a weekday', {}, atNight],
    ['on weekdays in any order, each once', { weekdays: '[6,3,3,1]' }, { ...atNight, weekdays: [1, 3, 6] }],
    ['on Sundays', { weekdays: '[0]' }, { ...atNight, weekdays: [7] }],
    ['on Sundays, by both of their numbers', { weekdays: '[0,7]' }, { ...atNight, weekdays: [7] }],
    [
      'in the morning',
      { start_time: '10:00', end_time: '11:30' },
      { ...atNight, starts: '10:00', duration_minutes: 90 },
    ],
    ['on weekdays as texts', { weekdays: '["2"]' }, { ...atNight, weekdays: [2] }],
    ['on weekdays that are some', { weekdays: '[8,-1,1.5,"x",4]' }, { ...atNight, weekdays: [4] }],
    [
      'over midnight',
      { start_time: '23:30', end_time: '00:15' },
      { ...atNight, starts: '23:30', duration_minutes: 45 },
    ],
    ['for a day', { start_time: '03:05', end_time: '3:05' }, { ...atNight, duration_minutes: 1440 }],
    ['for a minute', { end_time: '03:06:59' }, { ...atNight, duration_minutes: 1 }],
    [
      'to the last minute',
      { start_time: '0:00', end_time: '23:59' },
      { ...atNight, starts: '00:00', duration_minutes: 1439 },
    ],
    ['each day', { strategy: 'recurring-interval', interval_day: 1 }, { ...atNight, weekdays: everyDay }],
    ['by the month', monthly, { type: 'cron', expression: '5 3 1 * *', duration_minutes: 55 }],
    [
      'by the month, on its last day and others',
      { ...monthly, days_of_month: '[31,"lastDay1",9,9,32,0]' },
      { type: 'cron', expression: '5 3 31,L,9 * *', duration_minutes: 55 },
    ],
    [
      'by an expression',
      { strategy: 'cron', cron: ' 15 2 * * 1 ', duration: 7_200 },
      { type: 'cron', expression: '15 2 * * 1', duration_minutes: 120 },
    ],
    [
      'by an expression, for some seconds',
      { strategy: 'cron', cron: '15 2 * * 1', duration: 20 },
      { type: 'cron', expression: '15 2 * * 1', duration_minutes: 1 },
    ],
  ]
  for (const [what, row, schedule] of told)
    it(`${what} has the same schedule here`, () => {
      assert.deepEqual(scheduleOf(row), schedule)
      assert.deepEqual(notesOf(read(row)), [])
    })

  it('that is once has its moments, and is left out as soon as it has ended', () => {
    assert.deepEqual(scheduleOf({ ...once, end_date: '2026-11-26T12:01' }), {
      type: 'once',
      starts_at: '2026-11-26T11:00:00.000Z',
      ends_at: '2026-11-26T12:01:00.000Z',
    })
    assert.equal(scheduleOf(once), null)
    assert.deepEqual(notesOf(read(once)), [': It ended on 2026-11-26 and is left out.'])
  })

  const lost: [what: string, row: object, note: RegExp][] = [
    ['without weekdays', { weekdays: '[]' }, /^: It has no weekday, or no time of day/],
    ['with weekdays that cannot be read', { weekdays: 'Monday' }, /^: It has no weekday/],
    ['without a begin', { start_time: null }, /^: It has no weekday, or no time of day/],
    ['without an end', { end_time: 'late' }, /^: It has no weekday, or no time of day/],
    ['with an hour that is none', { start_time: '24:00' }, /^: It has no weekday/],
    ['with a minute that is none', { start_time: '03:60' }, /^: It has no weekday/],
    ['every two days', { strategy: 'recurring-interval', interval_day: 2 }, /^\.interval_day: .* every 2 days/],
    ['every so many days', { strategy: 'recurring-interval', interval_day: null }, /^\.interval_day: .* every 0 days/],
    ['by the month, on no day', { ...monthly, days_of_month: '[32]' }, /^: It has no day of the month/],
    ['by the month, at no time', { ...monthly, end_time: null }, /^: It has no day of the month/],
    ['by no expression', { strategy: 'cron', cron: null, duration: 60 }, /^: It has no expression or no duration/],
    [
      'by an expression of no duration',
      { strategy: 'cron', cron: '15 2 * * 1', duration: null },
      /^: It has no expression/,
    ],
    ['once without a begin', { ...once, start_date: null }, /^: It has no start or no end/],
    ['once without an end', { ...once, end_date: 'soon' }, /^: It has no start or no end/],
    ['once in 1969', { ...once, start_date: '1969-12-31 00:00' }, /^: It has no start or no end/],
    ['once in 2100', { ...once, end_date: '2100-01-01 00:00' }, /^: It has no start or no end/],
    ['by hand', { strategy: 'manual' }, /^\.strategy: In Perigee, maintenance has a schedule/],
    ['by nothing', { strategy: null }, /^\.strategy: /],
    ['switched off', { active: 0 }, /^: Nightly is switched off there/],
  ]
  for (const [what, row, note] of lost)
    it(`${what} is left out`, () => {
      const file = read(row)
      assert.equal(file.maintenance.length, 0)
      assert.match(notesOf(file).join(), note)
    })

  it('has a hundred days at most', () => {
    const days = JSON.stringify([...Array.from({ length: 100 }, () => 1), 2])
    assert.deepEqual(scheduleOf({ weekdays: days }), atNight)
    const found = scheduleOf({ ...monthly, days_of_month: days })
    assert.deepEqual(found, { type: 'cron', expression: '5 3 1 * *', duration_minutes: 55 })
  })

  it('that repeats goes on here after its end, and is left out once that has come', () => {
    assert.deepEqual(notesOf(read({ end_date: '2026-11-26 12:00' })), [': It ended on 2026-11-26 and is left out.'])
    const later = read({ end_date: '2026-11-26 12:01' })
    assert.equal(later.maintenance.length, 1)
    assert.match(
      notesOf(later).join(),
      /^\.end_date: It ends on 2026-11-26 in Uptime Kuma\. In Perigee, repeated windows/,
    )
    for (const row of [
      monthly,
      { strategy: 'cron', cron: '15 2 * * 1', duration: 60 },
      { strategy: 'recurring-interval', interval_day: 1 },
    ])
      assert.equal(read({ ...row, end_date: '2026-11-26 12:00' }).maintenance.length, 0)
  })

  it('that repeats begins at once here, which is told where it was to begin later', () => {
    assert.deepEqual(notesOf(read({ start_date: '2026-11-26 12:00' })), [])
    assert.match(
      notesOf(read({ start_date: '2026-11-26 12:01' })).join(),
      /^\.start_date: It begins on 2026-11-26 in Uptime Kuma, and at its first time of day in Perigee/,
    )
  })

  it('has its words, of which the description may be long', () => {
    assert.equal(inputOf({})?.description, null)
    assert.equal(inputOf({ title: 'x'.repeat(161) })?.name, 'x'.repeat(160))
    assert.equal(inputOf({ description: 'x'.repeat(2_001) })?.description, 'x'.repeat(2_000))
    assert.deepEqual(
      [inputOf({})?.name, inputOf({ title: ' ' })?.name, inputOf({})?.excludes_uptime],
      ['Nightly', 'Maintenance', true],
    )
  })
})

const setting = (value: string): RawTables => ({
  setting: [
    { key: 'other', value: '"Asia/Tokyo"' },
    { key: 'serverTimezone', value },
  ],
})

describe('the zone of maintenance of Uptime Kuma', () => {
  const berlin = setting('"Europe/Berlin"')
  const told: [timezone: string | null, others: RawTables, zone: string, isNoted: boolean][] = [
    ['Europe/Sofia', berlin, 'Europe/Sofia', false],
    ['SAME_AS_SERVER', berlin, 'Europe/Berlin', false],
    ['SAME_AS_SERVER', {}, 'UTC', true],
    ['SAME_AS_SERVER', setting('"Mars/Base"'), 'UTC', true],
    ['SAME_AS_SERVER', setting('5'), 'UTC', true],
    ['Mars/Base', berlin, 'UTC', true],
    ['UTC', berlin, 'UTC', false],
    [null, berlin, 'UTC', false],
  ]
  for (const [timezone, others, zone, isNoted] of told)
    it(`is ${zone} for ${timezone ?? 'none'}, which is ${isNoted ? 'told' : 'known'}`, () => {
      const file = read({ timezone }, others)
      assert.equal(file.maintenance[0]?.input.time_zone, zone)
      assert.equal(notesOf(file).length, isNoted ? 1 : 0)
    })

  it('decides when a window has ended', () => {
    assert.equal(read({ timezone: 'Europe/Berlin', end_date: '2026-11-26 13:00' }).maintenance.length, 0)
    assert.equal(read({ timezone: 'Europe/Berlin', end_date: '2026-11-26 13:01' }).maintenance.length, 1)
  })
})

const monitors = [
  { id: 1, name: 'All', type: 'group' },
  { id: 2, name: 'Shop', type: 'http', url: 'https://shop.example/', parent: 1 },
  { id: 3, name: 'Blog', type: 'http', url: 'https://blog.example/' },
]

/** What is read of one maintenance of these monitors. */
function coveredBy(...ids: number[]): ImportedFile {
  const links = ids.map((id) => ({ monitor_id: id, maintenance_id: 1 }))
  return read({}, { monitor: monitors, monitor_maintenance: links })
}

describe('the monitors of maintenance of Uptime Kuma', () => {
  it('are those that it names, and all that is in a group', () => {
    assert.deepEqual(coveredBy(3, 3).maintenance[0]?.input.monitor_ids, ['blog'])
    assert.deepEqual(coveredBy(1).maintenance[0]?.input.monitor_ids, ['all', 'shop'])
  })

  it('are a thousand at most', () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => index + 1)
    const monitor = ids.map((id) => ({ id, name: `${id}`, type: 'http', url: `https://${id}.example/` }))
    const links = ids.map((id) => ({ monitor_id: id, maintenance_id: 1 }))
    assert.equal(inputOf({}, { monitor, monitor_maintenance: links })?.monitor_ids?.length, 1_000)
  })

  it('are none where none of them arrives', () => {
    for (const ids of [[], [9]]) {
      const file = coveredBy(...ids)
      assert.deepEqual([file.maintenance, notesOf(file)], [[], [': None of its monitors is imported.']])
    }
  })
})
