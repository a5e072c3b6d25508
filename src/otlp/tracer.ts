import type { Span, SpanPlace } from './span.ts'
import { isInShare, spanIdOf, traceIdOf } from './trace-ids.ts'

/** Where there is none, nothing is traced, and nothing is done for it. */
export type Tracer = {
  /** The trace of a round, or null where it is none of those that are traced: every process decides alike. */
  traceOf: (monitorId: string, round: number) => string | null
  end: (span: Span) => void
}

export type TracerOptions = {
  /** From 0 to 1. */
  share: number
  end: (span: Span) => void
}

export function createTracer({ share, end }: TracerOptions): Tracer {
  return {
    traceOf: (monitorId, round) => (isInShare(monitorId, round, share) ? traceIdOf(monitorId, round) : null),
    end: (span) => end(span.endMs < span.startMs ? { ...span, endMs: span.startMs } : span),
  }
}

// The spans that other processes have to find, by what both know.

/** The whole of a round. */
export function roundPlace(traceId: string): SpanPlace {
  return { traceId, spanId: spanIdOf(traceId, 'round') }
}

export function orderPlace(traceId: string, location: string): SpanPlace {
  return { traceId, spanId: spanIdOf(traceId, `order ${location}`) }
}

export function reportPlace(traceId: string, location: string): SpanPlace {
  return { traceId, spanId: spanIdOf(traceId, `report ${location}`) }
}

/** The incident that a round opened or resolved. */
export function incidentPlace(traceId: string): SpanPlace {
  return { traceId, spanId: spanIdOf(traceId, 'incident') }
}
