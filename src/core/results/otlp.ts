// Results of checks as metrics of OpenTelemetry, pushed by OTLP/HTTP in JSON (opentelemetry.io/docs/specs/otlp).
import { z } from 'zod'
import type { ResultStatus } from './result.ts'

/** Who receives them. `headers` may hold keys. */
export type OtlpReceiver = { url: string; headers: Readonly<Record<string, string>> }

export type PushedResult = {
  workspaceId: string
  monitorId: string
  name: string
  kind: string
  location: string
  status: ResultStatus
  latencyMs: number | null
  /** In microseconds since 1970. */
  round: number
}

type Attribute = { key: string; value: { stringValue: string } }
type Point = { attributes: Attribute[]; timeUnixNano: string } & ({ asInt: string } | { asDouble: number })
type Gauge = { name: string; description: string; unit: string; gauge: { dataPoints: Point[] } }

/** The body of an ExportMetricsServiceRequest. Names of members and 64-bit numbers are as JSON in OTLP has them. */
export type OtlpRequest = {
  resourceMetrics: {
    resource: { attributes: Attribute[] }
    scopeMetrics: { scope: { name: string }; metrics: Gauge[] }[]
  }[]
}

export function otlpRequestOf(results: readonly PushedResult[]): OtlpRequest {
  const labelled = results.map((result) => ({ result, common: commonOf(result) }))
  const flag = (is: (status: ResultStatus) => boolean): Point[] =>
    labelled.map(({ result, common }) => ({ ...common, asInt: is(result.status) ? '1' : '0' }))
  const durations = labelled.flatMap(({ result: { status, latencyMs }, common }) =>
    latencyMs === null || status === 'down' ? [] : [{ ...common, asDouble: latencyMs / 1000 }],
  )
  const metrics: Gauge[] = [
    { ...described.up, gauge: { dataPoints: flag((status) => status !== 'down') } },
    { ...described.degraded, gauge: { dataPoints: flag((status) => status === 'degraded') } },
    { ...described.duration, gauge: { dataPoints: durations } },
  ]
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'perigee' }) },
        scopeMetrics: [
          { scope: { name: 'perigee.checks' }, metrics: metrics.filter((each) => each.gauge.dataPoints.length > 0) },
        ],
      },
    ],
  }
}

const described = {
  up: { name: 'perigee.check.up', description: '1 for a check that was not down.', unit: '1' },
  degraded: { name: 'perigee.check.degraded', description: '1 for a check that was degraded.', unit: '1' },
  duration: { name: 'perigee.check.duration', description: 'What a check took that was not down.', unit: 's' },
}

function commonOf(result: PushedResult): { attributes: Attribute[]; timeUnixNano: string } {
  const { workspaceId, monitorId, name, kind, location, round } = result
  return {
    attributes: attributesOf({
      'perigee.workspace.id': workspaceId,
      'perigee.monitor.id': monitorId,
      'perigee.monitor.name': name,
      'perigee.monitor.kind': kind,
      'perigee.location': location,
    }),
    timeUnixNano: `${round}000`,
  }
}

function attributesOf(values: Readonly<Record<string, string>>): Attribute[] {
  return Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }))
}

/** `refused`: this request is of no use, and the next one may be. `again`: the same one is to be sent later. */
export type OtlpOutcome =
  | { type: 'taken'; rejected: number; problem: string | null }
  | { type: 'refused'; problem: string }
  | { type: 'again'; problem: string; afterMs: number | null }

/** "Retryable Response Codes" of OTLP/HTTP. */
const retryable = new Set([429, 502, 503, 504])
const maxProblem = 300

const count = z.union([z.string().regex(/^\d{1,15}$/), z.int().min(0)])
type Count = z.infer<typeof count>
/** Of metrics data points are rejected, of traces spans. */
const partialSchema = z.object({
  partialSuccess: z
    .object({
      rejectedDataPoints: count.optional(),
      rejectedSpans: count.optional(),
      errorMessage: z.string().default(''),
    })
    .nullish(),
})
const nothingPartial = { errorMessage: '' }

/** What an answer says. `retryAfter` is the header, seconds or a date. */
export function judgeOtlpAnswer(
  { status, retryAfter, body }: { status: number; retryAfter: string | null; body: string },
  now: Date,
): OtlpOutcome {
  if (retryable.has(status))
    return { type: 'again', problem: `It answered ${status}.`, afterMs: waitOf(retryAfter, now) }
  if (status < 200 || status > 299) return { type: 'refused', problem: `It answered ${status}.` }
  const { rejectedDataPoints, rejectedSpans, errorMessage } = partialOf(body)
  const rejected = Number(rejectedSpans ?? rejectedDataPoints ?? 0)
  const said = errorMessage.slice(0, maxProblem)
  if (rejected === 0) return { type: 'taken', rejected, problem: said === '' ? null : `It said: ${said}` }
  const what = rejectedSpans === undefined ? 'data points' : 'spans'
  return { type: 'taken', rejected, problem: `It left out ${rejected} ${what}: ${said}` }
}

type Told = { rejectedDataPoints?: Count | undefined; rejectedSpans?: Count | undefined; errorMessage: string }

function partialOf(body: string): Told {
  try {
    return partialSchema.parse(JSON.parse(body)).partialSuccess ?? nothingPartial
  } catch {
    return nothingPartial
  }
}

const maxWaitMs = 600_000

/** At most ten minutes; null where the header says nothing of use. */
function waitOf(retryAfter: string | null, now: Date): number | null {
  if (retryAfter === null) return null
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now.getTime()
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), maxWaitMs)
}
