import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '#core/language/error.ts'
import {
  addCounts,
  averageLatency,
  decideRange,
  fillDays,
  maxUptimeDays,
  noChecks,
  startOfLastDay,
  summarizeUptime,
  watchedSince,
  uptimePercent,
  uptimeSchema,
} from './uptime.ts'
import { addDays, countDays } from '#core/language/utc-day.ts'
import { testDay } from '../../../test/support/uptime.ts'

const today = '2026-11-21'

describe('the range of an uptime request', () => {
  const decided: [
    what: string,
    asked: { from?: string; to?: string },
    since: string | null,
    from: string,
    to: string,
  ][] = [
    ['no bounds', {}, '2026-03-05', '2026-03-05', today],
    ['no bounds and no checks', {}, null, today, today],
    ['no bounds and 3660 days', {}, addDays(today, -3659), addDays(today, -3659), today],
    ['no bounds and 3661 days', {}, addDays(today, -3660), addDays(today, -3659), today],
    ['both bounds', { from: '2026-01-01', to: '2026-01-31' }, '2026-03-05', '2026-01-01', '2026-01-31'],
    ['one day', { from: today, to: today }, '2026-03-05', today, today],
    ['an end beyond today', { from: '2026-11-01', to: '2999-12-31' }, '2026-03-05', '2026-11-01', today],
    ['no end', { from: '2026-11-01' }, '2026-03-05', '2026-11-01', today],
    ['no beginning', { to: '2026-11-01' }, '2026-03-05', '2026-03-05', '2026-11-01'],
    ['no beginning and an end before the first check', { to: '2026-01-01' }, '2026-03-05', '2026-01-01', '2026-01-01'],
    ['no beginning and a long history', { to: '2026-11-01' }, '2001-01-01', addDays('2026-11-01', -3659), '2026-11-01'],
    ['exactly 3660 days', { from: addDays(today, -3659) }, null, addDays(today, -3659), today],
    [
      'exactly 3660 days after clamping',
      { from: addDays(today, -3659), to: '2999-01-01' },
      null,
      addDays(today, -3659),
      today,
    ],
  ]
  for (const [what, asked, since, from, to] of decided)
    it(`is decided for ${what}`, () => assert.deepEqual(decideRange(asked, { since, today }), { from, to }))

  const refused: [what: string, asked: { from?: string; to?: string }, problem: RegExp][] = [
    ['a beginning after the end', { from: '2026-11-02', to: '2026-11-01' }, /not be after/],
    ['a beginning tomorrow', { from: '2026-11-22' }, /future/],
    ['a range that lies ahead', { from: '2027-01-01', to: '2027-01-31' }, /future/],
    ['3661 days', { from: addDays(today, -3660) }, /3660/],
    ['3661 days long ago', { from: '0001-01-01', to: addDays('0001-01-01', 3660) }, /3660/],
  ]
  for (const [what, asked, problem] of refused)
    it(`is refused for ${what}`, () =>
      assert.throws(
        () => decideRange(asked, { since: '2020-01-01', today }),
        (error) => error instanceof AppError && error.status === 422 && problem.test(error.fields?.['from']?.[0] ?? ''),
      ))
})

describe('uptime', () => {
  const percents: [checks: number, down: number, expected: number | null][] = [
    [0, 0, null],
    [1, 0, 100],
    [1, 1, 0],
    [3, 1, 66.667],
    [3, 2, 33.333],
    [86_400, 1, 99.999],
    [8, 1, 87.5],
  ]
  for (const [checks, down, expected] of percents)
    it(`is ${expected} with ${down} of ${checks} down`, () => assert.equal(uptimePercent({ checks, down }), expected))

  it('counts degraded checks as available', () =>
    assert.equal(uptimePercent(addCounts([testDay(today, { up: 1, restricted: 1, down: 2 })])), 50))

  it('is a percentage', () => {
    const { day } = uptimeSchema.shape
    assert.deepEqual(
      [-0.001, 0, 100, 100.001, null].map((value) => day.safeParse(value).success),
      [false, true, true, false, true],
    )
  })

  it('of nothing adds up to nothing', () => {
    const nothing = { checks: 0, up: 0, down: 0, restricted: 0, latencySumMs: 0, latencyCount: 0 }
    assert.deepEqual(addCounts([]), nothing)
  })

  it('averages over checks, not over days', () => {
    const days = [
      testDay('2026-11-20', { up: 1, latencySumMs: 100, latencyCount: 1 }),
      testDay(today, { up: 3, latencySumMs: 900, latencyCount: 3 }),
    ]
    assert.equal(averageLatency(addCounts(days)), 250)
    assert.equal(averageLatency(noChecks), null)
    assert.equal(averageLatency({ ...noChecks, latencySumMs: 5, latencyCount: 2 }), 3)
  })

  it('shows days without checks as zeros', () => {
    const days = [testDay('2026-11-19', { up: 2, down: 1, latencySumMs: 301, latencyCount: 2 })]
    assert.deepEqual(fillDays(days, { from: '2026-11-18', to: '2026-11-19' }), [
      { date: '2026-11-18', checks: 0, up: 0, down: 0, restricted: 0, latency_ms: null },
      { date: '2026-11-19', checks: 3, up: 2, down: 1, restricted: 0, latency_ms: 151 },
    ])
    const longest = fillDays(days, { from: addDays(today, 1 - maxUptimeDays), to: today })
    assert.equal(longest.length, 3660)
    assert.equal(countDays(longest[0]?.date ?? '', today), 3660)
  })

  it('begins the last day with the 96th quarter-hour before the current one', () => {
    const cases = [
      ['2026-11-21T10:07:00.000Z', '2026-11-20T10:00:00.000Z'],
      ['2026-11-21T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
      ['2026-11-21T09:59:59.999Z', '2026-11-20T09:45:00.000Z'],
      ['2027-01-01T00:00:00.000Z', '2026-12-31T00:00:00.000Z'],
    ] as const
    for (const [now, start] of cases) assert.equal(startOfLastDay(new Date(now)).toISOString(), start)
  })

  it('looks 7 and 30 days back, today included', () => {
    const now = new Date('2026-11-21T23:59:00Z')
    const days = [
      testDay(addDays(today, -30), { down: 1 }),
      testDay(addDays(today, -29), { down: 1 }),
      testDay(addDays(today, -7), { up: 2 }),
      testDay(addDays(today, -6), { down: 1 }),
      testDay(today, { up: 1 }),
    ]
    const lastDay = { ...noChecks, checks: 4, up: 3, down: 1, latencySumMs: 100, latencyCount: 3 }
    const watched = new Date('2026-10-01T00:00:00Z')
    assert.deepEqual(summarizeUptime(days, { lastDay, watched, now }), {
      day: 75,
      week: 50,
      month: 60,
      average_latency_ms: 33,
      watched_since: '2026-10-01T00:00:00.000Z',
    })
    assert.deepEqual(summarizeUptime([], { lastDay: noChecks, watched: null, now }), {
      day: null,
      week: null,
      month: null,
      average_latency_ms: null,
      watched_since: null,
    })
  })

  it('counts a monitor as watched since it was made, or since the day of its first check', () => {
    const cases = [
      ['2026-11-21T10:07:30.000Z', '2026-11-21', '2026-11-21T10:07:30.000Z'],
      ['2026-11-20T23:59:59.999Z', '2026-11-21', '2026-11-21T00:00:00.000Z'],
      ['2026-11-01T10:00:00.000Z', '2026-11-21', '2026-11-21T00:00:00.000Z'],
      ['2026-11-21T10:07:30.000Z', null, undefined],
    ] as const
    for (const [createdAt, since, expected] of cases)
      assert.equal(watchedSince({ createdAt: new Date(createdAt), since })?.toISOString(), expected)
  })
})
