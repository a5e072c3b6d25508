import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReportContent } from '#core/reports/report-content.ts'
import { reportMail } from './report-mail.ts'

const id = '00000000-0000-4000-8000-00000000abcd'
const at = '2026-11-18T10:00:00.000Z'
const frame = {
  to: 'reader@example.com',
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/report-mail/unsubscribe/a/b/c',
  contactId: '00000000-0000-4000-8000-000000000001',
  test: null,
}

function contentOf(change: Partial<ReportContent> = {}): ReportContent {
  return {
    report: { id, name: 'Shop' },
    workspace: 'Acme',
    period: {
      key: '2026-W47',
      type: 'weekly',
      time_zone: 'Europe/Berlin',
      first_day: '2026-11-16',
      last_day: '2026-11-22',
      starts_at: '2026-11-15T23:00:00.000Z',
      ends_at: '2026-11-22T23:00:00.000Z',
      previous_key: '2026-W46',
      next_key: null,
    },
    generated_at: at,
    objective: 99.9,
    totals: { uptime: 99.5, met: false, downtime_seconds: 3600, incidents: 1 },
    previous: { uptime: 100, downtime_seconds: 0, incidents: 0 },
    monitor_count: 1,
    missed_count: 1,
    monitors: [monitorOf('Web shop')],
    acknowledged_count: 1,
    mean_seconds_to_acknowledge: 240,
    mean_seconds_to_recover: 3600,
    incidents: [incidentOf('Web shop')],
    slowest: [{ id, name: 'Web shop', latency_ms: 120, p95_ms: 300, previous_latency_ms: 100, previous_p95_ms: null }],
    expiring_count: 1,
    expiring: [{ monitor_id: id, monitor_name: 'Web shop', subject: 'domain', name: 'example.com', expires_at: at }],
    findings: {
      open: 3,
      exploited: 1,
      critical: 1,
      high: 2,
      medium: 0,
      low: 0,
      unrated: 0,
      new: 1,
      newest: [
        {
          monitor_id: id,
          monitor_name: 'Web shop',
          vuln_id: 'CVE-2026-1',
          severity: 'high',
          software: 'nginx',
          version: '1.2',
        },
      ],
    },
    exposures: { open: 1, closed: 2, proved: 1, median_seconds: 5400 },
    notes: ['Not measured from the start of the period: Web shop (measured since 18 November).'],
    ...change,
  }
}

function monitorOf(name: string): ReportContent['monitors'][number] {
  return {
    id,
    name,
    uptime: 99.5,
    met: false,
    previous_uptime: 100,
    downtime_seconds: 3600,
    incidents: 1,
    measured_since: null,
  }
}

function incidentOf(name: string): ReportContent['incidents'][number] {
  return {
    id,
    monitor_id: id,
    monitor_name: name,
    cause: 'The connection was refused.',
    started_at: at,
    resolved_at: null,
    downtime_seconds: 3600,
  }
}

function many<One>(one: One): One[] {
  return Array.from({ length: 12 }, () => one)
}

/** Of the line beside what is told at the top. */
function colourOf(met: boolean | null): string | undefined {
  const totals = { uptime: 99.5, met, downtime_seconds: 0, incidents: 0 }
  return /border-left:4px solid (#\w{6})/.exec(reportMail(contentOf({ totals }), frame).html)?.[1]
}

/** With a name, a cause and a note of this length, each of one letter. */
function textWith(length: number): string {
  const incidents = [{ ...incidentOf('Shop'), cause: 'c'.repeat(length) }]
  const monitors = [monitorOf('n'.repeat(length))]
  return reportMail(contentOf({ monitors, incidents, notes: ['d'.repeat(length)] }), frame).text
}

describe('the mail of a report', () => {
  it('says the same as text', () => {
    const { subject, text } = reportMail(contentOf(), frame)
    assert.equal(subject, 'Shop: Week 47 of 2026, 16 to 22 November, 99.5 %, objective missed')
    assert.equal(
      text,
      `Shop: Week 47 of 2026, 16 to 22 November

Uptime was 99.5 %. The objective of 99.9 % was missed. That is 0.5 percentage points worse than in the previous period (100 %); 0 incidents then, 1 now.

SUMMARY
Uptime: 99.5 %
Objective: 99.9 %, missed by 1 of 1 monitor
Downtime: 1 h
Incidents: 1
Mean time to acknowledge: 4 min
Mean time to recover: 1 h

MONITORS, WORST FIRST
- Web shop | 99.5 % (missed) | 1 h

INCIDENTS, LONGEST FIRST
- Web shop: The connection was refused. | 2026-11-18 11:00 | 1 h

SLOWEST
- Web shop | 120 ms (was 100 ms) | 300 ms

EXPIRING WITHIN 30 DAYS
- Domain example.com | Web shop | 2026-11-18

VULNERABILITIES
- CVE-2026-1 (high) | nginx 1.2 | Web shop
3 open: 1 critical, 2 high; 1 actively exploited. 1 found in this period.

KNOWN TO BE EXPLOITED
1 exposed now. 2 ended in this period, 1 of them proved fixed; median 1 h 30 min.

NOT KNOWN
Not measured from the start of the period: Web shop (measured since 18 November).

Open the full report, ready to print: https://perigee.example/reports/${id}/print?period=2026-W47

-- 
This report is sent weekly. Unsubscribe: https://perigee.example/report-mail/unsubscribe/a/b/c
`,
    )
  })

  it('lists fifty of many monitors, and leads to the rest', () => {
    const monitors = Array.from({ length: 500 }, (_, index) => monitorOf(`Monitor ${index}`))
    const { text, html } = reportMail(contentOf({ monitors, monitor_count: 500 }), frame)
    assert.ok(text.includes('Monitor 49 |') && !text.includes('Monitor 50 |'))
    assert.ok(text.includes('450 more monitors on the page.') && html.includes('450 more monitors on the page.'))
  })

  for (const [left, words] of [
    [0, null],
    [1, '1 more monitor on the page.'],
    [2, '2 more monitors on the page.'],
  ] as const)
    it(`says of ${left} monitors that have no room: ${words ?? 'nothing'}`, () => {
      const monitors = Array.from({ length: 50 }, (_, index) => monitorOf(`Monitor ${index}`))
      const { text } = reportMail(contentOf({ monitors, monitor_count: 50 + left }), frame)
      assert.deepEqual(/\d+ more monitors? on the page\./.exec(text)?.[0] ?? null, words)
    })

  it('leads to the rest of the incidents, and of what ends soon', () => {
    const [expiring] = contentOf().expiring
    assert.ok(expiring !== undefined)
    const shown = (left: number): string =>
      reportMail(
        contentOf({
          totals: { uptime: 99.5, met: false, downtime_seconds: 3600, incidents: 10 + left },
          incidents: many(incidentOf('Web shop')),
          expiring: many(expiring),
          expiring_count: 10 + left,
        }),
        frame,
      ).text
    assert.match(shown(2), /\n2 more incidents on the page\.\n\nSLOWEST/)
    assert.match(shown(2), /\n2 more on the page\.\n\nVULNERABILITIES/)
    assert.match(shown(1), /\n1 more incident on the page\.\n\nSLOWEST/)
    assert.match(shown(1), /\n1 more on the page\.\n\nVULNERABILITIES/)
    assert.doesNotMatch(shown(0), /on the page/)
  })

  it('is red where the objective was missed, and green where not, also where nothing was measured', () => {
    assert.deepEqual([colourOf(false), colourOf(true), colourOf(null)], ['#d33a3a', '#2c9a5b', '#2c9a5b'])
  })

  it('has one id for a reader and a period on every try, and another one for each other mail', () => {
    const idOf = (content: ReportContent, of = frame): string => reportMail(content, of).headers['Message-ID'] ?? ''
    const content = contentOf()
    assert.match(idOf(content), /^<report-[0-9a-f]{40}@perigee\.example>$/)
    assert.equal(idOf(contentOf({ totals: { ...content.totals, uptime: 99 } })), idOf(content))
    const others = [
      idOf(content),
      idOf(contentOf({ period: { ...content.period, key: '2026-W48' } })),
      idOf(contentOf({ report: { id: frame.contactId, name: 'Shop' } })),
      idOf(content, { ...frame, contactId: id }),
      idOf(content, Object.assign({}, frame, { test: id })),
    ]
    assert.equal(new Set(others).size, others.length)
  })

  it('cuts names behind 80 characters, causes behind 120 and notes behind 1,000', () => {
    for (const [letter, most] of [
      ['n', 80],
      ['c', 120],
      ['d', 1000],
    ] as const) {
      assert.ok(new RegExp(`\\b${letter}{${most}}(?!…)\\b`).test(textWith(most)), letter)
      assert.ok(new RegExp(`\\b${letter}{${most - 1}}…`).test(textWith(most + 1)), letter)
    }
  })

  it('stays small, whatever names there are', () => {
    const long = '<&"\u2028'.repeat(300)
    const monitors = Array.from({ length: 500 }, () => monitorOf(long))
    const incidents = Array.from({ length: 20 }, () => ({ ...incidentOf(long), cause: long }))
    const mail = reportMail(
      contentOf({ report: { id, name: long }, monitors, monitor_count: 500, incidents, notes: [long] }),
      frame,
    )
    // Some mail programs cut what is longer than 102 kB.
    assert.ok(Buffer.byteLength(mail.html) < 102_000, String(Buffer.byteLength(mail.html)))
    assert.ok(mail.subject.length <= 200)
    for (const header of [mail.subject, ...Object.values(mail.headers)]) assert.doesNotMatch(header, /[\r\n\u2028]/)
    assert.doesNotMatch(mail.html, /<&/)
  })

  it('tells no median where nothing ended', () => {
    const open = { open: 1, closed: 0, proved: 0, median_seconds: null }
    assert.match(reportMail(contentOf({ exposures: open }), frame).text, /^1 exposed now\.$/m)
  })

  it('says so where nothing happened, and leaves out what there is nothing of', () => {
    const none = { open: 0, exploited: 0, critical: 0, high: 0, medium: 0, low: 0, unrated: 0, new: 0, newest: [] }
    const { text, subject } = reportMail(
      contentOf({
        totals: { uptime: 100, met: true, downtime_seconds: 0, incidents: 0 },
        incidents: [],
        slowest: [],
        expiring: [],
        expiring_count: 0,
        findings: none,
        exposures: { open: 0, closed: 0, proved: 0, median_seconds: null },
        notes: [],
      }),
      { ...frame, test: '00000000-0000-4000-8000-000000000009' },
    )
    assert.equal(subject, 'Test: Shop: Week 47 of 2026, 16 to 22 November, 100 %')
    assert.ok(text.includes('There were no incidents.'))
    assert.doesNotMatch(text, /SLOWEST|EXPIRING|VULNERABILITIES|EXPLOITED|NOT KNOWN/)
  })
})
