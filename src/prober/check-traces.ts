// The spans of checks that a prober sees: from the arrival of an order until its result is known to be durable.
import type { KindName } from '#core/monitors/kind-traits.ts'
import type { Phases, Result } from '#core/results/result.ts'
import type { Span, SpanName, SpanPlace } from '#otlp/span.ts'
import { spanIdOf } from '#otlp/trace-ids.ts'
import { orderPlace, reportPlace, type Tracer } from '#otlp/tracer.ts'
import type { Time } from '#time/time.ts'

/** Times of the steady clock. Judged is what the check itself ends with; evidence is made after that. */
export type CheckTimes = { arrivedMs: number; startedMs: number; judgedMs: number }

export type CheckTraces = {
  checked: (check: { result: Result; kind: KindName; times: CheckTimes }) => void
  /** These results are durable. */
  reported: (results: readonly Result[]) => void
  /** These results never will be. */
  dropped: (results: readonly Result[]) => void
}

export type CheckTracesOptions = { tracer: Tracer; prober: string; time: Pick<Time, 'nowMs' | 'steadyMs'> }

type Waiting = { traceId: string; parentId: string; sinceMs: number }

/** Results wait for the bus in the outbox, which takes no more than so many; after a drop none may be left here. */
const maxWaiting = 10_000

export function createCheckTraces({ tracer, prober, time }: CheckTracesOptions): CheckTraces {
  const waiting = new Map<string, Waiting>()
  return {
    checked: ({ result, kind, times }) => {
      const traceId = tracer.traceOf(result.monitorId, result.round)
      if (traceId === null) return
      const nowMs = time.nowMs()
      const toWallMs = nowMs - time.steadyMs()
      const check = checkSpan({ traceId, prober, result, kind })
      const startMs = times.arrivedMs + toWallMs
      tracer.end({ ...check, startMs, endMs: nowMs })
      for (const part of partsOf(check, result.verdict?.phases ?? null, times))
        tracer.end({ ...part, startMs: part.startMs + toWallMs, endMs: part.endMs + toWallMs })
      if (waiting.size < maxWaiting) waiting.set(keyOf(result), { traceId, parentId: check.spanId, sinceMs: nowMs })
    },
    reported: (results) => {
      if (waiting.size === 0) return
      for (const result of results) {
        const found = waiting.get(keyOf(result))
        if (found === undefined) continue
        waiting.delete(keyOf(result))
        tracer.end(reportSpan(result, found, time.nowMs()))
      }
    },
    dropped: (results) => {
      for (const result of results) waiting.delete(keyOf(result))
    },
  }
}

function keyOf({ monitorId, round }: Result): string {
  return `${monitorId} ${round}`
}

type Untimed = Omit<Span, 'startMs' | 'endMs'>

function checkSpan(checked: { traceId: string; prober: string; result: Result; kind: KindName }): Untimed {
  const { traceId, prober, result, kind } = checked
  const { location, verdict } = result
  return {
    ...placeOf(traceId, `check ${location} ${prober}`),
    parentId: orderPlace(traceId, location).spanId,
    name: 'check',
    kind: 'consumer',
    isFailure: verdict?.status === 'down',
    attributes: {
      'perigee.location': location,
      'perigee.prober': prober,
      'perigee.monitor.kind': kind,
      'perigee.check.status': verdict?.status ?? 'none',
      ...(verdict?.statusCode == null ? {} : { 'perigee.check.status_code': verdict.statusCode }),
      ...(verdict?.latencyMs == null ? {} : { 'perigee.check.latency_ms': verdict.latencyMs }),
    },
  }
}

const phaseNames = [
  ['dns', 'dnsMs'],
  ['connect', 'connectMs'],
  ['tls', 'tlsMs'],
  ['ttfb', 'ttfbMs'],
  ['transfer', 'transferMs'],
] as const satisfies [SpanName, keyof Phases][]

/**
 * What the check consisted of, by the steady clock. Phases follow one another up to the end of the check: a check may
 * have been made again, and its phases are those of the last time.
 */
function partsOf(check: Untimed, phases: Phases | null, { arrivedMs, startedMs, judgedMs }: CheckTimes): Span[] {
  const part = (name: SpanName, startMs: number, endMs: number): Span => ({
    ...placeOf(check.traceId, `${name} ${check.spanId}`),
    parentId: check.spanId,
    name,
    kind: name === 'wait' ? 'internal' : 'client',
    startMs,
    endMs,
    isFailure: false,
    attributes: {},
  })
  const spans = [part('wait', arrivedMs, startedMs)]
  const taken = phaseNames.flatMap(([name, member]) => {
    const ms = phases?.[member] ?? null
    return ms === null ? [] : [{ name, ms }]
  })
  const wholeMs = taken.reduce((sum, { ms }) => sum + ms, 0)
  let atMs = Math.max(startedMs, judgedMs - wholeMs)
  for (const { name, ms } of taken) {
    const endMs = Math.min(atMs + ms, judgedMs)
    spans.push(part(name, atMs, endMs))
    atMs = endMs
  }
  return spans
}

function reportSpan({ location }: Result, { traceId, parentId, sinceMs }: Waiting, nowMs: number): Span {
  return {
    ...reportPlace(traceId, location),
    parentId,
    name: 'report',
    kind: 'producer',
    startMs: sinceMs,
    endMs: nowMs,
    isFailure: false,
    attributes: { 'perigee.location': location },
  }
}

function placeOf(traceId: string, what: string): SpanPlace {
  return { traceId, spanId: spanIdOf(traceId, what) }
}
