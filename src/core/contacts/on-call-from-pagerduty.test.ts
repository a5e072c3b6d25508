import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPagerduty } from './on-call-from-pagerduty.ts'
import { OnCallImportError, type OnCallSource } from './on-call-import.ts'

const now = new Date('2026-10-20T00:00:00Z')
const [ofDay, day] = [1440, 86_400]
const ann = { user: { id: 'ann' } }
const weekly = {
  id: 'L',
  start: '2026-05-04T09:00:00Z',
  rotation_virtual_start: '2026-05-04T09:00:00Z',
  rotation_turn_length_seconds: 7 * day,
  users: [ann],
}
const utc = { name: 'Shop', time_zone: 'UTC' }
const nights = { type: 'daily_restriction', start_time_of_day: '20:30:00', duration_seconds: 36_000 }
const later = { ...ann, start: '2026-10-21T00:00:00Z', end: '2026-10-22T00:00:00Z' }

function many<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one)
}

/** What is read of an export of one schedule with this layer, and with more beside it. */
function read(
  layer: object,
  { schedule = {}, users = [] }: { schedule?: object; users?: object[] } = {},
): OnCallSource {
  const whole = { ...utc, schedule_layers: [{ ...weekly, ...layer }], ...schedule }
  return readPagerduty(JSON.stringify({ schedule: whole, users }), now)
}

const layerOf = ({ schedules }: OnCallSource) => schedules[0]?.layers[0]
const messagesOf = ({ notes }: OnCallSource): string[] => notes.map(({ place, message }) => `${place}: ${message}`)
const restrictedBy = (...changes: object[]) => ({
  restrictions: changes.map((change) => Object.assign({}, nights, change)),
})

describe('an export of PagerDuty', () => {
  const weekdays = { type: 'weekly_restriction' }
  const limits: [what: string, fits: object[], isOver: object[]][] = [
    [
      'seconds of a restriction',
      [{ duration_seconds: 1 }, { duration_seconds: 7 * day }],
      [{ duration_seconds: 0 }, { duration_seconds: 7 * day + 1 }],
    ],
    [
      'days of a week',
      [
        { ...weekdays, start_day_of_week: 1 },
        { ...weekdays, start_day_of_week: 7 },
      ],
      [
        { ...weekdays, start_day_of_week: 0 },
        { ...weekdays, start_day_of_week: 8 },
      ],
    ],
    [
      'hours of a day',
      [{ start_time_of_day: '00:00' }, { start_time_of_day: '23:59:59' }],
      [{ start_time_of_day: '24:00' }, { start_time_of_day: '9:00' }],
    ],
  ]
  for (const [what, fits, isOver] of limits)
    it(`has so many ${what}, and no more`, () => {
      for (const change of fits) assert.equal(read(restrictedBy(change)).schedules.length, 1)
      for (const change of isOver) assert.throws(() => read(restrictedBy(change)), OnCallImportError)
    })

  const lists: [what: string, fits: () => OnCallSource, isOver: () => OnCallSource][] = [
    [
      'seconds of a turn',
      () => read({ rotation_turn_length_seconds: 366 * day }),
      () => read({ rotation_turn_length_seconds: 366 * day + 1 }),
    ],
    [
      'seconds of a turn at least',
      () => read({ rotation_turn_length_seconds: 1 }),
      () => read({ rotation_turn_length_seconds: 0 }),
    ],
    ['users of a layer', () => read({ users: many(100, ann) }), () => read({ users: many(101, ann) })],
    ['restrictions', () => read(restrictedBy(...many(28, {}))), () => read(restrictedBy(...many(29, {})))],
    [
      'overrides',
      () => read({}, { schedule: { overrides: many(1_000, later) } }),
      () => read({}, { schedule: { overrides: many(1_001, later) } }),
    ],
    [
      'layers',
      () => read({}, { schedule: { schedule_layers: many(30, weekly) } }),
      () => read({}, { schedule: { schedule_layers: many(31, weekly) } }),
    ],
    ['users', () => read({}, { users: many(2_000, { id: 'u' }) }), () => read({}, { users: many(2_001, { id: 'u' }) })],
    [
      'schedules',
      () => readPagerduty(JSON.stringify({ schedules: many(100, { ...utc, schedule_layers: [] }) }), now),
      () => readPagerduty(JSON.stringify({ schedules: many(101, { ...utc, schedule_layers: [] }) }), now),
    ],
  ]
  for (const [what, fits, isOver] of lists)
    it(`has so many ${what}, and no more`, () => {
      assert.ok(fits().schedules.length > 0)
      assert.throws(isOver, OnCallImportError)
    })

  it('has its layer', () => {
    const start = Date.UTC(2026, 4, 4, 9)
    assert.deepEqual(layerOf(read({})), {
      id: 'L',
      place: 'schedule.schedule_layers[0]',
      name: null,
      turns: [['ann']],
      rotation: { every: 1, unit: 'weeks' },
      first: start,
      begins: start,
      windows: null,
      level: 1,
    })
  })

  it('begins with its turns or with its layer, whichever is later', () => {
    const begins = ['2026-05-03T09:00:00Z', '2026-05-06T09:00:30Z'].map((start) => layerOf(read({ start }))?.begins)
    assert.deepEqual(begins, [Date.UTC(2026, 4, 4, 9), Date.UTC(2026, 4, 6, 9)])
  })

  it('has the layer at the top of its list on top', () => {
    const layers = ['a', 'b', 'c'].map((id) => Object.assign({}, weekly, { id }))
    const { schedules } = read({}, { schedule: { schedule_layers: layers } })
    assert.deepEqual(
      schedules[0]?.layers.map(({ id, level }) => [id, level]),
      [
        ['a', 3],
        ['b', 2],
        ['c', 1],
      ],
    )
  })

  const turns: [seconds: number, every: number | null, unit: string][] = [
    [7 * day, 1, 'weeks'],
    [14 * day, 2, 'weeks'],
    [day, 1, 'days'],
    [8 * day, 8, 'days'],
    [3_600, 1, 'hours'],
    [43_200, 12, 'hours'],
    [5_400, null, ''],
    [day + 1, null, ''],
  ]
  for (const [seconds, every, unit] of turns)
    it(`changes hands after ${seconds} s: ${every ?? 'in no'} ${unit || 'whole hours'}`, () => {
      const found = read({ rotation_turn_length_seconds: seconds })
      assert.deepEqual(layerOf(found)?.rotation ?? null, every === null ? null : { every, unit })
      assert.equal(found.notes.length, every === null ? 1 : 0)
    })

  it('tells of turns in hours alone that clocks change', () => {
    const told = [43_200, day].map((seconds) => {
      const found = read({ rotation_turn_length_seconds: seconds }, { schedule: { time_zone: 'Europe/Sofia' } })
      return messagesOf(found).filter((message) => /clocks change/.test(message)).length
    })
    assert.deepEqual(told, [1, 0])
  })
})

/** Each day, from Monday on. */
const each = (starts: number, lasts: number): [number, number][] =>
  many(7, 0).map((_, index) => [index * ofDay + starts, lasts])

describe('restrictions of PagerDuty', () => {
  const rounded =
    'schedule.schedule_layers[0]: In Perigee, restrictions are in whole minutes, so the seconds are rounded.'
  const told: [what: string, change: object, windows: [starts: number, lasts: number][], notes: string[]][] = [
    ['of each day', { start_time_of_day: '09:30:00', duration_seconds: 28_800 }, each(570, 480), []],
    ['without seconds', { start_time_of_day: '09:30', duration_seconds: 60 }, each(570, 1), []],
    ['of a Monday', { type: 'weekly_restriction', start_day_of_week: 1, duration_seconds: 3_600 }, [[1230, 60]], []],
    [
      'of a Sunday',
      { type: 'weekly_restriction', start_day_of_week: 7, duration_seconds: 3_600 },
      [[6 * ofDay + 1230, 60]],
      [],
    ],
    ['of a few seconds', { start_time_of_day: '09:30', duration_seconds: 20 }, each(570, 1), [rounded]],
    ['of a minute and a half', { start_time_of_day: '09:30', duration_seconds: 90 }, each(570, 2), [rounded]],
    ['from a second on', { start_time_of_day: '09:30:01', duration_seconds: 60 }, each(570, 1), [rounded]],
  ]
  for (const [what, change, windows, notes] of told)
    it(`${what} are windows`, () => {
      const found = read(restrictedBy(change))
      assert.deepEqual(
        layerOf(found)?.windows,
        windows.map(([starts, lasts]) => ({ starts, lasts })),
      )
      assert.deepEqual(messagesOf(found), notes)
    })
})

describe('who takes part in a layer of PagerDuty', () => {
  const users = [{ id: 'ann', summary: 'Known', name: 'Known by name', email: 'known@a.example' }]
  const told: [user: object, listed: object[], name: string | null, mail: string | null][] = [
    [{ id: 'ann' }, [], null, null],
    [{ id: 'ann', summary: 'Ann' }, [], 'Ann', null],
    [{ id: 'ann', summary: 'Ann' }, users, 'Known by name', 'known@a.example'],
    [{ id: 'ann', name: 'Ann', email: 'ann@a.example' }, users, 'Ann', 'ann@a.example'],
    [{ id: 'ann' }, [{ id: 'ann', summary: 'Known' }], 'Known', null],
  ]
  for (const [user, listed, name, mail] of told)
    it(`is ${name ?? 'without a name'} for ${JSON.stringify(user)} beside ${listed.length} users`, () => {
      const { people } = read({ users: [{ user }] }, { users: listed })
      assert.deepEqual([...people.values()], [{ id: 'ann', name, mail }])
    })
})

const own = (...overrides: object[]) => read({}, { schedule: { overrides } }).schedules[0]?.overrides ?? []

describe('overrides of PagerDuty', () => {
  it('are on call in place of all layers', () => {
    assert.deepEqual(own(later), [
      {
        place: 'schedule.overrides[0]',
        startsAt: new Date(later.start),
        endsAt: new Date(later.end),
        people: ['ann'],
        layers: null,
      },
    ])
  })

  it('are left out once they have ended, or where they never begin', () => {
    const lasting = (start: string, end: string): number => own({ ...later, start, end }).length
    const started = '2026-10-19T00:00:00Z'
    assert.deepEqual([lasting(started, '2026-10-20T00:00:00Z'), lasting(started, '2026-10-20T00:00:01Z')], [0, 1])
    assert.deepEqual([lasting(later.start, later.start), lasting(later.end, later.start)], [0, 0])
  })

  it('are the same once, by themselves and as rendered', () => {
    const other = { ...later, user: { id: 'bob' } }
    const overrides_subschedule = {
      rendered_schedule_entries: [later, other, { ...later, end: '2026-10-23T00:00:00Z' }],
    }
    const { schedules } = read({}, { schedule: { overrides: [later], overrides_subschedule } })
    assert.deepEqual(
      schedules[0]?.overrides.map(({ place, people }) => [place, people.join()]),
      [
        ['schedule.overrides[0]', 'ann'],
        ['schedule.overrides_subschedule.rendered_schedule_entries[1]', 'bob'],
        ['schedule.overrides_subschedule.rendered_schedule_entries[2]', 'ann'],
      ],
    )
  })
})
