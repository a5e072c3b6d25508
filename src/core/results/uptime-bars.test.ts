import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noLatencies } from './latency-day.ts'
import { dayBarSchema, type ProblemRecord, dailyBars, firstProblemDay } from './uptime-bars.ts'
import { testDay } from '../../../test/support/uptime.ts'

const now = new Date('2026-11-21T12:00:00Z')

function problem(started_at: string, ended_at: string | null): ProblemRecord {
  return { started_at, ended_at, status: 'down', error: 'refused', location_codes: ['a'], incident_id: null }
}

function daysWith(shown: ProblemRecord, problemsSince = '2026-08-24'): string[] {
  const bars = dailyBars({ days: [], latencies: new Map(), problems: [shown] }, { now, problemsSince })
  return bars.filter(({ problems }) => problems.length > 0).map(({ date }) => date)
}

describe('daily bars', () => {
  it('are 90, oldest first, today the last', () => {
    const day = testDay('2026-11-20', { up: 2, down: 1, restricted: 1 })
    const bars = dailyBars({ days: [day], latencies: new Map(), problems: [] }, { now, problemsSince: '2026-08-24' })
    assert.equal(bars.length, 90)
    assert.deepEqual([bars[0]?.date, bars[89]?.date], ['2026-08-24', '2026-11-21'])
    assert.deepEqual(bars[88], {
      date: '2026-11-20',
      checks: 4,
      up: 2,
      down: 1,
      restricted: 1,
      latency_ms: null,
      uptime: 75,
      ...noLatencies,
      problems: [],
    })
    assert.deepEqual(bars[0], {
      date: '2026-08-24',
      checks: 0,
      up: 0,
      down: 0,
      restricted: 0,
      latency_ms: null,
      uptime: null,
      ...noLatencies,
      problems: [],
    })
  })

  const cases: [what: string, shown: ProblemRecord, days: string[]][] = [
    ['within a day', problem('2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z'), ['2026-11-20']],
    ['over midnight', problem('2026-11-19T23:59:59.999Z', '2026-11-20T00:00:00.001Z'), ['2026-11-19', '2026-11-20']],
    ['until midnight', problem('2026-11-19T23:00:00Z', '2026-11-20T00:00:00Z'), ['2026-11-19']],
    ['from midnight', problem('2026-11-20T00:00:00Z', '2026-11-20T01:00:00Z'), ['2026-11-20']],
    ['for no time at midnight', problem('2026-11-20T00:00:00Z', '2026-11-20T00:00:00Z'), ['2026-11-20']],
    ['that still runs', problem('2026-11-19T10:00:00Z', null), ['2026-11-19', '2026-11-20', '2026-11-21']],
    [
      'that began before the bars',
      problem('2026-01-01T00:00:00Z', '2026-08-25T10:00:00Z'),
      ['2026-08-24', '2026-08-25'],
    ],
  ]
  for (const [what, shown, days] of cases)
    it(`shows a failure ${what} on the days it touches`, () => assert.deepEqual(daysWith(shown), days))

  it('have a percentage', () => {
    const { uptime } = dayBarSchema.shape
    assert.deepEqual(
      [-1, 0, 100, 101, null].map((value) => uptime.safeParse(value).success),
      [false, true, true, false, true],
    )
  })

  it('forgets failures after the retention of the plan', () => {
    const shown = problem('2026-10-20T10:00:00Z', '2026-10-25T10:00:00Z')
    assert.deepEqual(daysWith(shown, firstProblemDay(now, 30)), ['2026-10-23', '2026-10-24', '2026-10-25'])
    assert.equal(firstProblemDay(now, 90), '2026-08-24')
    assert.equal(firstProblemDay(now, 1), '2026-11-21')
    assert.equal(firstProblemDay(now, 400), '2026-08-24')
  })
})
