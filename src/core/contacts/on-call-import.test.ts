import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createLocalClock } from '#core/language/local-clock.ts'
import { grafanaExport, opsgenieExport, pagerdutyExport } from '../../../test/support/on-call-exports.ts'
import {
  OnCallImportError,
  type OnCallSource,
  type OnCallSourceName,
  type SourceSchedule,
  onCallSources,
} from './on-call-import.ts'
import { makeSchedules, readOnCall } from './on-call-import-schedules.ts'
import { onCallAt } from './on-call-shifts.ts'

const exports = { opsgenie: opsgenieExport, pagerduty: pagerdutyExport, grafana_oncall: grafanaExport }
const minuteMs = 60_000
const dayMs = 86_400_000

/** A contact for each person, whose last digits are the number of the person. */
function contactsOf({ people }: Pick<OnCallSource, 'people'>): Map<string, string> {
  return new Map(
    [...people.keys()].map((id, index) => [id, `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`]),
  )
}

/** Who is on call at each of the moments in all schedules together, by the ids that the source has. */
function imported(source: OnCallSource, now: Date) {
  const contacts = contactsOf(source)
  const ids = new Map([...contacts].map(([id, contactId]) => [contactId, id]))
  const { schedules, notes } = makeSchedules(source, { contacts, leftOut: new Set(), now })
  const at = (moment: Date): string[] =>
    schedules
      .flatMap(({ schedule, overrides }) =>
        onCallAt(
          {
            timeZone: schedule.time_zone,
            layers: schedule.layers,
            overrides: overrides.map((each, index) => ({
              id: String(index),
              startsAt: new Date(each.starts_at),
              endsAt: new Date(each.ends_at),
              contactId: each.contact_id,
            })),
          },
          moment,
        ),
      )
      .map((contactId) => ids.get(contactId) ?? contactId)
  return { schedules, notes, at: (moment: Date) => [...new Set(at(moment))].toSorted() }
}

const examples: [source: OnCallSourceName, now: string, onCall: [at: string, who: string[]][]][] = [
  [
    'opsgenie',
    '2026-10-20T00:00Z',
    [
      // Weeks from Monday 2026-01-05 on: that of 2026-10-19 is number 41, Bob's.
      ['2026-10-23T06:00Z', ['u-bob']],
      // Days from 2026-09-01 on, of three people: 2026-10-23 is number 52, Cy's, from 18:00 on.
      ['2026-10-23T14:59Z', ['u-bob']],
      ['2026-10-23T15:00Z', ['u-cy']],
      ['2026-10-24T05:59Z', ['u-cy']],
      ['2026-10-24T06:00Z', ['u-ada']],
      // At 09:00, which is 07:00 of UTC after the change.
      ['2026-10-25T06:59Z', ['u-ada']],
      ['2026-10-25T07:00Z', ['u-bob']],
      ['2026-10-26T06:59Z', ['u-bob']],
      ['2026-10-26T07:00Z', ['u-ada']],
      ['2026-10-28T06:00Z', ['u-cy']],
      ['2026-10-28T12:00Z', ['u-ada']],
    ],
  ],
  [
    'pagerduty',
    '2026-10-25T00:00Z',
    [
      // Weeks from Monday 2026-09-07, 08:00 on: that of 2026-10-26 is number 7, Regina's.
      ['2026-10-31T22:59Z', ['PXPGF42']],
      // Nights from 2026-10-01 on: 2026-10-31 is number 30, Earline's, from 19:00 to 07:00.
      ['2026-10-31T23:00Z', ['PAM4FGS']],
      ['2026-11-01T11:59Z', ['PAM4FGS']],
      ['2026-11-01T12:00Z', ['PXPGF42']],
      ['2026-11-02T12:59Z', ['PXPGF42']],
      ['2026-11-02T13:00Z', ['PAM4FGS']],
      ['2026-11-03T17:00Z', ['PEARLY1']],
      ['2026-11-03T18:00Z', ['PAM4FGS']],
    ],
  ],
  [
    'grafana_oncall',
    '2026-10-20T00:00Z',
    [
      // Weeks from 2026-10-05 on: that of 2026-10-19 is number 2, Ada's. Days from 2026-10-01 on, Cy first.
      ['2026-10-23T05:59Z', ['UCY']],
      ['2026-10-23T06:00Z', ['UADA']],
      ['2026-10-23T14:00Z', ['UCY']],
      ['2026-10-25T21:59Z', ['UCY']],
      ['2026-10-25T22:00Z', ['UADA']],
      ['2026-10-26T06:59Z', ['UADA']],
      ['2026-10-26T07:00Z', ['UBOB', 'UCY']],
      ['2026-10-26T15:00Z', ['UADA']],
      ['2026-10-27T08:30Z', ['UADA']],
      ['2026-10-27T09:30Z', ['UBOB', 'UCY']],
    ],
  ],
]

describe('imported schedules', () => {
  for (const [source, now, onCall] of examples)
    it(`have on call whom ${source} has, over a change of clocks`, () => {
      const read = readOnCall(source, JSON.stringify(exports[source]), new Date(now))
      const { at } = imported(read, new Date(now))
      assert.deepEqual(
        onCall.map(([moment]) => [moment, at(new Date(moment))]),
        onCall,
      )
    })

  it('are as few as who is on call at once', () => {
    const bodies = onCallSources.map((source) => {
      const now = new Date('2026-10-20T00:00Z')
      const { schedules } = imported(readOnCall(source, JSON.stringify(exports[source]), now), now)
      return schedules.map(({ schedule }) => [schedule.name, schedule.layers.map(({ name }) => name)])
    })
    assert.deepEqual(bodies, [
      [['Shop_schedule', ['Business hours', 'Off hours']]],
      [
        ['Demo schedule', ['Base', 'Business hours']],
        ['Demo schedule (2)', ['Business hours']],
      ],
      [['Daily Engineering Rotation', ['Base', 'Nights']]],
    ])
  })
})

describe('what has no place in a schedule', () => {
  const now = new Date('2026-10-20T00:00Z')
  const [rotation] = opsgenieExport.data[0]?.rotations ?? []
  const [layer] = pagerdutyExport.schedule.schedule_layers
  const [shift] = grafanaExport.on_call_shifts
  const opsgenie = (change: object) => ({
    data: [{ name: 'A', timezone: 'UTC', rotations: [{ ...rotation, ...change }] }],
  })
  const pagerduty = (change: object) => ({
    schedule: { name: 'A', time_zone: 'Europe/Sofia', schedule_layers: [{ ...layer, ...change }] },
  })
  const grafana = (change: object) => ({
    schedules: [{ name: 'A', type: 'calendar', time_zone: 'UTC', shifts: ['OWEEKS'] }],
    on_call_shifts: [{ ...shift, ...change }],
  })
  const people = rotation?.participants ?? []
  const cases: [source: OnCallSourceName, content: object, note: [place: string, effect: string, message: RegExp]][] = [
    ['opsgenie', opsgenie({ enabled: false }), ['data[0].rotations[0]', 'lost', /switched off/]],
    [
      'opsgenie',
      opsgenie({ endDate: '2026-02-01T00:00:00Z' }),
      ['data[0].rotations[0]', 'lost', /ended on 2026-02-01/],
    ],
    [
      'opsgenie',
      opsgenie({ endDate: '2027-02-01T00:00:00Z' }),
      ['data[0].rotations[0]', 'changed', /ends on 2027-02-01/],
    ],
    [
      'opsgenie',
      opsgenie({ participants: [...people, { type: 'none' }] }),
      ['data[0].rotations[0]', 'changed', /no one is on call/],
    ],
    [
      'opsgenie',
      opsgenie({ participants: [{ type: 'team', id: 't1', name: 'ops' }] }),
      ['data[0].rotations[0].participants[0]', 'changed', /a team/],
    ],
    [
      'opsgenie',
      opsgenie({ type: 'hourly', length: 9_000 }),
      ['data[0].rotations[0]', 'lost', /longer than 8760 hours/],
    ],
    ['opsgenie', opsgenie({ startDate: '2026-11-03T10:00:00Z' }), ['data[0].rotations[0]', 'changed', /^$/]],
    [
      'pagerduty',
      pagerduty({ rotation_turn_length_seconds: 5_400 }),
      ['schedule.schedule_layers[0]', 'lost', /whole hours/],
    ],
    [
      'pagerduty',
      pagerduty({ rotation_turn_length_seconds: 43_200 }),
      ['schedule.schedule_layers[0]', 'changed', /clocks change/],
    ],
    [
      'pagerduty',
      pagerduty({ start: '2026-12-01T10:00:00Z' }),
      ['schedule.schedule_layers[0]', 'changed', /earlier than in the file/],
    ],
    [
      'pagerduty',
      pagerduty({ rotation_virtual_start: '2026-10-01T19:00:30Z' }),
      ['schedule.schedule_layers[0]', 'changed', /seconds are left out/],
    ],
    [
      'pagerduty',
      pagerduty({ restrictions: [{ type: 'daily_restriction', start_time_of_day: '10:00:00', duration_seconds: 90 }] }),
      ['schedule.schedule_layers[0]', 'changed', /seconds are rounded/],
    ],
    ['grafana_oncall', grafana({ frequency: 'monthly' }), ['on_call_shifts[0]', 'lost', /by the month/]],
    ['grafana_oncall', grafana({ interval: 2 }), ['on_call_shifts[0]', 'lost', /weekdays of some weeks/]],
    [
      'grafana_oncall',
      grafana({ frequency: 'daily' }),
      ['on_call_shifts[0]', 'lost', /one chosen weekday to the next/],
    ],
    ['grafana_oncall', grafana({ by_day: null, interval: 2 }), ['on_call_shifts[0]', 'lost', /does not repeat weekly/]],
    ['grafana_oncall', grafana({ by_day: null, duration: 700_000 }), ['on_call_shifts[0]', 'lost', /turns overlap/]],
    ['grafana_oncall', grafana({ frequency: null }), ['on_call_shifts[0]', 'lost', /no frequency/]],
    [
      'grafana_oncall',
      grafana({ type: 'single_event', users: ['UADA'], start: '2026-12-01T00:00:00' }),
      ['on_call_shifts[0]', 'changed', /takes precedence over all layers/],
    ],
    [
      'grafana_oncall',
      grafana({ rolling_users: [['a', 'b', 'c', 'd', 'e', 'f']] }),
      ['schedules[0]', 'lost', /More than 5 people/],
    ],
    [
      'grafana_oncall',
      { schedules: [{ name: 'A', type: 'ical' }], on_call_shifts: [] },
      ['schedules[0]', 'lost', /calendar elsewhere/],
    ],
  ]
  for (const [source, content, [place, effect, message]] of cases)
    it(`is told: ${place} of ${source}, ${effect}, ${message.source}`, () => {
      const { notes } = imported(readOnCall(source, JSON.stringify(content), now), now)
      const found = notes.find((note) => note.place === place && note.effect === effect && message.test(note.message))
      if (message.source === '^$') assert.deepEqual(notes, [])
      else assert.ok(found !== undefined, JSON.stringify(notes))
    })
})

describe('an export that is wrong', () => {
  const now = new Date('2026-10-20T00:00Z')
  const cases: [source: OnCallSourceName, content: string, message: string][] = [
    ['opsgenie', '{', 'It is not JSON.'],
    ['opsgenie', '[]', 'Invalid input: expected object, received array'],
    [
      'grafana_oncall',
      JSON.stringify({ schedules: [], on_call_shifts: [{ ...grafanaExport.on_call_shifts[0], start: 'soon' }] }),
      'on_call_shifts[0].start: Must be a time such as 2026-11-02T09:00:00.',
    ],
    [
      'opsgenie',
      JSON.stringify({ data: [{ ...opsgenieExport.data[0], timezone: 'Mars/Base' }] }),
      'data[0].timezone: Must be a time zone of the IANA database, such as Europe/Sofia.',
    ],
    [
      'pagerduty',
      JSON.stringify({ schedule: { name: 'A', time_zone: 'UTC' } }),
      'schedule.schedule_layers: Must be a list.',
    ],
    [
      'pagerduty',
      JSON.stringify({ schedules: Array.from({ length: 51 }, () => pagerdutyExport.schedule) }),
      'The file has 51 schedules. At most 50 can be imported at once.',
    ],
    [
      'opsgenie',
      JSON.stringify({
        data: Array.from({ length: 50 }, () => ({
          name: 'A',
          timezone: 'UTC',
          rotations: Array(4).fill(opsgenieExport.data[0]?.rotations[0]),
        })),
      }),
      'The file has 200 rotations. At most 150 can be imported at once.',
    ],
    ['opsgenie', `{"data":[${'[],'.repeat(60_000)}[]]}`, 'It is too large to be read at once.'],
  ]
  for (const [source, content, message] of cases)
    it(`is refused: ${message}`, () => {
      assert.throws(() => readOnCall(source, content, now), new OnCallImportError(message))
    })

  it('is refused with the place, or read, whatever is in it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...onCallSources), fc.integer({ min: 0 }), fc.jsonValue(), (source, at, value) => {
        const nodes: [holder: object, key: string][] = []
        const copy: unknown = structuredClone(exports[source])
        const collect = (holder: unknown): void => {
          if (typeof holder !== 'object' || holder === null) return
          for (const [key, child] of Object.entries(holder)) {
            nodes.push([holder, key])
            collect(child)
          }
        }
        collect(copy)
        const [holder, key] = nodes[at % nodes.length] ?? assert.fail()
        Object.assign(holder, { [key]: value })
        try {
          imported(readOnCall(source, JSON.stringify(copy), now), now)
        } catch (error) {
          assert.ok(error instanceof OnCallImportError, String(error))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('is refused, whatever text it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...onCallSources), fc.oneof(fc.string(), fc.json()), (source, content) => {
        assert.throws(() => readOnCall(source, content, now), OnCallImportError)
      }),
    )
  })
})

const randomLayer = fc.record({
  level: fc.integer({ min: 0, max: 2 }),
  turns: fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 }), {
    minLength: 1,
    maxLength: 3,
  }),
  rotation: fc.constantFrom(
    { every: 12, unit: 'hours' } as const,
    { every: 1, unit: 'days' } as const,
    { every: 1, unit: 'weeks' } as const,
  ),
  hour: fc.integer({ min: 0, max: 200 }),
  turnsAhead: fc.option(fc.integer({ min: 1, max: 3 })),
  windows: fc.option(
    fc.array(fc.record({ starts: fc.integer({ min: 0, max: 335 }), lasts: fc.integer({ min: 1, max: 150 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
  ),
})

describe('schedules made of layers of several levels', () => {
  it('together have on call exactly the layers of the highest level', () => {
    fc.assert(
      fc.property(fc.array(randomLayer, { minLength: 1, maxLength: 4 }), (layers) => {
        const now = new Date('2026-10-23T00:00Z')
        const clock = createLocalClock('Europe/Sofia')
        const schedule: SourceSchedule = {
          place: 'it',
          name: 'It',
          timeZone: 'Europe/Sofia',
          overrides: [],
          layers: layers.map(({ hour, turnsAhead, windows, ...layer }, index) => {
            const first = Date.UTC(2026, 9, 12) + hour * 3_600_000
            const lasts =
              layer.rotation.every * { hours: 3_600_000, days: dayMs, weeks: 7 * dayMs }[layer.rotation.unit]
            return {
              ...layer,
              id: String(index),
              place: 'it',
              name: null,
              first,
              begins: turnsAhead === null ? first : first + turnsAhead * lasts,
              windows: windows?.map(({ starts, lasts: half }) => ({ starts: starts * 30, lasts: half * 30 })) ?? null,
            }
          }),
        }
        const people = new Map(['a', 'b', 'c'].map((id) => [id, { id, name: null, mail: null }]))
        const { at, notes } = imported({ schedules: [schedule], people, notes: [] }, now)
        if (notes.some(({ effect }) => effect === 'lost')) return
        for (let halves = 0; halves < 5 * 48; halves += 1) {
          const moment = new Date(now.getTime() + halves * 30 * minuteMs)
          assert.deepEqual(at(moment), watched(schedule, clock.at(moment.getTime())), moment.toISOString())
        }
      }),
      { numRuns: 60 },
    )
  })
})

/** Who is on call at a local time, as the source means it. */
function watched({ layers }: SourceSchedule, local: number): string[] {
  const minute = (((local / minuteMs - 4 * 1440) % 10_080) + 10_080) % 10_080
  const active = layers.filter(
    ({ begins, windows }) =>
      begins <= local &&
      (windows === null ||
        windows.some(({ starts, lasts }) =>
          [0, 10_080].some((week) => starts <= minute + week && minute + week < starts + lasts),
        )),
  )
  const top = Math.max(...active.map(({ level }) => level))
  const groups = active
    .filter(({ level }) => level === top)
    .map(({ turns, first, rotation: { every, unit } }) => {
      const lasts = every * { hours: 3_600_000, days: dayMs, weeks: 7 * dayMs }[unit]
      return turns[Math.floor((local - first) / lasts) % turns.length] ?? []
    })
  return [...new Set(groups.flat())].toSorted()
}
