import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ImportNote, SourceLayer, SourceOverride, SourceSchedule } from './on-call-import.ts'
import { makeSchedules } from './on-call-import-schedules.ts'

const dayMs = 86_400_000
const monday = Date.UTC(2026, 4, 4)
const now = new Date(monday)
const contactOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
/** Ann and Bob have contacts; Cy has none, and so has Dee, who is left out on purpose. */
const contacts = new Map([
  ['ann', contactOf(1)],
  ['bob', contactOf(2)],
])
const [ann, bob] = [contactOf(1), contactOf(2)]
const leftOut = new Set(['dee'])

function layer(changes: Partial<SourceLayer> = {}): SourceLayer {
  return {
    id: 'L',
    place: 'layers[0]',
    name: 'Weekly',
    level: 0,
    turns: [['ann'], ['bob']],
    rotation: { every: 1, unit: 'weeks' },
    first: monday,
    begins: monday,
    windows: null,
    ...changes,
  }
}

function override(changes: Partial<SourceOverride> = {}): SourceOverride {
  const [startsAt, endsAt] = [new Date(monday), new Date(monday + dayMs)]
  return { place: 'overrides[0]', startsAt, endsAt, people: ['bob'], layers: null, ...changes }
}

function make(changes: Partial<SourceSchedule> = {}) {
  const schedule = { place: 'data[0]', name: 'Shop', timeZone: 'UTC', layers: [layer()], overrides: [], ...changes }
  const { schedules, notes } = makeSchedules(
    { schedules: [schedule], people: new Map(), notes: [] },
    { contacts, leftOut, now },
  )
  return { schedules, notes, first: schedules[0]?.schedule.layers[0], overrides: schedules[0]?.overrides ?? [] }
}

const messagesOf = (notes: readonly ImportNote[]): string[] =>
  notes.map(({ effect, message }) => `${effect}: ${message}`)
const windows = (count: number) => Array.from({ length: count }, (_, day) => ({ starts: day * 61, lasts: 60 }))
const turns = (count: number): string[][] => Array.from({ length: count }, () => ['ann'])

/** Each wins over those before it. */
const levels = (count: number): SourceLayer[] =>
  Array.from({ length: count }, (_, level) => layer({ id: `L${level}`, level, windows: windows(level + 1).slice(-1) }))
const lasting = (ms: number) => make({ overrides: [override({ endsAt: new Date(monday + ms) })] })
const overridesOf = (count: number): SourceOverride[] =>
  Array.from({ length: count }, (_, index) => override({ place: `overrides[${index}]` }))

describe('a layer of an import', () => {
  it('that fits is made as it is', () => {
    const { first, notes } = make()
    assert.deepEqual(notes, [])
    assert.deepEqual(first, {
      name: 'Weekly',
      participants: [ann, bob],
      rotation: { every: 1, unit: 'weeks' },
      hand_over: '00:00',
      weekday: null,
      start_date: '2026-05-04',
      restrictions: [],
    })
  })

  const edges: [what: string, fits: Partial<SourceLayer>, isOver: Partial<SourceLayer>, why: RegExp][] = [
    [
      'hours of a turn',
      { rotation: { every: 8760, unit: 'hours' } },
      { rotation: { every: 8761, unit: 'hours' } },
      /longer than 8760 hours/,
    ],
    [
      'days of a turn',
      { rotation: { every: 366, unit: 'days' } },
      { rotation: { every: 367, unit: 'days' } },
      /longer than 366 days/,
    ],
    [
      'weeks of a turn',
      { rotation: { every: 52, unit: 'weeks' } },
      { rotation: { every: 53, unit: 'weeks' } },
      /longer than 52 weeks/,
    ],
    ['turns', { turns: turns(50) }, { turns: turns(51) }, /more than 50 turns/],
    ['restrictions', { windows: windows(10) }, { windows: windows(11) }, /more than 10 restrictions/],
    ['windows', { windows: windows(1) }, { windows: [] }, /leave no time at all/],
  ]
  for (const [what, fits, isOver, why] of edges)
    it(`has so many ${what}, and is left out with others`, () => {
      assert.deepEqual(make({ layers: [layer(fits)] }).notes, [])
      const { first, notes } = make({ layers: [layer(isOver)] })
      assert.equal(first, undefined)
      assert.match(messagesOf(notes).join(), new RegExp(`^lost: .*${why.source}`))
    })

  it('leaves out turns without people, and says so', () => {
    const { first, notes } = make({ layers: [layer({ turns: [['ann'], [], ['bob']] })] })
    assert.deepEqual(first?.participants, [ann, bob])
    assert.deepEqual(messagesOf(notes), [
      'changed: In some of its turns, no one is on call. These are left out, and the other turns follow one another.',
    ])
  })

  const without: [what: string, turn: string[], isTold: boolean][] = [
    ['of a person who is left out', ['dee'], true],
    ['of a person who is left out and another', ['dee', 'bob'], false],
    ['of a person without a contact', ['cy'], false],
  ]
  for (const [what, turn, isTold] of without)
    it(`${isTold ? 'says' : 'does not say'} that a turn ${what} is left out`, () => {
      const { first, notes } = make({ layers: [layer({ turns: [['ann'], turn] })] })
      assert.deepEqual(first?.participants, turn.includes('bob') ? [ann, bob] : [ann])
      const told = messagesOf(notes).filter((message) => message.includes('People without a contact'))
      assert.equal(told.length, isTold ? 1 : 0)
    })

  it('has no name where there is none', () => {
    for (const name of [null, ' ']) assert.equal(make({ layers: [layer({ name })] }).first?.name, null)
  })
})

describe('the beginning of a layer', () => {
  const cases: [what: string, given: Partial<SourceLayer>, date: string, participants: string[], isEarly: boolean][] = [
    ['that has begun', { first: monday - 7 * dayMs, begins: monday - 7 * dayMs }, '2026-04-27', [ann, bob], false],
    ['of this moment', { first: monday, begins: monday }, '2026-05-04', [ann, bob], false],
    [
      'of this moment, turns after the first',
      { first: monday - 10 * dayMs, begins: monday },
      '2026-04-24',
      [ann, bob],
      false,
    ],
    ['to come, at a hand-over', { begins: monday + 7 * dayMs }, '2026-05-11', [bob, ann], false],
    ['to come, within a turn', { begins: monday + 8 * dayMs }, '2026-05-11', [bob, ann], true],
    ['before 2000', { first: Date.UTC(1999, 11, 27), begins: 0 }, '2000-01-03', [bob, ann], false],
    ['on the first day that there is', { first: Date.UTC(2000, 0, 2), begins: 0 }, '2000-01-02', [ann, bob], false],
    ['on the day before', { first: Date.UTC(2000, 0, 1), begins: 0 }, '2000-01-08', [bob, ann], false],
  ]
  for (const [what, given, date, participants, isEarly] of cases)
    it(`${what} is ${date}`, () => {
      const { first, notes } = make({ layers: [layer(given)] })
      assert.deepEqual([first?.start_date, first?.participants], [date, participants])
      const told = messagesOf(notes).filter((message) => message.includes('begins with a whole turn'))
      assert.equal(told.length, isEarly ? 1 : 0)
    })
})

describe('a schedule of an import', () => {
  it('has ten layers, and with more it is left out', () => {
    assert.equal(make({ layers: levels(10) }).first?.name, 'Weekly')
    const { schedules, notes } = make({ layers: levels(11) })
    assert.deepEqual(schedules, [])
    assert.deepEqual(messagesOf(notes), ['lost: It would take more than 10 layers, so it is left out.'])
  })

  it('has no layer that another one hides from this moment on', () => {
    const { schedules } = make({ layers: [layer({ id: 'below' }), layer({ id: 'above', name: 'Above', level: 1 })] })
    assert.deepEqual(
      schedules[0]?.schedule.layers.map(({ name }) => name),
      ['Above'],
    )
  })

  it('is two where two are on call at once, and says so', () => {
    const { schedules, notes } = make({ layers: [layer({ turns: [['ann', 'bob']] })] })
    assert.deepEqual(
      schedules.map(({ schedule }) => schedule.name),
      ['Shop', 'Shop (2)'],
    )
    assert.match(messagesOf(notes).join(), /^changed: Up to 2 people are on call at once/)
  })

  it('of which nothing is left is one without layers', () => {
    const { schedules } = make({ layers: [] })
    assert.deepEqual(
      schedules.map(({ schedule }) => schedule.layers),
      [[]],
    )
  })

  const long = 'ä'.repeat(160)
  for (const [name, made, isCut] of [
    [long, long, false],
    [`${long}x`, long, true],
    [' ', 'data[0]', false],
  ] as const)
    it(`has a name of 160 characters at most, as of ${name.length}`, () => {
      const { schedules, notes } = make({ name })
      assert.equal(schedules[0]?.schedule.name, made)
      assert.deepEqual(messagesOf(notes), isCut ? ['changed: Its name is cut to 160 characters.'] : [])
    })

  it('and its second have names of 160 characters at most', () => {
    const { schedules } = make({ name: `${'a'.repeat(155)}bcdef`, layers: [layer({ turns: [['ann', 'bob']] })] })
    assert.equal(schedules[1]?.schedule.name, `${'a'.repeat(155)} (2)`)
  })
})

describe('an override of an import', () => {
  it('is made of those that come first, whatever their order', () => {
    const one = override({ startsAt: new Date(monday + 2 * dayMs), endsAt: new Date(monday + 3 * dayMs) })
    const { overrides, notes } = make({ overrides: [one, override()] })
    assert.deepEqual(notes, [])
    assert.deepEqual(overrides, [
      { starts_at: '2026-05-04T00:00:00.000Z', ends_at: '2026-05-05T00:00:00.000Z', contact_id: bob },
      { starts_at: '2026-05-06T00:00:00.000Z', ends_at: '2026-05-07T00:00:00.000Z', contact_id: bob },
    ])
  })

  it('lasts 366 days at most', () => {
    assert.equal(lasting(366 * dayMs).overrides.length, 1)
    const { overrides, notes } = lasting(366 * dayMs + 1)
    assert.deepEqual([overrides, messagesOf(notes)], [[], ['lost: It is longer than 366 days, so it is left out.']])
  })

  const people: [what: string, people: string[], isTold: boolean][] = [
    ['of nobody', [], true],
    ['of a person who is left out', ['dee'], true],
    ['of a person without a contact', ['cy'], false],
  ]
  for (const [what, given, isTold] of people)
    it(`${what} is left out, ${isTold ? 'which is told' : 'as the person is'}`, () => {
      const { overrides, notes } = make({ overrides: [override({ people: given })] })
      assert.deepEqual(overrides, [])
      assert.deepEqual(messagesOf(notes), isTold ? ['lost: It has no one left, so it is left out.'] : [])
    })

  const replaced = /^changed: In the file, it replaces some of the rotations/
  const layers = [layer({ id: 'low', windows: windows(1) }), layer({ id: 'other', windows: windows(2).slice(-1) })]
  const chosen: [what: string, ids: string[] | null, isTold: boolean][] = [
    ['all', null, false],
    ['each by name', ['low', 'other'], false],
    ['one', ['low'], true],
    ['one that is not read', ['gone'], true],
  ]
  for (const [what, ids, isTold] of chosen)
    it(`of rotations, ${what}, replaces everyone${isTold ? ', and says so' : ''}`, () => {
      const { overrides, notes } = make({ layers, overrides: [override({ layers: ids })] })
      assert.equal(overrides.length, 1)
      if (isTold) assert.match(messagesOf(notes).join(), replaced)
      else assert.deepEqual(notes, [])
    })

  it('of a person who has none is told of no rotation', () => {
    const { notes } = make({ layers, overrides: [override({ layers: ['low'], people: ['cy'] })] })
    assert.deepEqual(notes, [])
  })

  it('of a rotation that is another schedule here is none of this one', () => {
    const both = [layer({ id: 'one', turns: [['ann']] }), layer({ id: 'two', turns: [['bob']] })]
    const { schedules } = make({ layers: both, overrides: [override({ layers: ['two'], people: ['ann'] })] })
    assert.deepEqual(
      schedules.map(({ overrides }) => overrides.length),
      [0, 1],
    )
  })

  it('is one of 200 at most, and the first that is left out is named', () => {
    assert.deepEqual(make({ overrides: overridesOf(200) }).notes, [])
    const { overrides, notes } = make({ overrides: overridesOf(202) })
    assert.equal(overrides.length, 200)
    assert.deepEqual(
      notes.map(({ place, effect }) => [place, effect]),
      [['overrides[200]', 'lost']],
    )
  })

  it('that lacks people counts for no limit', () => {
    const { overrides, notes } = make({ overrides: [...overridesOf(200), override({ people: ['cy'] })] })
    assert.deepEqual([overrides.length, notes], [200, []])
  })

  it('is told of once for each place', () => {
    const some = [override({ people: ['dee'] }), override({ people: ['dee'], place: 'overrides[1]' })]
    const { notes } = make({ overrides: some, layers: [layer({ turns: [['ann', 'bob']] })] })
    assert.deepEqual(
      notes.filter(({ effect }) => effect === 'lost').map(({ place }) => place),
      ['overrides[0]', 'overrides[1]'],
    )
  })
})
