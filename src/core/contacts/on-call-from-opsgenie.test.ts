import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readOpsgenie } from './on-call-from-opsgenie.ts'
import { OnCallImportError, type OnCallSource } from './on-call-import.ts'

const now = new Date('2026-10-20T00:00:00Z')
const [ofDay, ofWeek] = [1440, 10_080]
const ann = { type: 'user', id: 'ann' }
const weekly = { id: 'R', startDate: '2026-05-04T09:00:00Z', type: 'weekly', participants: [ann] }
const utc = { id: 'D', name: 'Shop', timezone: 'UTC' }
const later = { user: ann, startDate: '2026-10-21T00:00:00Z', endDate: '2026-10-22T00:00:00Z' }

function many<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one)
}

/** What is read of an export of one schedule with this rotation, and with more beside it. */
function read(
  rotation: object,
  { schedule = {}, beside = {} }: { schedule?: object; beside?: object } = {},
): OnCallSource {
  const data = [{ ...utc, rotations: [{ ...weekly, ...rotation }], ...schedule }]
  return readOpsgenie(JSON.stringify({ data, ...beside }), now)
}

const layerOf = ({ schedules }: OnCallSource) => schedules[0]?.layers[0]
const messagesOf = ({ notes }: OnCallSource): string[] => notes.map(({ place, message }) => `${place}: ${message}`)
const ofTimes = (restriction: object) => ({ timeRestriction: { type: 'time-of-day', restriction } })
const ofDays = (...restrictions: object[]) => ({ timeRestriction: { type: 'weekday-and-time-of-day', restrictions } })

describe('an export of Opsgenie', () => {
  const times = { startHour: 9, endHour: 17 }
  const days = { startDay: 'MONDAY', endDay: 'FRIDAY', ...times }
  const limits: [what: string, fits: object[], isOver: object[]][] = [
    ['hours at which it starts', [{ startHour: 0 }, { startHour: 23 }], [{ startHour: -1 }, { startHour: 24 }]],
    ['minutes at which it starts', [{ startMin: 0 }, { startMin: 59 }], [{ startMin: -1 }, { startMin: 60 }]],
    ['hours at which it ends', [{ endHour: 0 }, { endHour: 24 }], [{ endHour: -1 }, { endHour: 25 }]],
    ['minutes at which it ends', [{ endMin: 0 }, { endMin: 59 }], [{ endMin: -1 }, { endMin: 60 }]],
  ]
  for (const [what, fits, isOver] of limits)
    it(`has so many ${what}, and no more`, () => {
      for (const change of fits) assert.equal(read(ofTimes({ ...times, ...change })).schedules.length, 1)
      for (const change of isOver) assert.throws(() => read(ofTimes({ ...times, ...change })), OnCallImportError)
    })

  const lists: [what: string, fits: () => OnCallSource, isOver: () => OnCallSource][] = [
    ['restrictions', () => read(ofDays(...many(28, days))), () => read(ofDays(...many(29, days)))],
    ['turns of a length', () => read({ length: 10_000 }), () => read({ length: 10_001 })],
    ['turns of a length at least', () => read({ length: 1 }), () => read({ length: 0 })],
    ['participants', () => read({ participants: many(100, ann) }), () => read({ participants: many(101, ann) })],
    [
      'rotations of an override',
      () => read({}, { schedule: { overrides: [{ ...later, rotations: many(100, { id: 'R' }) }] } }),
      () => read({}, { schedule: { overrides: [{ ...later, rotations: many(101, { id: 'R' }) }] } }),
    ],
    [
      'overrides',
      () => read({}, { schedule: { overrides: many(1_000, later) } }),
      () => read({}, { schedule: { overrides: many(1_001, later) } }),
    ],
    [
      'rotations',
      () => read({}, { schedule: { rotations: many(30, weekly) } }),
      () => read({}, { schedule: { rotations: many(31, weekly) } }),
    ],
    [
      'schedules',
      () => read({}, { beside: { data: many(100, { ...utc, rotations: [] }) } }),
      () => read({}, { beside: { data: many(101, { ...utc, rotations: [] }) } }),
    ],
    [
      'users',
      () => read({}, { beside: { users: many(2_000, { id: 'u', username: 'u' }) } }),
      () => read({}, { beside: { users: many(2_001, { id: 'u', username: 'u' }) } }),
    ],
  ]
  for (const [what, fits, isOver] of lists)
    it(`has so many ${what}, and no more`, () => {
      assert.ok(fits().schedules.length > 0)
      assert.throws(isOver, OnCallImportError)
    })

  it('has its layer, which changes hands each week where it tells no length', () => {
    const start = Date.UTC(2026, 4, 4, 9)
    assert.deepEqual(layerOf(read({})), {
      id: 'R',
      place: 'data[0].rotations[0]',
      name: null,
      level: 0,
      turns: [['ann']],
      rotation: { every: 1, unit: 'weeks' },
      first: start,
      begins: start,
      windows: null,
    })
    const found = layerOf(read({ id: undefined, name: 'Days', type: 'daily', length: 3 }))
    assert.deepEqual(
      [found?.id, found?.name, found?.rotation],
      ['data[0].rotations[0]', 'Days', { every: 3, unit: 'days' }],
    )
  })

  it('may be of one schedule alone', () => {
    const alone = readOpsgenie(JSON.stringify({ data: { ...utc, rotations: [weekly] } }), now)
    assert.deepEqual(alone, read({}))
  })

  it('leaves out what is switched off', () => {
    assert.deepEqual(messagesOf(read({ enabled: false })), [
      'data[0].rotations[0]: It is switched off, so it is left out.',
    ])
    const found = read({}, { schedule: { enabled: false } })
    assert.deepEqual(
      [found.schedules, messagesOf(found)],
      [[], ['data[0]: Shop is switched off there and is left out.']],
    )
  })

  it('tells of turns in hours alone that clocks change', () => {
    const told = (['hourly', 'daily'] as const).map((type) => {
      const found = read({ type, length: 12 }, { schedule: { timezone: 'Europe/Sofia' } })
      return messagesOf(found).filter((message) => /clocks change/.test(message)).length
    })
    assert.deepEqual(told, [1, 0])
  })

  const restricted: [what: string, rotation: object, windows: [starts: number, lasts: number][] | null][] = [
    [
      'hours of each day',
      ofTimes({ startHour: 9, startMin: 5, endHour: 17, endMin: 10 }),
      many(7, 0).map((_, index) => [index * ofDay + 545, 485]),
    ],
    ['whole hours', ofTimes({ startHour: 9, endHour: 17 }), many(7, 0).map((_, index) => [index * ofDay + 540, 480])],
    [
      'hours over midnight',
      ofTimes({ startHour: 22, endHour: 6, endMin: 30 }),
      many(7, 0).map((_, index) => [index * ofDay + 1320, 510]),
    ],
    [
      'hours to the end of the day',
      ofTimes({ startHour: 12, endHour: 24 }),
      many(7, 0).map((_, index) => [index * ofDay + 720, 720]),
    ],
    ['a day from an hour to the same', ofTimes({ startHour: 9, endHour: 9 }), null],
    ['weekdays', ofDays({ ...days, endMin: 30 }), [[540, 4 * ofDay + 510]]],
    ['weekdays in small letters', ofDays({ ...days, startDay: 'monday', endDay: 'Monday' }), [[540, 480]]],
    [
      'a weekend',
      ofDays({ startDay: 'FRIDAY', startHour: 18, endDay: 'MONDAY', endHour: 9 }),
      [[4 * ofDay + 1080, 2 * ofDay + 900]],
    ],
    ['a week from an hour to the same', ofDays({ ...days, endDay: 'MONDAY', endHour: 9 }), null],
    ['all but an hour of a week', ofDays({ ...days, endDay: 'MONDAY', endHour: 8 }), [[540, ofWeek - 60]]],
  ]
  for (const [what, rotation, windows] of restricted)
    it(`is on call for ${what}`, () => {
      const found = layerOf(read(rotation))?.windows ?? null
      const sorted = found?.toSorted((one, other) => one.starts - other.starts) ?? null
      assert.deepEqual(sorted, windows?.map(([starts, lasts]) => ({ starts, lasts })) ?? null)
    })
})

describe('who takes part in a rotation of Opsgenie', () => {
  const users = [{ id: 'ann', username: 'ann@a.example', fullName: 'Ann' }]
  const told: [participant: object, turn: string[], person: object | null, note: RegExp | null][] = [
    [{ type: 'user', id: 'ann' }, ['ann'], { id: 'ann', name: 'Ann', mail: null }, null],
    [
      { type: 'user', id: 'ann', username: 'a@a.example' },
      ['ann'],
      { id: 'ann', name: 'Ann', mail: 'a@a.example' },
      null,
    ],
    [
      { type: 'user', username: 'bob@a.example' },
      ['bob@a.example'],
      { id: 'bob@a.example', name: null, mail: 'bob@a.example' },
      null,
    ],
    [{ type: 'user', id: 'b', username: 'bob' }, ['b'], { id: 'b', name: 'bob', mail: null }, null],
    [{ type: 'user', id: 'b', username: 'bob', name: 'Bob' }, ['b'], { id: 'b', name: 'Bob', mail: null }, null],
    [{ type: 'team', id: 't', name: 'ops' }, ['t'], { id: 't', name: 'ops', mail: null }, /It is a team there/],
    [{ type: 'escalation', id: 'e' }, ['e'], { id: 'e', name: null, mail: null }, /It is an escalation policy there/],
    [{ type: 'none', id: 'x' }, [], null, null],
    [{ type: 'user' }, [], null, null],
  ]
  for (const [participant, turn, person, note] of told)
    it(`is ${JSON.stringify(participant)}`, () => {
      const found = read({ participants: [participant] }, { beside: { users } })
      assert.deepEqual(layerOf(found)?.turns, [turn])
      assert.deepEqual([...found.people.values()], person === null ? [] : [person])
      assert.match(messagesOf(found).join(), note ?? /^$/)
    })
})

const own = (...overrides: object[]) => read({}, { schedule: { overrides } }).schedules[0]?.overrides ?? []

/** What is read with an override beside the schedules, which names one of them or none. */
function named(id?: string): OnCallSource {
  const override = { ...later, ...(id === undefined ? {} : { _parent: { id } }) }
  return read({}, { beside: { overrides: [override] } })
}

describe('an override of Opsgenie', () => {
  const started = '2026-10-19T00:00:00Z'

  it('is on call in place of all rotations, or of those that it names', () => {
    const [all, alsoAll, some] = own(later, { ...later, rotations: [] }, { ...later, rotations: [{ id: 'R' }] })
    assert.deepEqual(all, {
      place: 'data[0].overrides[0]',
      startsAt: new Date(later.startDate),
      endsAt: new Date(later.endDate),
      people: ['ann'],
      layers: null,
    })
    assert.deepEqual([alsoAll?.layers, some?.layers], [null, ['R']])
  })

  it('is left out once it has ended, or where it never begins', () => {
    const ends = (startDate: string, endDate: string): number => own({ ...later, startDate, endDate }).length
    assert.deepEqual([ends(started, '2026-10-20T00:00:00Z'), ends(started, '2026-10-20T00:00:01Z')], [0, 1])
    assert.deepEqual([ends(later.startDate, later.startDate), ends(later.endDate, later.startDate)], [0, 0])
  })

  it('belongs to the schedule that it names, and is told where the file has none of it', () => {
    assert.deepEqual([named('D').schedules[0]?.overrides.length, messagesOf(named('D'))], [1, []])
    for (const id of ['other', undefined]) {
      const found = named(id)
      assert.equal(found.schedules[0]?.overrides.length, 0)
      assert.deepEqual(messagesOf(found), ['overrides[0]: The file does not have the schedule of this override.'])
    }
  })

  it('that names no schedule is none of a schedule without an id', () => {
    const found = read({}, { schedule: { id: undefined }, beside: { overrides: [later] } })
    assert.deepEqual([found.schedules[0]?.overrides.length, found.notes.length], [0, 1])
  })
})
