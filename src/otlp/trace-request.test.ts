import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type Span, spanNames } from './span.ts'
import { traceRequestOf } from './trace-request.ts'

const span: Span = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentId: 'c'.repeat(16),
  name: 'check',
  kind: 'consumer',
  startMs: 1_795_680_000_123.25,
  endMs: 1_795_680_000_124,
  isFailure: true,
  attributes: { text: 'x', whole: 5, part: 0.5, flag: false },
  links: [{ traceId: 'd'.repeat(32), spanId: 'e'.repeat(16) }],
}

describe('docs/monitoring-perigee.md', () => {
  it('says of every span what it is, and of no other', () => {
    const page = readFileSync(new URL('../../docs/monitoring-perigee.md', import.meta.url), 'utf8')
    const [, section = ''] = page.split('\n## Traces\n')
    const [own = ''] = section.split('\n## ')
    assert.deepEqual(
      Array.from(own.matchAll(/^\| `(\w+)` /gm), ([, name]) => name),
      [...spanNames],
    )
  })
})

describe('a request with spans', () => {
  it('has them as JSON in OTLP writes them, with times to the nanosecond', () => {
    assert.deepEqual(traceRequestOf([span], { 'service.name': 'perigee' }), {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'perigee' } }] },
          scopeSpans: [
            {
              scope: { name: 'perigee.checks' },
              spans: [
                {
                  traceId: 'a'.repeat(32),
                  spanId: 'b'.repeat(16),
                  parentSpanId: 'c'.repeat(16),
                  name: 'check',
                  kind: 5,
                  startTimeUnixNano: '1795680000123250000',
                  endTimeUnixNano: '1795680000124000000',
                  attributes: [
                    { key: 'text', value: { stringValue: 'x' } },
                    { key: 'whole', value: { intValue: '5' } },
                    { key: 'part', value: { doubleValue: 0.5 } },
                    { key: 'flag', value: { boolValue: false } },
                  ],
                  links: [{ traceId: 'd'.repeat(32), spanId: 'e'.repeat(16) }],
                  status: { code: 2 },
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it('leaves out what a first span has not', () => {
    const { links: _, ...plain } = span
    const [first] = traceRequestOf([{ ...plain, parentId: null, isFailure: false }], {}).resourceSpans
    const members = Object.keys(first?.scopeSpans[0]?.spans[0] ?? {})
    assert.ok(!members.includes('parentSpanId') && !members.includes('links'), String(members))
    assert.deepEqual(first?.scopeSpans[0]?.spans[0]?.status, {})
  })
})
