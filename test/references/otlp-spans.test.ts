// Spans as we write them, against the JSON that the library of OpenTelemetry writes of the same.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import fc from 'fast-check'
import { type Span, spanNames } from '#otlp/span.ts'
import { traceRequestOf } from '#otlp/trace-request.ts'

type Theirs = Parameters<typeof JsonTraceSerializer.serializeRequest>[0][number]

const resource = { 'service.name': 'perigee', 'service.version': '1.2.3' }
/** Their library gathers spans of the same objects. */
const theirResource = { attributes: resource, merge: () => assert.fail(), getRawAttributes: () => [] }
const theirScope = { name: 'perigee.checks' }
const kinds = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

const contextOf = ({ traceId, spanId }: { traceId: string; spanId: string }) => ({ traceId, spanId, traceFlags: 1 })

/** Seconds and nanoseconds. */
function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000)
  const whole = Math.floor(ms)
  return [seconds, (whole - seconds * 1000) * 1_000_000 + Math.round((ms - whole) * 1_000_000)]
}

function theirsOf(span: Span): Theirs {
  return {
    name: span.name,
    kind: kinds[span.kind],
    spanContext: () => contextOf(span),
    ...(span.parentId === null
      ? {}
      : { parentSpanContext: contextOf({ traceId: span.traceId, spanId: span.parentId }) }),
    startTime: timeOf(span.startMs),
    endTime: timeOf(span.endMs),
    duration: [0, 0],
    ended: true,
    status: { code: span.isFailure ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: span.attributes,
    links: (span.links ?? []).map((link) => ({ context: contextOf(link) })),
    events: [],
    resource: theirResource,
    instrumentationScope: theirScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** What neither has to write: counts of nothing, empty lists, and flags. Whole numbers may be numbers or texts. */
const silent = new Set(['droppedAttributesCount', 'droppedEventsCount', 'droppedLinksCount', 'flags', 'events'])

function plain(value: unknown, name = ''): unknown {
  if (name === 'intValue') return String(value)
  if (Array.isArray(value)) return value.map((each) => plain(each))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
    .filter(([key, of]) => !silent.has(key) && !(Array.isArray(of) && of.length === 0))
    .map(([key, of]): [string, unknown] => [key, plain(of, key)])
    .filter(([key, of]) => !(key === 'code' && of === 0))
  return Object.fromEntries(members)
}

function written(spans: readonly Span[]): unknown {
  const bytes = JsonTraceSerializer.serializeRequest(spans.map(theirsOf)) ?? assert.fail('it wrote nothing')
  return plain(JSON.parse(Buffer.from(bytes).toString()))
}

const hex = (digits: number) =>
  fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: digits, maxLength: digits })
    .map((all) => all.map((digit) => digit.toString(16)).join(''))
const time = fc.integer({ min: 0, max: 4_000_000_000_000_000 }).map((us) => us / 1000)
const value = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
)
const span: fc.Arbitrary<Span> = fc.record({
  traceId: hex(32),
  spanId: hex(16),
  parentId: fc.option(hex(16)),
  name: fc.constantFrom(...spanNames),
  kind: fc.constantFrom('internal', 'client', 'producer', 'consumer'),
  startMs: time,
  endMs: time,
  isFailure: fc.boolean(),
  attributes: fc.dictionary(fc.string({ minLength: 1 }), value),
  links: fc.array(fc.record({ traceId: hex(32), spanId: hex(16) }), { maxLength: 3 }),
})

describe('spans in JSON', () => {
  it('are those of the library of OpenTelemetry', () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 5 }), (spans) => {
        assert.deepEqual(plain(JSON.parse(JSON.stringify(traceRequestOf(spans, resource)))), written(spans))
      }),
    )
  })
})
