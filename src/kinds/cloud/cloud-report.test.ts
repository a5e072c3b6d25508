import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { noPhases } from '#core/results/result.ts'
import { amazon, google, statuspage } from '../../../test/support/cloud-reports.ts'
import { readJsonReport } from './cloud-report.ts'
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
