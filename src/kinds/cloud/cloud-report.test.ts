import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { noPhases } from '#core/results/result.ts'
import { amazon, google, statuspage } from '../../../test/support/cloud-reports.ts'
import { type CloudIncident, type Impact, readJsonReport, reportOf, worst } from './cloud-report.ts'
import { readSource } from './cloud-source.ts'
import { judgeCloud } from './cloud-status.ts'

const nowMs = Date.parse('2026-05-02T12:00:00Z')
const figures = { statusCode: 200, latencyMs: 5, phases: noPhases }

describe('a JSON report', () => {
  const indicators: [string, unknown, string][] = [
    ['a Statuspage that is fine', statuspage('none', { API: 'operational' }), 'none'],
    ['a Statuspage with a problem', statuspage('minor', {}), 'minor'],
    ['a Statuspage under maintenance', statuspage('maintenance', { API: 'under_maintenance' }), 'none'],
    ['a Statuspage with a word nobody knows', statuspage('fuzzy', {}), 'minor'],
    [
      'a Statuspage without a word for all',
      { components: statuspage('none', { a: 'partial_outage' }).components },
      'major',
    ],
    ['the short report of a Statuspage', { page: {}, status: { indicator: 'critical' } }, 'critical'],
    ['Google with an open incident', google, 'major'],
    ['Google with closed ones only', google.slice(1), 'none'],
    ['Google with an outage', [{ ...google[0], status_impact: 'SERVICE_OUTAGE' }], 'critical'],
    ['Google with news', [{ ...google[0], status_impact: 'SERVICE_INFORMATION' }], 'minor'],
    [
      'Google with a severity alone',
      [{ begin: '2026-05-02T10:00:00Z', external_desc: 'x', severity: 'high' }],
      'critical',
    ],
    ['Google with what lies ahead', [{ ...google[0], begin: '2026-05-03T10:00:00Z' }], 'none'],
    ['Amazon with a disruption', amazon, 'critical'],
    ['Amazon with what is over', amazon.slice(1), 'none'],
    ['Amazon with an end', [{ ...amazon[0], end_time: 1777717000 }], 'none'],
    ['Amazon with news', [{ ...amazon[0], status: 1 }], 'minor'],
    ['no events at all', [], 'none'],
  ]
  for (const [what, value, expected] of indicators)
    it(`of ${what} is ${expected}`, () => assert.equal(readJsonReport(value, nowMs)?.indicator, expected))

  /** Entries of both clouds' lists, and how bad each is; null for what is no entry at all. */
  const begun = { begin: '2026-05-02T10:00:00Z', status_impact: 'SERVICE_OUTAGE' }
  const event = { service: 'ec2', summary: 'Errors', status: '3' }
  const entries: [what: string, entry: Record<string, unknown>, indicator: Impact | null][] = [
    ['Google with an impact alone', begun, 'critical'],
    ['Google with a description alone', { begin: begun.begin, external_desc: 'Errors' }, 'minor'],
    ['Google with neither', { begin: begun.begin }, null],
    ['Google without a begin', { ...begun, begin: 5 }, null],
    ['Google with what ends now', { ...begun, end: '2026-05-02T12:00:00Z' }, 'none'],
    ['Google with what ends in a moment', { ...begun, end: '2026-05-02T12:00:00.001Z' }, 'critical'],
    ['Google with what begins now', { ...begun, begin: '2026-05-02T12:00:00Z' }, 'critical'],
    ['Google with what begins in a moment', { ...begun, begin: '2026-05-02T12:00:00.001Z' }, 'none'],
    ['Google with a low severity', { begin: begun.begin, external_desc: 'x', severity: 'low' }, 'minor'],
    ['Google with a medium severity', { begin: begun.begin, external_desc: 'x', severity: 'medium' }, 'major'],
    ['Google with an impact beside a severity', { ...begun, severity: 'low' }, 'critical'],
    ['Amazon with a log', { ...event, event_log: [] }, 'critical'],
    ['Amazon with a region', { ...event, region_name: 'Ohio' }, 'critical'],
    ['Amazon with a name of a resource', { ...event, arn: 'arn:aws' }, 'critical'],
    ['Amazon with none of them', event, null],
    ['Amazon without a service', { summary: 'Errors', status: '3', arn: 'arn:aws' }, null],
    ['Amazon with the state 0', { ...event, arn: 'arn:aws', status: 0 }, 'none'],
    ['Amazon with the state 1', { ...event, arn: 'arn:aws', status: '1' }, 'minor'],
    ['Amazon with the state 2', { ...event, arn: 'arn:aws', status: 2 }, 'major'],
    ['Amazon with the state 3', { ...event, arn: 'arn:aws', status: 3 }, 'critical'],
    ['Amazon with a state that is not known', { ...event, arn: 'arn:aws', status: 4 }, 'minor'],
    ['Amazon with one end', { ...event, arn: 'arn:aws', end_time: 1 }, 'none'],
    ['Amazon with the other end', { ...event, arn: 'arn:aws', endTime: 1 }, 'none'],
    ['Amazon with empty ends', { ...event, arn: 'arn:aws', end_time: '', endTime: null }, 'critical'],
    ['Amazon with what its title says is over', { ...event, arn: 'arn:aws', summary: '[RESOLVED] Errors' }, 'none'],
    ['Amazon with what it says it has not resolved', { ...event, arn: 'arn:aws', summary: 'Not resolved' }, 'critical'],
  ]
  for (const [what, entry, indicator] of entries)
    it(`of ${what} is ${indicator ?? 'none'}`, () =>
      assert.equal(readJsonReport([entry], nowMs)?.indicator ?? null, indicator))

  it('is as bad as the worst of it, and holds the first fifty incidents', () => {
    assert.equal(worst([]), 'none')
    assert.equal(worst(['minor', 'critical', 'none']), 'critical')
    const incidents = Array.from({ length: 51 }, (_, at): CloudIncident => ({
      name: `${at}`,
      impact: 'minor',
      components: [],
      text: '',
    }))
    assert.deepEqual(reportOf(incidents).incidents, incidents.slice(0, 50))
    const open = Array.from({ length: 51 }, (_, at) => ({ name: `${at}`, impact: 'minor', status: 'investigating' }))
    assert.equal(readJsonReport({ status: { indicator: 'minor' }, incidents: open }, nowMs)?.incidents.length, 50)
  })

  it('leaves out incidents that are over', () => {
    const states = ['investigating', 'resolved', 'postmortem', 'completed', 'identified']
    const incidents = states.map((status) => ({ name: status, impact: 'major', status }))
    const report = readJsonReport({ components: [], incidents }, nowMs)
    assert.deepEqual(
      report?.incidents.map(({ name }) => name),
      ['investigating', 'identified'],
    )
    assert.deepEqual([report?.indicator, report?.components], ['none', []])
  })

  it('has names of 500 letters, and none for what is no text', () => {
    const components = [
      { name: ` ${'n'.repeat(501)}`, status: 'operational' },
      { name: 5, status: 'toString' },
    ]
    assert.deepEqual(readJsonReport({ components }, nowMs)?.components, [
      { name: 'n'.repeat(500), impact: 'none' },
      { name: '', impact: 'minor' },
    ])
  })

  it('has components where it lists them', () => {
    assert.equal(readJsonReport({ status: { indicator: 'none' } }, nowMs)?.components, null)
    assert.equal(readJsonReport({ status: { indicator: 'none' }, components: 'none' }, nowMs)?.components, null)
  })

  it('names what goes on and where', () => {
    assert.deepEqual(readJsonReport(statuspage('major', { API: 'major_outage', EU: 'operational' }), nowMs), {
      indicator: 'major',
      components: [
        { name: 'API', impact: 'critical' },
        { name: 'EU', impact: 'none' },
      ],
      incidents: [{ name: 'Errors', impact: 'major', components: ['API'], text: '' }],
    })
    assert.deepEqual(readJsonReport(google, nowMs)?.incidents, [
      {
        name: 'Elevated latency in us-central1',
        impact: 'major',
        components: [
          'Google Compute Engine',
          'L3ggmi3Jy4xJmgodFA9K',
          'Iowa (us-central1)',
          'us-central1',
          'Multiple Products',
        ],
        text: '',
      },
    ])
    assert.deepEqual(readJsonReport(amazon, nowMs)?.incidents, [
      {
        name: 'Increased API error rates',
        impact: 'critical',
        components: ['Amazon Elastic Compute Cloud', 'ec2-us-east-1', 'N. Virginia'],
        text: '',
      },
    ])
  })

  for (const value of [null, 5, 'ok', {}, { status: 'ok' }, { status: { indicator: 5 } }, [1], [{ id: 1 }], [[]]])
    it(`is not ${JSON.stringify(value)}`, () => assert.equal(readJsonReport(value, nowMs), null))

  it('is read without a throw, whatever a provider sends', () => {
    const keys = ['status', 'indicator', 'components', 'incidents', 'name', 'impact', 'begin', 'end', 'external_desc']
    const more = ['severity', 'affected_products', 'service', 'event_log', 'summary', '__proto__', 'constructor']
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.constantFrom(null, 0, 'none', 'major', 'toString', '2026-05-02', true),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys, ...more), tie('node'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(node, (value) => {
        const report = readJsonReport(value, nowMs)
        if (report !== null) judgeCloud({ ...figures, report }, { options: { components: ['a'], down_on: 'major' } })
      }),
      { numRuns: 2000 },
    )
  })

  it('is looked for in any bytes without a throw', async () => {
    const start = fc.constantFrom('', '{', '[', '<rss>', '<feed', '<html><link ', '\ufeff', '<?xml encoding="utf-16"?>')
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 200 }), async (text, bytes) => {
        const body = Buffer.concat([Buffer.from(text), bytes])
        await readSource({ body, headers: {}, finalUrl: 'https://a.example/' }, nowMs)
      }),
    )
  })
})
