import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type MaintenanceSchedule,
  maintenanceInputSchema,
  maintenancePlanSchema,
  maxOccurrences,
  occurrencesOf,
} from './maintenance.ts'

type Stretch = { timeZone: string; from: string; until: string }

function startsOf(schedule: MaintenanceSchedule, { timeZone, from, until }: Stretch): string[] {
  const found = occurrencesOf(schedule, { timeZone, from: new Date(from), until: new Date(until) })
  return found.map(({ startsAt }) => startsAt.toISOString().replace(':00.000Z', 'Z'))
}

const weekly = (weekdays: number[], starts: string, duration = 60): MaintenanceSchedule => ({
  type: 'weekly',
  weekdays,
  starts,
  duration_minutes: duration,
})
const cron = (expression: string, duration = 60): MaintenanceSchedule => ({
  type: 'cron',
  expression,
  duration_minutes: duration,
})
const once: MaintenanceSchedule = {
  type: 'once',
  starts_at: '2026-03-01T10:00:00+02:00',
  ends_at: '2026-03-01T12:00:00+02:00',
}

describe('the times of maintenance', () => {
  const cases: [string, MaintenanceSchedule, zone: string, from: string, until: string, starts: string[]][] = [
    ['once', once, 'UTC', '2026-03-01', '2026-04-01', ['2026-03-01T08:00Z']],
    ['once, under way', once, 'UTC', '2026-03-01T09:00Z', '2026-04-01', ['2026-03-01T08:00Z']],
    ['once, over at this moment', once, 'UTC', '2026-03-01T10:00Z', '2026-04-01', []],
    ['once, later than what is asked for', once, 'UTC', '2026-01-01', '2026-03-01T08:00Z', []],
    [
      'Mondays and Sundays',
      weekly([1, 7], '22:30'),
      'UTC',
      '2026-03-01',
      '2026-03-10',
      ['2026-03-01T22:30Z', '2026-03-02T22:30Z', '2026-03-08T22:30Z', '2026-03-09T22:30Z'],
    ],
    ['weekly, under way', weekly([7], '23:00', 180), 'UTC', '2026-03-02T01:59Z', '2026-03-03', ['2026-03-01T23:00Z']],
    ['weekly, over', weekly([7], '23:00', 180), 'UTC', '2026-03-02T02:00Z', '2026-03-03', []],
    [
      'over the change to summer time, which leaves 03:30 out',
      weekly([6, 7, 1], '03:30'),
      'Europe/Sofia',
      '2026-03-28',
      '2026-03-31',
      ['2026-03-28T01:30Z', '2026-03-29T01:00Z', '2026-03-30T00:30Z'],
    ],
    [
      'over the change to winter time, which has 03:30 twice',
      weekly([6, 7, 1], '03:30'),
      'Europe/Sofia',
      '2026-10-24',
      '2026-10-27',
      ['2026-10-24T00:30Z', '2026-10-25T00:30Z', '2026-10-26T01:30Z'],
    ],
    ['the last day of a month', cron('0 4 L * *'), 'Asia/Tokyo', '2026-02-01', '2026-03-01', ['2026-02-27T19:00Z']],
    ['until what is asked for', weekly([7], '22:30'), 'UTC', '2026-03-01', '2026-03-08T22:30Z', ['2026-03-01T22:30Z']],
    ['leap days', cron('0 0 29 2 *'), 'UTC', '2026-01-01', '2033-01-01', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
  ]
  for (const [what, schedule, timeZone, from, until, starts] of cases)
    it(what, () => assert.deepEqual(startsOf(schedule, { timeZone, from, until }), starts))

  it('last as long as they say, whatever the clocks do', () => {
    const [one] = occurrencesOf(weekly([6], '23:00', 300), {
      timeZone: 'Europe/Sofia',
      from: new Date('2026-03-28T00:00:00Z'),
      until: new Date('2026-03-30T00:00:00Z'),
    })
    assert.equal((one?.endsAt.getTime() ?? 0) - (one?.startsAt.getTime() ?? 0), 300 * 60_000)
  })

  it('are a bounded number, however often they come', () => {
    const found = occurrencesOf(cron('* * * * *', 1), {
      timeZone: 'UTC',
      from: new Date('2026-01-01T00:00:00Z'),
      until: new Date('2027-01-01T00:00:00Z'),
    })
    assert.equal(found.length, maxOccurrences)
  })
})

describe('a maintenance window', () => {
  const good = { name: 'Upgrade', schedule: weekly([1], '02:00') }
  const id = '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10'
  const taken: [string, Record<string, unknown>][] = [
    ['with a name of one character', { name: 'x' }],
    ['with a name of 160 characters', { name: 'x'.repeat(160), description: 'x'.repeat(2000) }],
    ['of a minute', { schedule: weekly([1, 2, 3, 4, 5, 6, 7], '02:00', 1) }],
    ['of a week', { schedule: weekly([1], '02:00', 10_080) }],
    ['of a moment', { schedule: { ...once, ends_at: '2026-03-01T08:00:00.001Z' } }],
    ['of 31 days', { schedule: { ...once, ends_at: '2026-04-01T08:00:00Z' } }],
    ['of a monitor and a tag', { monitor_ids: [id], monitor_tags: ['db'] }],
    ['of a tag alone', { monitor_ids: [], monitor_tags: ['db'] }],
  ]
  for (const [what, change] of taken)
    it(`${what} is taken`, () => {
      assert.equal(maintenanceInputSchema.safeParse({ ...good, ...change }).success, true)
    })

  it('is planned without a name', () => {
    assert.equal(maintenancePlanSchema.safeParse({ schedule: good.schedule }).success, true)
  })

  const refused: [string, Record<string, unknown>, field: string][] = [
    ['without a name', { name: ' ' }, 'name'],
    ['with a long name', { name: 'x'.repeat(161) }, 'name'],
    ['with a long description', { description: 'x'.repeat(2001) }, 'description'],
    ['by a long expression', { schedule: cron(`${'0,'.repeat(50)}0 2 * * *`) }, 'schedule.expression'],
    ['on more weekdays than there are', { schedule: weekly([1, 2, 3, 4, 5, 6, 7, 1], '02:00') }, 'schedule.weekdays'],
    [
      'that lasts longer than 31 days',
      { schedule: { ...once, ends_at: '2026-04-01T08:00:00.001Z' } },
      'schedule.ends_at',
    ],
    ['in no time zone', { time_zone: 'Europe/Sofa' }, 'time_zone'],
    ['of no monitors', { monitor_ids: [] }, 'monitor_ids'],
    ['of what is no id', { monitor_ids: ['x'] }, 'monitor_ids.0'],
    ['of no kind', { schedule: { type: 'daily' } }, 'schedule.type'],
    ['on no weekday', { schedule: weekly([], '02:00') }, 'schedule.weekdays'],
    ['on an eighth day', { schedule: weekly([8], '02:00') }, 'schedule.weekdays.0'],
    ['at no time of day', { schedule: weekly([1], '24:00') }, 'schedule.starts'],
    ['that lasts no time', { schedule: weekly([1], '02:00', 0) }, 'schedule.duration_minutes'],
    ['that lasts more than a week', { schedule: weekly([1], '02:00', 10_081) }, 'schedule.duration_minutes'],
    [
      'that ends before it begins',
      { schedule: { ...once, ends_at: once.type === 'once' ? once.starts_at : '' } },
      'schedule.ends_at',
    ],
    ['of two months', { schedule: { ...once, ends_at: '2026-05-01T00:00:00Z' } }, 'schedule.ends_at'],
    ['of no time', { schedule: { ...once, starts_at: 'tomorrow' } }, 'schedule.starts_at'],
    ['by no expression', { schedule: cron('every day') }, 'schedule.expression'],
    ['by an expression with seconds', { schedule: cron('0 0 2 * * *') }, 'schedule.expression'],
    ['that never comes', { schedule: cron('0 0 30 2 *') }, 'schedule.expression'],
    ['that comes every minute', { schedule: cron('* * * * *') }, 'schedule.expression'],
    ['that lasts longer than time itself', { schedule: cron('0 3 * * 1', -1e15) }, 'schedule.duration_minutes'],
    ['that lasts longer than dates go', { schedule: cron('0 3 * * 1', 1e15) }, 'schedule.duration_minutes'],
    ['with something else', { color: 'red' }, ''],
  ]
  for (const [what, change, field] of refused)
    it(`${what} is refused`, () => {
      const read = maintenanceInputSchema.safeParse({ ...good, ...change })
      assert.deepEqual(
        read.error?.issues.map(({ path }) => path.join('.')),
        [field],
      )
    })

  it('may come every hour, and is of all monitors and in UTC unless it says otherwise', () => {
    const read = maintenanceInputSchema.parse({ name: ' Upgrade ', schedule: cron('5 1-23 * * *') })
    assert.partialDeepStrictEqual(read, {
      name: 'Upgrade',
      description: null,
      monitor_ids: null,
      time_zone: 'UTC',
      excludes_uptime: false,
    })
  })
})
