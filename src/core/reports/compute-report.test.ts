import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { slotOf } from '#core/results/latency-histogram.ts'
import { computeReport, slowestOf } from './compute-report.ts'
import { type ReportContent, reportContentSchema } from './report-content.ts'
import { readPeriod } from './report-period.ts'
import type { MonitorReading, ReportReadings, SlowReading } from './report-readings.ts'
import { comparisonWords, lengthWords, percentWords, periodWords, verdictWords } from './report-words.ts'

const week = readPeriod('2026-W47', { type: 'weekly', timeZone: 'Europe/Berlin' }) ?? assert.fail()
const month = readPeriod('2026-10', { type: 'monthly', timeZone: 'UTC' }) ?? assert.fail()

type Past = { checks?: number; down?: number; latencySumMs?: number; latencyCount?: number; seconds?: number }

function pastOf({ checks = 0, down = 0, latencySumMs = 0, latencyCount = 0, seconds = 0 }: Past) {
  const incidents = seconds > 0 ? 1 : 0
  return { counts: { checks, down, latencySumMs, latencyCount }, downtimeSeconds: seconds, incidents }
}

let count = 0
function monitor(name: string, past: Past, { previous = {}, since = '2026-01-01' }: Rest = {}): MonitorReading {
  count += 1
  const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  const createdAt = new Date(`${since ?? '2026-01-01'}T10:00:00Z`)
  return { id, name, createdAt, since, past: pastOf(past), previous: pastOf(previous) }
}
type Rest = { previous?: Past; since?: string | null }

const nothing: Omit<ReportReadings, 'monitors'> = {
  workspace: 'Acme',
  leftOut: 0,
  incidents: [],
  inMaintenance: 0,
  acknowledged: { count: 0, meanSeconds: null },
  meanSecondsToRecover: null,
  isExact: true,
  expiring: [],
  expiring_count: 0,
  findings: { open: 0, exploited: 0, critical: 0, high: 0, medium: 0, low: 0, unrated: 0, new: 0, newest: [] },
  exposures: { open: 0, closed: 0, proved: 0, median_seconds: null },
}

function reportOf(
  monitors: MonitorReading[],
  change: Partial<ReportReadings> = {},
  {
    objective = 99.9,
    slow = [],
    period = week,
  }: { objective?: number; slow?: SlowReading[]; period?: typeof week } = {},
): ReportContent {
  const report = { id: '00000000-0000-4000-8000-00000000abcd', name: 'Weekly', objective }
  const now = new Date('2026-11-23T07:00:00Z')
  const content = computeReport({ report, period, now }, { ...nothing, ...change, monitors }, slow)
  return reportContentSchema.parse(content)
}

describe('a report', () => {
  it('names the worst monitors first, and those without checks last', () => {
    const { monitors, missed_count: missed } = reportOf([
      monitor('Fine', { checks: 1000 }),
      monitor('Idle', {}, { since: null }),
      monitor('Worst', { checks: 1000, down: 100 }),
      monitor('Bad', { checks: 1000, down: 2 }),
      monitor('At the objective', { checks: 1000, down: 1 }),
    ])
    assert.deepEqual(
      monitors.map(({ name, uptime, met }) => [name, uptime, met]),
      [
        ['Worst', 90, false],
        ['Bad', 99.8, false],
        ['At the objective', 99.9, true],
        ['Fine', 100, true],
        ['Idle', null, null],
      ],
    )
    assert.equal(missed, 2)
  })

  it('names of equals those first that were down for longer, then by their names', () => {
    const { monitors, totals } = reportOf([
      monitor('B', { checks: 10, seconds: 60 }),
      monitor('C', { checks: 10, seconds: 90 }),
      monitor('A', { checks: 10, seconds: 60 }),
    ])
    assert.deepEqual(
      monitors.map(({ name }) => name),
      ['C', 'A', 'B'],
    )
    assert.equal(totals.downtime_seconds, 210)
  })

  it('tells response times of one check, and none without one', () => {
    const { slowest } = reportOf([
      monitor(
        'Once',
        { checks: 1, latencySumMs: 80, latencyCount: 1 },
        { previous: { latencySumMs: 60, latencyCount: 2 } },
      ),
      monitor('Never', { checks: 1 }),
    ])
    assert.deepEqual(
      slowest.map(({ name, latency_ms, previous_latency_ms }) => [name, latency_ms, previous_latency_ms]),
      [['Once', 80, 30]],
    )
  })

  it('weighs each monitor the same, however often it is checked', () => {
    const { totals } = reportOf([monitor('Often', { checks: 60_480 }), monitor('Seldom', { checks: 10, down: 1 })])
    assert.deepEqual([totals.uptime, totals.met], [95, false])
  })

  it('compares what it shows with the objective', () => {
    const { totals } = reportOf([monitor('Shop', { checks: 1_000_000, down: 1004 })])
    assert.deepEqual([totals.uptime, totals.met], [99.9, true])
  })

  it('says what was not measured, and invents nothing', () => {
    const content = reportOf(
      [
        monitor('Young', { checks: 10 }, { since: '2026-11-19' }),
        monitor('Paused', {}),
        monitor('Never checked', {}, { since: null }),
      ],
      { inMaintenance: 2, isExact: false, leftOut: 3 },
    )
    assert.deepEqual(content.notes, [
      'Not measured from the start of the period: Young (measured since 19 November).',
      'No checks that count in this period: Never checked and Paused.',
      '2 incidents during maintenance that is left out of uptime are not counted.',
      'Single checks are not kept that long. Uptime at the start and the end of the period is that of the nearest UTC days.',
      '3 more monitors belong to this report, but are not part of its figures.',
    ])
    assert.deepEqual([content.monitor_count, content.previous.uptime], [6, null])
    assert.equal(comparisonWords(content), null)
  })

  it('says nothing of the kind where all is known', () => {
    assert.deepEqual(reportOf([monitor('Shop', { checks: 10 })]).notes, [])
  })

  it('names some of many monitors that were not measured', () => {
    const [note = ''] = reportOf(Array.from({ length: 8 }, (_, index) => monitor(`M${index}`, {}))).notes
    assert.match(note, /: M0, M1, M2, M3, M4 and 3 more\.$/)
  })

  it('counts the day of a begin as the zone of the report has it', () => {
    const late = monitor('Late', { checks: 1 }, { since: '2026-11-18' })
    late.createdAt = new Date('2026-11-18T23:30:00Z')
    assert.match(reportOf([late]).notes[0] ?? '', /measured since 19 November/)
  })

  it('tells the slowest by their mean, with the period before beside it', () => {
    const slow = monitor('Slow', { checks: 10, latencySumMs: 9000, latencyCount: 10 }, { previous: { checks: 1 } })
    const quick = monitor(
      'Quick',
      { checks: 1000, latencySumMs: 20_000, latencyCount: 1000 },
      { previous: { checks: 10, latencySumMs: 100, latencyCount: 10 } },
    )
    const without = monitor('Heartbeat', { checks: 10 })
    assert.deepEqual(
      slowestOf([quick, without, slow]).map(({ name }) => name),
      ['Slow', 'Quick'],
    )
    const days = [
      { slots: [slotOf(10), slotOf(40)], counts: [90, 10] },
      { slots: [slotOf(10)], counts: [100] },
    ]
    const { slowest } = reportOf([quick, without, slow], {}, { slow: [{ id: quick.id, days, previousDays: [] }] })
    assert.deepEqual(slowest, [
      { id: slow.id, name: 'Slow', latency_ms: 900, p95_ms: null, previous_latency_ms: null, previous_p95_ms: null },
      { id: quick.id, name: 'Quick', latency_ms: 20, p95_ms: 10, previous_latency_ms: 10, previous_p95_ms: null },
    ])
  })

  it('is bounded, with the numbers of all', () => {
    const content = reportOf(Array.from({ length: 600 }, (_, index) => monitor(`M${index}`, { checks: 10, down: 1 })))
    assert.deepEqual([content.monitors.length, content.monitor_count, content.missed_count], [500, 600, 600])
  })
})

/** The sentence about so many failed checks of a thousand, beside those of the period before. */
function comparedWith(down: number, before: number): string | null {
  const previous = { checks: 1000, down: before }
  return comparisonWords(reportOf([monitor('Shop', { checks: 1000, down, seconds: down }, { previous })]))
}

describe('the words of a report', () => {
  it('name its period', () => {
    assert.equal(periodWords(reportOf([]).period), 'Week 47 of 2026, 16 to 22 November')
    assert.equal(periodWords(reportOf([], {}, { period: month }).period), 'October 2026')
    const overYears = readPeriod('2026-W53', { type: 'weekly', timeZone: 'UTC' }) ?? assert.fail()
    assert.equal(
      periodWords(reportOf([], {}, { period: overYears }).period),
      'Week 53 of 2026, 28 December to 3 January',
    )
  })

  it('lead to the periods beside it that are over', () => {
    const { previous_key: previous, next_key: next } = reportOf([]).period
    assert.deepEqual([previous, next], ['2026-W46', null])
    assert.equal(reportOf([], {}, { period: month }).period.next_key, null)
    const earlier = readPeriod('2026-W46', { type: 'weekly', timeZone: 'UTC' }) ?? assert.fail()
    assert.equal(reportOf([], {}, { period: earlier }).period.next_key, '2026-W47')
  })

  it('say first whether the objective was reached', () => {
    assert.equal(verdictWords(reportOf([])), 'This report has no monitors.')
    assert.equal(verdictWords(reportOf([monitor('Shop', {})])), 'Nothing was measured in this period.')
    assert.equal(
      verdictWords(reportOf([monitor('Shop', { checks: 2000, down: 1 })])),
      'Uptime was 99.95 %. The objective of 99.9 % was reached.',
    )
    assert.equal(
      verdictWords(reportOf([monitor('Shop', { checks: 100, down: 1 })])),
      'Uptime was 99 %. The objective of 99.9 % was missed.',
    )
  })

  it('compare it with the period before', () => {
    assert.equal(comparedWith(0, 0), 'Uptime was the same as in the previous period; 0 incidents then, 0 now.')
    assert.equal(
      comparedWith(1, 5),
      'That is 0.4 percentage points better than in the previous period (99.5 %); 0 incidents then, 1 now.',
    )
    assert.equal(
      comparedWith(5, 1),
      'That is 0.4 percentage points worse than in the previous period (99.9 %); 0 incidents then, 1 now.',
    )
  })

  it('round lengths to what a reader can use', () => {
    const cases: [number, string][] = [
      [0, 'none'],
      [59, '59 s'],
      [60, '1 min'],
      [3570, '1 h'],
      [7500, '2 h 5 min'],
      [86_400, '1 d'],
      [360_000, '4 d 4 h'],
    ]
    for (const [seconds, words] of cases) assert.equal(lengthWords(seconds), words)
    assert.equal(percentWords(null), 'not measured')
    assert.equal(percentWords(100), '100 %')
  })
})
