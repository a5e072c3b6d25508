import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { availability, barsUptime, daysLatency, daysUptime, runsOfBars, uptimeBars } from './status-bars.ts'
import { type ReportedMonitor, type StatusHead, type StatusReport, statusModel } from './status-model.ts'
import { type PageState, standingOf } from './status-standing.ts'
import { standingText } from './status-words.ts'
import { createTexts } from '#core/language/texts.ts'
import type { DayCounts } from '#core/results/uptime.ts'

const now = new Date('2026-11-21T10:00:00Z')

function day(date: string, counts: Partial<DayCounts> = {}): DayCounts {
  const { down = 0, restricted = 0, checks = 1440 } = counts
  return {
    date,
    checks,
    up: checks - down - restricted,
    down,
    restricted,
    latencySumMs: 1440,
    latencyCount: 10,
    ...counts,
  }
}

describe('the bars of a status page', () => {
  it('are 90 days, today the last, whatever is known of them', () => {
    const bars = uptimeBars(
      { since: '2026-11-20', days: [day('2026-11-20')], periods: [] },
      { history: '90_days', now },
    )
    assert.equal(bars.length, 90)
    assert.deepEqual([bars[0]?.from, bars[89]?.from], ['2026-08-24', '2026-11-21'])
    assert.deepEqual(
      bars.slice(-3).map(({ tone }) => tone),
      ['none', 'up', 'none'],
    )
  })

  for (const [counts, tone] of [
    [{ down: 0, restricted: 0 }, 'up'],
    [{ down: 0, restricted: 1 }, 'degraded'],
    [{ down: 1, restricted: 5 }, 'near'],
    [{ down: 14 }, 'near'],
    [{ down: 15 }, 'partial'],
    [{ down: 71 }, 'partial'],
    [{ down: 72 }, 'down'],
    [{ down: 1440 }, 'down'],
    [{ checks: 0 }, 'none'],
  ] as const)
    it(`show ${JSON.stringify(counts)} of 1,440 checks as ${tone}`, () => {
      const days = [day('2026-11-21', counts)]
      assert.equal(
        uptimeBars({ since: '2026-11-21', days, periods: [] }, { history: '90_days', now }).at(-1)?.tone,
        tone,
      )
    })

  it('show as near what is less than a hundredth', () => {
    const [hundred, more] = [100, 101].map((checks) => {
      const days = [day('2026-11-21', { checks, down: 1 })]
      return uptimeBars({ since: '2026-11-21', days, periods: [] }, { history: '90_days', now }).at(-1)?.tone
    })
    assert.deepEqual([hundred, more], ['partial', 'near'])
  })

  it('are the periods of the whole history where the page shows that', () => {
    const periods = [day('2024-01-01', { down: 720 }), day('2024-02-01')]
    const bars = uptimeBars({ since: '2024-01-10', days: [], periods }, { history: 'whole', now })
    assert.equal(bars.length, 35)
    assert.deepEqual([bars[0]?.from, bars[0]?.to, bars[0]?.tone], ['2024-01-01', '2024-01-31', 'down'])
    assert.equal(bars.at(-1)?.to, '2026-11-21')
    assert.deepEqual(uptimeBars({ since: null, days: [], periods: [] }, { history: 'whole', now }), [])
  })

  it('are joined where they look the same and nothing went wrong', () => {
    const days = [day('2026-11-17'), day('2026-11-18'), day('2026-11-19', { down: 1 }), day('2026-11-20', { down: 1 })]
    const bars = uptimeBars({ since: '2026-11-17', days, periods: [] }, { history: '90_days', now })
    assert.deepEqual(
      runsOfBars(bars).map((run) => run.length),
      [85, 2, 1, 1, 1],
    )
  })
})

describe('availability', () => {
  for (const [checks, failed, percent] of [
    [0, 0, null],
    [1440, 0, 100],
    [10_000_000, 1, 99.99],
    [10_000, 1, 99.99],
    [1440, 1, 99.93],
    [1000, 5, 99.5],
    [3, 3, 0],
  ] as const)
    it(`of ${checks} checks with ${failed} failed is ${percent}`, () =>
      assert.equal(availability({ checks, failed }), percent))

  it('of some days counts today and those before', () => {
    const days = [day('2026-11-14', { down: 1440 }), day('2026-11-15', { down: 720 }), day('2026-11-21')]
    assert.equal(daysUptime(days, { count: 1, now }), 100)
    assert.equal(daysUptime(days, { count: 7, now }), 75)
    assert.equal(daysUptime(days, { count: 8, now }), 50)
    assert.equal(daysUptime([], { count: 8, now }), null)
    assert.equal(daysLatency(days, { count: 7, now }), 144)
    assert.equal(daysLatency([], { count: 7, now }), null)
    assert.equal(barsUptime([]), null)
  })
})

describe('the standing of all', () => {
  const cases: [states: PageState[], tone: string, words: string][] = [
    [[], 'plain', 'Nothing is shown here yet'],
    [['pending', 'paused'], 'plain', 'Waiting for the first checks'],
    [['paused', 'paused'], 'plain', 'Monitoring is paused'],
    [['up', 'up', 'paused', 'pending'], 'good', 'All systems operational'],
    [['up', 'degraded'], 'warning', '1 of 2 systems is degraded'],
    [['degraded'], 'warning', 'The system is degraded'],
    [['down'], 'bad', 'The system is down'],
    [['down', 'down', 'paused'], 'bad', 'All systems are down'],
    [['down', 'down', 'degraded', 'up'], 'bad', '2 of 4 systems are down'],
    [['down', 'up'], 'bad', '1 of 2 systems is down'],
    [['maintenance'], 'maintenance', 'The system is under maintenance'],
    [['maintenance', 'maintenance', 'paused'], 'maintenance', 'All systems are under maintenance'],
    [['maintenance', 'up', 'up', 'pending'], 'maintenance', '1 of 3 systems is under maintenance'],
    [['maintenance', 'degraded', 'up'], 'warning', '1 of 3 systems is degraded, 1 under maintenance'],
    [['maintenance', 'maintenance', 'down'], 'bad', '1 of 3 systems is down, 2 under maintenance'],
    [['degraded', 'degraded'], 'warning', 'All systems are degraded'],
  ]
  for (const [states, tone, words] of cases)
    it(`with ${states.join(', ') || 'none'} is "${words}"`, () => {
      const standing = standingOf(states)
      assert.deepEqual([standing.tone, standingText(createTexts(), standing)], [tone, words])
    })
})

describe('the model of a page', () => {
  const head: StatusHead = {
    id: 'page',
    slug: 'acme',
    title: 'Acme',
    description: '',
    homepage: null,
    domain: null,
    theme: 'auto',
    accent: null,
    layout: 'list',
    logo: null,
    favicon: null,
    history: '90_days',
    responseCharts: true,
    createdAt: now,
  }
  const shownOf = (one: ReportedMonitor, of = head) => statusModel(of, report([one]), { now }).sections[0]?.monitors[0]

  it('leaves sections out that have no monitor', () => {
    const { sections } = statusModel(head, report([monitor('a', { section: 1 })]), { now })
    assert.deepEqual(
      sections.map(({ name }) => name),
      ['Two'],
    )
  })

  it('shows of a monitor what its charts say', () => {
    for (const [charts, hasBars, hasResponse] of [
      ['both', true, true],
      ['uptime', true, false],
      ['response', false, true],
    ] as const) {
      const shown = shownOf(monitor('a', { charts }))
      assert.deepEqual([shown?.bars !== null, shown?.response !== null], [hasBars, hasResponse], charts)
    }
    assert.equal(shownOf(monitor('a'), { ...head, responseCharts: false })?.response, null)
  })

  it('has the response times of a day in quarter-hours, and nothing where nothing was measured', () => {
    const { response } = shownOf(monitor('a')) ?? assert.fail()
    assert.deepEqual(
      [response?.averagesMs.length, response?.averageMs, response?.fastestMs, response?.slowestMs],
      [97, 201, 100, 301],
    )
    assert.equal(shownOf(monitor('a', { responses: [] }))?.response, null)
  })

  it('names incidents as the page does, and leaves out those of other monitors', () => {
    const incident = (monitorId: string) => ({
      id: `i${monitorId}`,
      monitorId,
      startedAt: now,
      resolvedAt: null,
      posts: [],
    })
    const model = statusModel(
      head,
      report([monitor('a', { state: 'down' })], { running: [incident('a'), incident('b')] }),
      { now },
    )
    assert.deepEqual(
      model.running.map(({ monitorName }) => monitorName),
      ['A'],
    )
    assert.equal(model.sections[0]?.monitors[0]?.downSince, now)
  })
})

function monitor(id: string, more: Partial<ReportedMonitor> = {}): ReportedMonitor {
  return {
    id,
    name: id.toUpperCase(),
    section: 0,
    charts: 'both',
    state: 'up',
    since: '2026-11-21',
    watchedSince: new Date('2026-11-21T09:00:00Z'),
    days: [day('2026-11-21')],
    periods: [],
    responses: [[0, 100] as const, [96, 301] as const, [97, 5] as const, [-1, 5] as const],
    ...more,
  }
}

function report(monitors: ReportedMonitor[], more: Partial<StatusReport> = {}): StatusReport {
  return {
    sections: ['One', 'Two', 'Empty'],
    monitors,
    running: [],
    ended: [],
    announcements: [],
    endedAnnouncements: [],
    maintenance: [],
    maintenanceNews: [],
    ...more,
  }
}
