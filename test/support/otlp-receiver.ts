// A stand-in for a receiver of OTLP/HTTP: it takes what the schema of opentelemetry-proto allows for gauges, as its JSON
// encoding writes it, and answers as the specification of OTLP says.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { httpServer } from './http-server.ts'

/** ProtoJSON: 64-bit integers are decimal strings. */
const int64 = z.string().regex(/^-?(?:0|[1-9]\d{0,18})$/)
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
export type OtlpAnswer = { status: number; headers?: Record<string, string>; body?: string }

export type OtlpStandIn = {
  url: string
  /** What was taken, a list for each request. */
  taken: ReceivedPoint[][]
  /** All requests, also those that it refused. */
  requests: { headers: IncomingHttpHeaders; problem: string | null }[]
  /** The next answers; afterwards everything is taken. `silent` answers nothing, `closed` ends the connection. */
  next: (OtlpAnswer | 'silent' | 'closed')[]
}

export async function otlpReceiver(): Promise<OtlpStandIn> {
  const standIn: OtlpStandIn = { url: '', taken: [], requests: [], next: [] }
  const { port } = await httpServer((request, response) => void answerTo(standIn, request, response))
  standIn.url = `http://127.0.0.1:${port}/v1/metrics`
  return standIn
}

async function answerTo(standIn: OtlpStandIn, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { headers, method, url } = request
  const parsed = requestSchema.safeParse(JSON.parse(gunzipSync(await buffer(request)).toString()))
  const isRight =
    `${method} ${url} ${headers['content-type']} ${headers['content-encoding']}` ===
    'POST /v1/metrics application/json gzip'
  const problem = isRight ? (parsed.error?.message ?? null) : 'another request'
  standIn.requests.push({ headers, problem })
  const answer = problem === null ? (standIn.next.shift() ?? { status: 200 }) : { status: 400 }
  if (answer === 'silent') return
  if (answer === 'closed') return void response.destroy()
  if (answer.status === 200 && parsed.success) standIn.taken.push(pointsOf(parsed.data))
  response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers })
  response.end(answer.body ?? '{}')
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
