// Spans as OTLP/HTTP takes them in JSON (opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding"): names of members
// in lowerCamelCase, ids in hexadecimal digits, enumerations as numbers, 64-bit numbers as texts.
import type { Span, SpanKind, SpanPlace } from './span.ts'

type Value = { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean }
type Attribute = { key: string; value: Value }

type OtlpSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  links?: SpanPlace[]
  status: { code?: number }
}

/** The body of an ExportTraceServiceRequest. */
export type TraceRequest = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { scope: { name: string }; spans: OtlpSpan[] }[]
  }[]
}

/** `resource` describes the process that saw the spans. */
export function traceRequestOf(spans: readonly Span[], resource: Span['attributes']): TraceRequest {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'perigee.checks' }, spans: spans.map(otlpSpanOf) }],
      },
    ],
  }
}

const kindNumbers: Readonly<Record<SpanKind, number>> = { internal: 1, client: 3, producer: 4, consumer: 5 }
const errorStatus = 2

function otlpSpanOf({ traceId, spanId, parentId, name, kind, startMs, endMs, ...span }: Span): OtlpSpan {
  const { attributes, links = [], isFailure } = span
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: kindNumbers[kind],
    startTimeUnixNano: nanosecondsOf(startMs),
    endTimeUnixNano: nanosecondsOf(endMs),
    attributes: attributesOf(attributes),
    ...(links.length === 0 ? {} : { links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })) }),
    status: isFailure ? { code: errorStatus } : {},
  }
}

/** A number holds nanoseconds since 1970 to a quarter of a microsecond only. */
function nanosecondsOf(ms: number): string {
  const whole = Math.floor(ms)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)))
}

function attributesOf(values: Span['attributes']): Attribute[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: valueOf(value) }))
}

function valueOf(value: string | number | boolean): Value {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
