import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readGrafana } from './on-call-from-grafana.ts'
import { OnCallImportError, type OnCallSource } from './on-call-import.ts'

const now = new Date('2026-10-20T00:00:00Z')
const day = 86_400
const weekly = {
  id: 'S',
  type: 'rolling_users',
  start: '2026-05-04T09:00:00',
  duration: 7 * day,
  frequency: 'weekly',
  rolling_users: [['ann'], ['bob']],
}
const utc = { name: 'Shop', type: 'calendar', time_zone: 'UTC', shifts: ['S'] }
const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `u${index}`)

/** What is read of an export with this shift, and with more beside it. */
function read(
  shift: object,
  { schedule = {}, others = [], users = [] }: { schedule?: object; others?: object[]; users?: object[] } = {},
): OnCallSource {
  const shifts = [{ ...weekly, ...shift }, ...others]
  return readGrafana(JSON.stringify({ schedules: [{ ...utc, ...schedule }], on_call_shifts: shifts, users }), now)
}

/** What is read of these lists, as large as they may be. */
function take(schedules: object[], on_call_shifts: object[] = [], users: object[] = []): OnCallSource {
  return readGrafana(JSON.stringify({ schedules, on_call_shifts, users }), now)
}

const empty = { ...utc, shifts: [] }
const shiftsOf = (count: number): object[] => ids(count).map((id) => Object.assign({ ...weekly }, { id }))
const usersOf = (count: number): object[] => ids(count).map((id) => ({ id }))

const layerOf = ({ schedules }: OnCallSource) => schedules[0]?.layers[0]
const messagesOf = ({ notes }: OnCallSource): string[] => notes.map(({ place, message }) => `${place}: ${message}`)

describe('an export of Grafana OnCall', () => {
  const limits: [what: string, fits: object[], isOver: object[]][] = [
    ['people of a turn', [{ rolling_users: [ids(20)] }], [{ rolling_users: [ids(21)] }]],
    ['turns', [{ rolling_users: ids(100).map((id) => [id]) }], [{ rolling_users: ids(101).map((id) => [id]) }]],
    ['levels', [{ level: 0 }, { level: 1_000 }], [{ level: -1 }, { level: 1_001 }]],
    ['seconds', [{ duration: 1 }, { duration: 366 * day }], [{ duration: 0.5 }, { duration: 366 * day + 1 }]],
    ['intervals', [{ interval: 1 }, { interval: 10_000 }], [{ interval: 0 }, { interval: 10_001 }]],
    ['weekdays', [{ by_day: Array(7).fill('MO') }], [{ by_day: Array(8).fill('MO') }]],
    ['months', [{ by_month: Array(12).fill(1) }], [{ by_month: Array(13).fill(1) }]],
    ['days of a month', [{ by_monthday: Array(62).fill(1) }], [{ by_monthday: Array(63).fill(1) }]],
    [
      'places in the turns',
      [{ start_rotation_from_user_index: 0 }, { start_rotation_from_user_index: 1_000 }],
      [{ start_rotation_from_user_index: -1 }, { start_rotation_from_user_index: 1_001 }],
    ],
  ]
  for (const [what, fits, isOver] of limits)
    it(`has so many ${what}, and no more`, () => {
      for (const shift of fits) assert.equal(read(shift).schedules.length, 1, JSON.stringify(shift).slice(0, 80))
      for (const shift of isOver) assert.throws(() => read(shift), OnCallImportError)
    })

  it('has so many shifts, schedules and users, and no more', () => {
    assert.equal(take([{ ...utc, shifts: ids(200) }]).notes.length, 200)
    assert.throws(() => take([{ ...utc, shifts: ids(201) }]), OnCallImportError)
    assert.equal(take(Array.from({ length: 100 }, () => empty)).schedules.length, 100)
    assert.throws(() => take(Array.from({ length: 101 }, () => empty)), OnCallImportError)
    assert.equal(take([], shiftsOf(1_000)).schedules.length, 0)
    assert.throws(() => take([], shiftsOf(1_001)), OnCallImportError)
    assert.equal(take([], [], usersOf(2_000)).schedules.length, 0)
    assert.throws(() => take([], [], usersOf(2_001)), OnCallImportError)
  })

  it('has its layer, of level 0 where it tells none', () => {
    const start = Date.UTC(2026, 4, 4, 9)
    assert.deepEqual(layerOf(read({})), {
      id: 'S',
      place: 'on_call_shifts[0]',
      name: null,
      level: 0,
      turns: [['ann'], ['bob']],
      rotation: { every: 1, unit: 'weeks' },
      first: start,
      begins: start,
      windows: null,
    })
    assert.deepEqual(
      [layerOf(read({ level: 3, name: 'Days' }))?.level, layerOf(read({ name: 'Days' }))?.name],
      [3, 'Days'],
    )
  })

  it('begins its turns with the group that is told', () => {
    const turnsFrom = (index: number) => layerOf(read({ start_rotation_from_user_index: index }))?.turns
    assert.deepEqual(
      [turnsFrom(0), turnsFrom(1)],
      [
        [['ann'], ['bob']],
        [['bob'], ['ann']],
      ],
    )
    assert.deepEqual(layerOf(read({ type: 'recurrent_event', users: ['ann', 'bob'] }))?.turns, [['ann', 'bob']])
  })

  it('tells a shift that it does not have', () => {
    const found = read({}, { schedule: { shifts: ['none', 'S', 'S'] } })
    assert.deepEqual(messagesOf(found), ['schedules[0].shifts[0]: The file does not have this shift.'])
    assert.equal(found.schedules[0]?.layers.length, 1)
  })

  it('tells who its people are', () => {
    const users = [{ id: 'ann', username: 'Ann', email: 'ann@a.example' }]
    assert.deepEqual(
      read({}, { users }).people,
      new Map([
        ['ann', { id: 'ann', name: 'Ann', mail: 'ann@a.example' }],
        ['bob', { id: 'bob', name: null, mail: null }],
      ]),
    )
  })

  it('begins in the course of a shift where it is of the web', () => {
    const rotating = {
      by_day: ['MO', 'WE'],
      week_start: 'MO',
      duration: 8 * 3_600,
      rotation_start: '2026-05-04T10:00:00',
    }
    const begins = (type: string) => layerOf(read(rotating, { schedule: { type } }))?.begins
    assert.deepEqual([begins('web'), begins('calendar')], [Date.UTC(2026, 4, 4, 10), Date.UTC(2026, 4, 6, 9)])
  })
})

/** How many notes tell that clocks change. */
function clockNotes(shift: object, time_zone = 'Europe/Sofia'): number {
  return messagesOf(read(shift, { schedule: { time_zone } })).filter((message) => /clocks change/.test(message)).length
}

/** What is read of an override of an hour. */
function at(start: string, changes: object = {}): OnCallSource {
  return read({ type: 'override', start, duration: 3_600, users: ['ann'], rolling_users: null, ...changes })
}

describe('the zone of a schedule of Grafana OnCall', () => {
  const nine = Date.UTC(2026, 4, 4, 9)
  const sofia = { time_zone: 'Europe/Sofia', duration: 8 * 3_600 }

  it('is the one that all of its rotations share', () => {
    const found = read(sofia)
    assert.deepEqual(
      [found.schedules[0]?.timeZone, layerOf(found)?.first, messagesOf(found)],
      ['Europe/Sofia', nine, []],
    )
    const other = { ...weekly, id: 'O', type: 'override', users: ['ann'], start: '2026-12-01T00:00:00', duration: 60 }
    const beside = read(sofia, { others: [other], schedule: { shifts: ['S', 'O'] } })
    assert.equal(beside.schedules[0]?.timeZone, 'Europe/Sofia')
  })

  it('is its own where it has no rotation', () => {
    assert.equal(read({ type: 'override', time_zone: 'Europe/Sofia' }).schedules[0]?.timeZone, 'UTC')
    assert.equal(read({}, { schedule: { time_zone: null } }).schedules[0]?.timeZone, 'UTC')
  })

  it('is its own where its rotations differ, whose times are moved', () => {
    const found = read(sofia, { others: [{ ...weekly, id: 'T' }], schedule: { shifts: ['S', 'T'] } })
    const [moved, kept] = found.schedules[0]?.layers ?? []
    assert.equal(found.schedules[0]?.timeZone, 'UTC')
    assert.deepEqual(
      [moved?.first, moved?.begins, moved?.windows],
      [nine - 3 * 3_600_000, nine - 3 * 3_600_000, [{ starts: 360, lasts: 480 }]],
    )
    assert.deepEqual([kept?.first, kept?.windows], [nine, null])
    assert.deepEqual(messagesOf(found), [
      'on_call_shifts[0]: Its times are in Europe/Sofia. In Perigee they are in UTC, with the difference that applied when it began.',
    ])
  })

  it('has clocks that change, which is told of turns in hours alone', () => {
    const hourly = { frequency: 'hourly', interval: 12, duration: 12 * 3_600 }
    assert.equal(clockNotes(hourly), 1)
    assert.equal(clockNotes(hourly, 'UTC'), 0)
    assert.equal(clockNotes({ ...hourly, rolling_users: [['ann']] }), 0)
    assert.equal(clockNotes({}), 0)
  })
})

describe('an override of Grafana OnCall', () => {
  it('is on call alone from its start to its end', () => {
    const found = at('2026-10-21T00:00:00', { time_zone: 'Europe/Sofia' })
    assert.deepEqual(found.schedules[0]?.overrides, [
      {
        place: 'on_call_shifts[0]',
        startsAt: new Date('2026-10-20T21:00:00Z'),
        endsAt: new Date('2026-10-20T22:00:00Z'),
        people: ['ann'],
        layers: null,
      },
    ])
    assert.deepEqual(messagesOf(found), [])
  })

  it('is left out once it has ended', () => {
    assert.deepEqual(
      ['2026-10-19T23:00:00', '2026-10-19T23:00:01'].map((start) => at(start).schedules[0]?.overrides.length),
      [0, 1],
    )
  })

  it('is noted where it was a shift of its level', () => {
    assert.match(
      messagesOf(at('2026-10-21T00:00:00', { type: 'single_event' })).join(),
      /takes precedence over all layers/,
    )
  })
})
