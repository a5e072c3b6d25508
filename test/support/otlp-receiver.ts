// A stand-in for a receiver of OTLP/HTTP: it takes what the schema of opentelemetry-proto allows for gauges, as its JSON
// encoding writes it, and answers as the specification of OTLP says.
import { z } from 'zod'
import { int64, otlpStandIn, type StandIn } from './otlp-stand-in.ts'

const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: z.strictObject({ stringValue: z.string() }) }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'keys are there once')
const common = { attributes, timeUnixNano: int64 }
const requestSchema = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeMetrics: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string() }),
          metrics: z.array(
            z.strictObject({
              name: z.string().regex(/^[a-zA-Z][-_./a-zA-Z0-9]{0,254}$/),
              description: z.string(),
              unit: z.string().max(63),
              gauge: z.strictObject({
                dataPoints: z
                  .array(
                    z.union([
                      z.strictObject({ ...common, asInt: int64 }),
                      z.strictObject({ ...common, asDouble: z.number() }),
                    ]),
                  )
                  .min(1),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
})

/** A data point with its attributes as an object. */
export type ReceivedPoint = { metric: string; at: number; value: number; attributes: Record<string, string> }

export type OtlpStandIn = StandIn<ReceivedPoint>

export function otlpReceiver(): Promise<OtlpStandIn> {
  return otlpStandIn({ path: '/v1/metrics', schema: requestSchema, takenOf: pointsOf })
}

function pointsOf({ resourceMetrics }: z.infer<typeof requestSchema>): ReceivedPoint[] {
  return resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
    .flatMap(({ name, gauge }) =>
      gauge.dataPoints.map((point) => ({
        metric: name,
        at: Number(BigInt(point.timeUnixNano) / 1_000_000n),
        value: 'asInt' in point ? Number(point.asInt) : point.asDouble,
        attributes: Object.fromEntries(point.attributes.map(({ key, value }) => [key, value.stringValue])),
      })),
    )
}
