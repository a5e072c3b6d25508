// A stand-in for a receiver of traces by OTLP/HTTP: it takes what the schema of opentelemetry-proto allows for spans, as
// its JSON encoding writes it.
import { z } from 'zod'
import { int64, otlpStandIn, type StandIn } from './otlp-stand-in.ts'

/** JSON in OTLP has ids in hexadecimal digits and not in base64, and none of zeros alone. */
const id = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${digits}}$`))
    .refine((text) => !/^0+$/.test(text), 'an id has another digit than 0')
const traceId = id(32)
const spanId = id(16)
const anyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: int64 }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
])
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: anyValue }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'keys are there once')
const spanSchema = z
  .strictObject({
    traceId,
    spanId,
    parentSpanId: spanId.optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: int64,
    endTimeUnixNano: int64,
    attributes,
    links: z.array(z.strictObject({ traceId, spanId })).optional(),
    status: z.strictObject({ code: z.int().min(0).max(2).optional() }),
  })
  .refine((span) => BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano), 'it ends before it begins')
const requestSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(spanSchema).min(1) }),
      ),
    }),
  ),
})

/** A span with its attributes, and those of its process, as an object. Times are nanoseconds since 1970. */
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentId: string | null
  name: string
  kind: number
  startNs: bigint
  endNs: bigint
  isFailure: boolean
  links: { traceId: string; spanId: string }[]
  attributes: Record<string, string | number | boolean>
  resource: Record<string, string | number | boolean>
}

export type TraceStandIn = StandIn<ReceivedSpan>

export function traceReceiver(): Promise<TraceStandIn> {
  return otlpStandIn({ path: '/v1/traces', schema: requestSchema, takenOf: spansOf })
}

function spansOf({ resourceSpans }: z.infer<typeof requestSchema>): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentId: span.parentSpanId ?? null,
        name: span.name,
        kind: span.kind,
        startNs: BigInt(span.startTimeUnixNano),
        endNs: BigInt(span.endTimeUnixNano),
        isFailure: span.status.code === 2,
        links: span.links ?? [],
        attributes: recordOf(span.attributes),
        resource: recordOf(resource.attributes),
      })),
  )
}

function recordOf(list: z.infer<typeof attributes>): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    list.map(({ key, value }) => {
      if ('intValue' in value) return [key, Number(value.intValue)]
      const [only = ''] = Object.values(value)
      return [key, only]
    }),
  )
}
