import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recurrenceOf } from './on-call-grafana-recurrence.ts'

type Asked = Parameters<typeof recurrenceOf>[0]

const [hour, day] = [3_600, 86_400]
/** Minutes. */
const [ofDay, ofWeek] = [1440, 10_080]
/** In May 2026, of which the 4th is a Monday. */
const at = (date: number, hours = 9): number => Date.UTC(2026, 4, date, hours)

function recurring(changes: Partial<Asked>): ReturnType<typeof recurrenceOf> {
  const shift = { type: 'rolling_users', start: at(4), duration: 8 * hour, frequency: 'weekly', interval: 1 } as const
  return recurrenceOf({ ...shift, isWeb: false, groups: 2, ...changes })
}

/** Each day, from Monday on. */
const daily = (starts: number, lasts: number) =>
  Array.from({ length: 7 }, (_, index) => ({ starts: index * ofDay + starts, lasts }))

describe('a shift of Grafana OnCall', () => {
  const told: [
    what: string,
    changes: Partial<Asked>,
    rotation: [every: number, unit: string],
    windows: { starts: number; lasts: number }[] | null,
  ][] = [
    ['of each week', {}, [1, 'weeks'], [{ starts: 540, lasts: 480 }]],
    ['of each Wednesday', { start: at(6) }, [1, 'weeks'], [{ starts: 2 * ofDay + 540, lasts: 480 }]],
    ['without an interval', { interval: null }, [1, 'weeks'], [{ starts: 540, lasts: 480 }]],
    ['of all of a week', { duration: 7 * day }, [1, 'weeks'], null],
    ['of all but a minute of a week', { duration: 7 * day - 60 }, [1, 'weeks'], [{ starts: 540, lasts: ofWeek - 1 }]],
    ['of two weeks', { duration: 14 * day, interval: 2 }, [2, 'weeks'], null],
    ['of each day', { frequency: 'daily' }, [1, 'days'], daily(540, 480)],
    ['of all of a day', { frequency: 'daily', duration: day }, [1, 'days'], null],
    ['of all of three days', { frequency: 'daily', duration: 3 * day, interval: 3 }, [3, 'days'], null],
    ['of all of twelve hours', { frequency: 'hourly', duration: 12 * hour, interval: 12 }, [12, 'hours'], null],
    [
      'of six hours in twelve',
      { frequency: 'hourly', duration: 6 * hour, interval: 12, start: at(4, 0) },
      [12, 'hours'],
      Array.from({ length: 14 }, (_, index) => ({ starts: index * 720, lasts: 360 })),
    ],
    ['of eight hours in twenty-four', { frequency: 'hourly', interval: 24 }, [24, 'hours'], daily(540, 480)],
    ['of one group', { groups: 1, frequency: 'daily', duration: day }, [1, 'weeks'], null],
    ['of no turns', { type: 'recurrent_event', frequency: 'daily', duration: day }, [1, 'weeks'], null],
    ['of one group, beyond the next one', { groups: 1, duration: 7 * day + 60 }, [1, 'weeks'], null],
    ['of some seconds', { duration: 20 }, [1, 'weeks'], [{ starts: 540, lasts: 1 }]],
    ['of a minute and a half', { duration: 90 }, [1, 'weeks'], [{ starts: 540, lasts: 2 }]],
    [
      'on all days',
      { by_day: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] },
      [1, 'weeks'],
      [{ starts: 540, lasts: 480 }],
    ],
    ['in no months of its own', { by_month: [], by_monthday: [] }, [1, 'weeks'], [{ starts: 540, lasts: 480 }]],
  ]
  for (const [what, changes, [every, unit], windows] of told)
    it(`${what} is on call as it was`, () => {
      const found = recurring(changes)
      assert.ok(typeof found === 'object', typeof found === 'string' ? found : '')
      const start = changes.start ?? at(4)
      assert.deepEqual(found, { rotation: { every, unit }, first: start, begins: start, windows })
    })

  const begun: [rotationStart: number | null, begins: number][] = [
    [null, at(4)],
    [at(3), at(4)],
    [at(20), at(20)],
  ]
  for (const [rotationStart, begins] of begun)
    it(`begins with its rotation, and not before its first time: ${String(rotationStart)}`, () => {
      const found = recurring({ rotation_start: rotationStart })
      assert.deepEqual(typeof found === 'object' && [found.first, found.begins], [at(4), begins])
    })

  const cannot: [changes: Partial<Asked>, why: RegExp][] = [
    [{ frequency: null }, /no frequency/],
    [{ frequency: undefined }, /no frequency/],
    [{ frequency: 'monthly' }, /by the month/],
    [{ by_month: [1] }, /by the month/],
    [{ by_monthday: [1] }, /by the month/],
    [{ duration: 7 * day + 60 }, /turns overlap/],
    [{ duration: 14 * day + 60, interval: 2 }, /turns overlap/],
    [{ interval: 2 }, /does not repeat weekly/],
    [{ interval: 7 }, /does not repeat weekly/],
    [{ frequency: 'daily', interval: 2 }, /does not repeat weekly/],
    [{ frequency: 'daily', interval: 7 }, /does not repeat weekly/],
    [{ frequency: 'hourly', interval: 5, duration: hour }, /does not repeat weekly/],
    [{ frequency: 'hourly', by_day: ['MO'] }, /by the hour on some weekdays/],
    [{ interval: 2, by_day: ['MO'] }, /weekdays of some weeks/],
    [{ frequency: 'daily', by_day: ['MO'] }, /one chosen weekday to the next/],
    [{ by_day: ['MO'], duration: 7 * day + 60 }, /turns overlap/],
    [{ by_day: ['MO', 'SU'], week_start: 'MO', duration: day + 60 }, /turns overlap/],
    [{ by_day: ['TU', 'SU'], week_start: 'MO', duration: 2 * day + 60 }, /turns overlap/],
  ]
  for (const [changes, why] of cannot)
    it(`with ${JSON.stringify(changes)} is left out: ${why.source}`, () => {
      const found = recurring(changes)
      assert.match(typeof found === 'string' ? found : 'It is a layer.', why)
    })
})

describe('a shift of Grafana OnCall on some weekdays', () => {
  const onDays = (...days: number[]) => days.map((each) => ({ starts: each * ofDay + 540, lasts: 480 }))
  const told: [
    what: string,
    changes: Partial<Asked>,
    first: number,
    begins: number,
    windows: { starts: number; lasts: number }[] | null,
  ][] = [
    ['from Monday on', { by_day: ['MO', 'WE'], week_start: 'MO' }, at(4), at(4), onDays(0, 2)],
    ['in any order', { by_day: ['WE', 'MO'], week_start: 'MO' }, at(4), at(4), onDays(0, 2)],
    ['in weeks from Sunday on, which they are by default', { by_day: ['MO', 'SU'] }, at(3), at(4), onDays(0, 6)],
    [
      'from a later day of its week on',
      { by_day: ['MO', 'WE'], week_start: 'MO', start: at(6) },
      at(4),
      at(6),
      onDays(0, 2),
    ],
    [
      'from a day that is not chosen',
      { by_day: ['MO', 'WE'], week_start: 'MO', start: at(5), rotation_start: null },
      at(11),
      at(11),
      onDays(0, 2),
    ],
    [
      'of a day',
      { by_day: ['MO', 'SU'], week_start: 'MO', duration: day },
      at(4),
      at(4),
      [{ starts: 6 * ofDay + 540, lasts: 2 * ofDay }],
    ],
    ['of a week', { by_day: ['MO'], week_start: 'MO', duration: 7 * day }, at(4), at(4), null],
    [
      'of two days',
      { by_day: ['TU', 'SU'], week_start: 'MO', start: at(5), duration: 2 * day },
      at(5),
      at(5),
      [{ starts: 6 * ofDay + 540, lasts: 4 * ofDay }],
    ],
    ['from the day after on', { by_day: ['WE'], week_start: 'MO', start: at(5) }, at(6), at(6), onDays(2)],
    ['on Tuesdays', { by_day: ['TU'], start: at(5) }, at(5), at(5), onDays(1)],
    ['of one group by day', { by_day: ['MO'], frequency: 'daily', groups: 1 }, at(4), at(4), onDays(0)],
    [
      'of one group beyond the next one',
      { by_day: ['MO', 'SU'], week_start: 'MO', groups: 1, duration: day + 60 },
      at(4),
      at(4),
      [{ starts: 6 * ofDay + 540, lasts: 2 * ofDay + 1 }],
    ],
  ]
  for (const [what, changes, first, begins, windows] of told)
    it(`is on call ${what}`, () => {
      assert.deepEqual(recurring(changes), { rotation: { every: 1, unit: 'weeks' }, first, begins, windows })
    })

  const rotating: [what: string, isWeb: boolean, rotationStart: number | null, begins: number][] = [
    ['at once', false, null, at(4)],
    ['at once where both begin together', false, at(4), at(4)],
    ['with the first shift that begins after it', false, at(4, 10), at(6)],
    ['with the shift that begins with it', false, at(6), at(6)],
    ['in the course of a shift of the web', true, at(4, 10), at(4, 10)],
    ['after a shift of the web that ends with it', true, at(4, 17), at(6)],
    ['with the last shift of the week', false, at(7), at(8)],
    ['later than all shifts of its first week', false, at(10), at(10)],
  ]
  for (const [what, isWeb, rotationStart, begins] of rotating)
    it(`begins ${what}`, () => {
      const found = recurring({ by_day: ['MO', 'WE', 'FR'], week_start: 'MO', rotation_start: rotationStart, isWeb })
      assert.deepEqual(typeof found === 'object' && [found.first, found.begins], [at(4), begins])
    })

  it('begins with no shift that lies before its start', () => {
    const changes = { by_day: ['MO', 'WE'], week_start: 'MO', start: at(6), rotation_start: at(4) } as const
    const found = recurring(changes)
    assert.deepEqual(typeof found === 'object' && found.begins, at(6))
  })
})
