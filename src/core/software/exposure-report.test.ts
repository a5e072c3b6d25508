import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Exposure, ExposureOutcome } from './exposure.ts'
import { exposureReport, exposureReportMarkdown } from './exposure-report.ts'

const at = '2026-11-20T12:00:00.000Z'
const scan = {
  location_code: 'boston',
  scanned_at: at,
  saw: 'version',
  version: '1.25.4',
  evidence: 'Server header: nginx/1.25.4',
  problem: null,
  judgement: 'not_affected',
} as const
const exposure: Exposure = {
  id: '0d6c8a1e-2f51-4d3c-9f6b-6f1c2a3b4c5d',
  status: 'closed',
  monitor_id: '1d6c8a1e-2f51-4d3c-9f6b-6f1c2a3b4c5d',
  monitor_name: 'Shop',
  monitor_kind: 'http',
  target: null,
  vuln_id: 'CVE-2026-1001',
  aliases: [],
  summary: null,
  severity: null,
  url: null,
  exploited_on: '2026-11-10',
  product: 'nginx',
  software_name: 'nginx',
  version: '1.25.3',
  fixed_in: null,
  fix_version: null,
  source: 'detected',
  evidence: null,
  seen_at: at,
  opened_at: at,
  closed_at: at,
  open_seconds: 0,
  outcome: 'proved',
  last_version: null,
  verification: { asked_at: at, decided_at: at, result: 'proved', scans: [scan] },
  next_step: '',
}
const by = { issuer: 'https://perigee.example', workspaceId: '2d6c8a1e-2f51-4d3c-9f6b-6f1c2a3b4c5d' }

describe('the statement of a report', () => {
  const table: [what: string, outcome: ExposureOutcome, scans: number, RegExp][] = [
    ['says that one location is one', 'proved', 1, /^One location saw a version that the known advisories do not name/],
    ['says how many locations there were', 'proved', 3, /^Each of 3 locations saw a version/],
    ['claims no fix of what is seen no more', 'not_seen', 2, /^Each of 2 locations saw nothing .* no fixed version/],
    ['says that a list is no proof', 'updated', 0, /No scans from locations have proved it\.$/],
  ]
  for (const [what, outcome, scans, expected] of table)
    it(what, () => {
      const verification = {
        asked_at: at,
        decided_at: at,
        result: null,
        scans: Array.from({ length: scans }, () => scan),
      }
      const report = exposureReport({ ...exposure, outcome, verification }, by)
      assert.match(report?.statement ?? '', expected)
    })

  it('is none while the exposure goes on', () => {
    assert.equal(exposureReport({ ...exposure, status: 'open', closed_at: null, outcome: null }, by), null)
    assert.equal(exposureReport({ ...exposure, closed_at: null }, by), null)
    assert.equal(exposureReport({ ...exposure, outcome: null }, by), null)
  })
})

describe('a report for people', () => {
  it('has a row for each location', () => {
    const report = exposureReport(exposure, by) ?? assert.fail()
    const row = '| boston | 2026-11-20T12:00:00.000Z | 1.25.4 | Server header: nginx/1.25.4 | not_affected |'
    assert.ok(exposureReportMarkdown(report).includes(row))
  })

  const rows: [what: string, changes: Partial<Exposure>, row: string][] = [
    ['names the monitor alone where it has no target', {}, '| Monitor | Shop |'],
    ['names the target behind the monitor', { target: 'shop.example' }, '| Monitor | Shop, shop.example |'],
    ['says when the version was seen', {}, `| Seen | ${at} |`],
    ['says where it was seen', { evidence: 'Server header' }, `| Seen | ${at}, Server header |`],
  ]
  for (const [what, changes, row] of rows)
    it(what, () => {
      const report = exposureReport({ ...exposure, ...changes }, by) ?? assert.fail()
      assert.ok(exposureReportMarkdown(report).split('\n').includes(row))
    })
})
