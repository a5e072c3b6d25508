import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  comparisonWords,
  countWords,
  dayWords,
  lengthWords,
  percentWords,
  periodWords,
  verdictWords,
} from './report-words.ts'

const totals = { uptime: 99.95, downtime_seconds: 0, incidents: 2, met: true }
const period = {
  key: '2026-W47',
  type: 'weekly' as const,
  time_zone: 'UTC',
  first_day: '2026-11-16',
  last_day: '2026-11-22',
  starts_at: '2026-11-16T00:00:00Z',
  ends_at: '2026-11-23T00:00:00Z',
  previous_key: '2026-W46',
  next_key: null,
}
const report: Parameters<typeof verdictWords>[0] = {
  report: { id: 'a', name: 'Weekly' },
  workspace: 'Acme',
  period,
  generated_at: '2026-11-23T07:00:00Z',
  objective: 99.9,
  totals,
  previous: totals,
  monitor_count: 1,
  missed_count: 0,
  monitors: [],
  acknowledged_count: 0,
  mean_seconds_to_acknowledge: null,
  mean_seconds_to_recover: null,
  incidents: [],
  slowest: [],
  expiring_count: 0,
  expiring: [],
  findings: { open: 0, exploited: 0, critical: 0, high: 0, medium: 0, low: 0, unrated: 0, new: 0, newest: [] },
  exposures: { open: 0, closed: 0, proved: 0, median_seconds: null },
  notes: [],
}

describe('a report', () => {
  it('names days', () => {
    const months = Array.from({ length: 12 }, (_, month) => dayWords(`2026-${String(month + 1).padStart(2, '0')}-23`))
    assert.deepEqual([months[0], months[10], months[11]], ['23 January', '23 November', '23 December'])
    assert.equal(new Set(months).size, 12)
    assert.equal(dayWords('2026-11-03'), '3 November')
  })

  const periods: [changes: Partial<typeof period> | { type: 'monthly'; first_day: string }, words: string][] = [
    [{}, 'Week 47 of 2026, 16 to 22 November'],
    [{ key: '2026-W05', first_day: '2026-01-26', last_day: '2026-02-01' }, 'Week 5 of 2026, 26 January to 1 February'],
    [{ type: 'monthly', first_day: '2026-10-01' }, 'October 2026'],
  ]
  for (const [changes, words] of periods)
    it(`is of ${words}`, () => assert.equal(periodWords({ ...period, ...changes }), words))

  const lengths: [seconds: number, words: string][] = [
    [0, 'none'],
    [1, '1 s'],
    [59, '59 s'],
    [60, '1 min'],
    [89, '1 min'],
    [90, '2 min'],
    [3569, '59 min'],
    [3570, '1 h'],
    [3660, '1 h 1 min'],
    [86_369, '23 h 59 min'],
    [86_370, '1 d'],
    [86_400 + 3599, '1 d 1 h'],
    [2 * 86_400 + 5 * 3600 + 60, '2 d 5 h'],
  ]
  for (const [seconds, words] of lengths)
    it(`writes ${seconds} s as ${words}`, () => assert.equal(lengthWords(seconds), words))

  it('writes shares with three decimals at most', () => {
    assert.deepEqual([null, 100, 99.95, 99.99949, 0].map(percentWords), [
      'not measured',
      '100 %',
      '99.95 %',
      '99.999 %',
      '0 %',
    ])
  })

  it('counts one thing, none and some', () => {
    assert.deepEqual(
      [0, 1, 2].map((count) => countWords(count, 'incident')),
      ['0 incidents', '1 incident', '2 incidents'],
    )
  })

  const verdicts: [changes: Partial<typeof report>, words: string][] = [
    [{}, 'Uptime was 99.95 %. The objective of 99.9 % was reached.'],
    [{ totals: { ...totals, met: false } }, 'Uptime was 99.95 %. The objective of 99.9 % was missed.'],
    [{ totals: { ...totals, uptime: null, met: null } }, 'Nothing was measured in this period.'],
    [{ totals: { ...totals, uptime: null, met: null }, monitor_count: 0 }, 'This report has no monitors.'],
  ]
  for (const [changes, words] of verdicts)
    it(`says: ${words}`, () => assert.equal(verdictWords({ ...report, ...changes }), words))

  const comparisons: [now: number | null, before: number | null, words: string | null][] = [
    [99.95, 99.95, 'Uptime was the same as in the previous period; 1 incident then, 2 now.'],
    [99.95, 99.9502, 'Uptime was the same as in the previous period; 1 incident then, 2 now.'],
    [99.95, 10, 'That is 89.95 percentage points better than in the previous period (10 %); 1 incident then, 2 now.'],
    [10, 99.95, 'That is 89.95 percentage points worse than in the previous period (99.95 %); 1 incident then, 2 now.'],
    [null, 99.95, null],
    [99.95, null, null],
  ]
  for (const [now, before, words] of comparisons)
    it(`compares ${now} with ${before}`, () => {
      const beside = { totals: { ...totals, uptime: now }, previous: { ...totals, uptime: before, incidents: 1 } }
      assert.equal(comparisonWords({ ...report, ...beside }), words)
    })
})
