// The spans of deliveries. An alert that the decision of a round made is in the trace of that round. What comes later,
// such as a reminder, or of several occasions, has a trace of its own with links to those of the rounds: a trace that
// goes on for hours is of no use to its readers.
import { type Attempt, errorOf } from '#contacts/send.ts'
import {
  type Alert,
  type BundleAlert,
  bundleType,
  type EpisodeAlert,
  type SingleAlert,
} from '#core/contacts/alerting.ts'
import type { Decision } from '#core/contacts/delivery-retry.ts'
import type { Span, SpanPlace } from '#otlp/span.ts'
import { spanIdOf } from '#otlp/trace-ids.ts'
import { incidentPlace, roundPlace, type Tracer } from '#otlp/tracer.ts'
import type { ClaimedDelivery } from '#store/contacts/delivery-attempts.ts'

/** What is told of a delivery. */
export type TracedDelivery = Pick<ClaimedDelivery, 'id' | 'alert' | 'attempt' | 'ageMs'> & {
  contact: Pick<ClaimedDelivery['contact'], 'id' | 'kind'>
}

/** `parentId` is null in a trace of the delivery's own. */
type Belonging = { traceId: string; parentId: string | null; links: SpanPlace[] }

/** A round as an alert tells it: its monitor, and its time in microseconds since 1970. */
type RoundOfAlert = { monitorId: string; round: number; isOfIncident: boolean }

export type TracedAttempt = {
  claim: TracedDelivery
  attempt: Attempt
  decision: Decision
  startMs: number
  endMs: number
}

/** An attempt, and the whole delivery where that was the last one. */
export function traceAttempt(tracer: Tracer, { claim, attempt, decision, startMs, endMs }: TracedAttempt): void {
  const belonging = belongingOf(tracer, claim)
  if (belonging === null) return
  const whole = wholeOf(claim, belonging)
  const { traceId, spanId: parentId } = whole
  const { statusCode } = attempt
  tracer.end({
    traceId,
    spanId: spanIdOf(traceId, `attempt ${claim.id} ${claim.attempt}`),
    parentId,
    name: 'attempt',
    kind: 'client',
    startMs,
    endMs,
    isFailure: errorOf(attempt) !== null,
    attributes: {
      'perigee.delivery.attempt': claim.attempt,
      'perigee.delivery.outcome': decision.type === 'give_up' ? 'failed' : decision.type,
      ...(statusCode === null ? {} : { 'perigee.delivery.status_code': statusCode }),
    },
  })
  if (decision.type === 'retry') return
  tracer.end({ ...whole, startMs: startMs - claim.ageMs, endMs, isFailure: decision.type === 'give_up' })
}

/** A delivery that ends without an attempt. */
export function traceUnsent(tracer: Tracer, claim: TracedDelivery, nowMs: number): void {
  const belonging = belongingOf(tracer, claim)
  if (belonging === null) return
  tracer.end({ ...wholeOf(claim, belonging), startMs: nowMs - claim.ageMs, endMs: nowMs, isFailure: true })
}

function wholeOf(
  { id, alert, contact }: TracedDelivery,
  { traceId, parentId, links }: Belonging,
): Omit<Span, 'startMs' | 'endMs' | 'isFailure'> {
  return {
    traceId,
    spanId: spanIdOf(traceId, `deliver ${id}`),
    parentId,
    name: 'deliver',
    kind: 'consumer',
    attributes: {
      'perigee.delivery.id': id,
      'perigee.contact.id': contact.id,
      'perigee.contact.kind': contact.kind,
      'perigee.alert.type': alert.type,
    },
    links,
  }
}

function belongingOf(tracer: Tracer, { id, alert }: TracedDelivery): Belonging | null {
  const own = alert.type === bundleType ? null : decidingRound(alert)
  if (own !== null) {
    const traceId = tracer.traceOf(own.monitorId, own.round)
    if (traceId === null) return null
    const { spanId: parentId } = own.isOfIncident ? incidentPlace(traceId) : roundPlace(traceId)
    return { traceId, parentId, links: [] }
  }
  const traceId = tracer.traceOf(id, 0)
  return traceId === null ? null : { traceId, parentId: null, links: linksOf(tracer, alert) }
}

/**
 * The round whose decision made the alert; null where none did. An alert may leave long after its occasion, so the times
 * of its incident count.
 */
function decidingRound({ type, timestamp, data }: SingleAlert): RoundOfAlert | null {
  if (data.monitor === null || data.result === null || 'closed' in data) return null
  const { id: monitorId } = data.monitor
  const { started_at: startedAt = timestamp, resolved_at: resolvedAt = null } = data.incident ?? {}
  if (type === 'monitor.down') return { monitorId, round: roundAt(startedAt), isOfIncident: true }
  if (type === 'monitor.up') return { monitorId, round: roundAt(resolvedAt ?? timestamp), isOfIncident: true }
  return episodeTypes.has(type) ? { monitorId, round: roundAt(timestamp), isOfIncident: false } : null
}

const episodeTypes: ReadonlySet<string> = new Set<EpisodeAlert['type']>([
  'monitor.degraded',
  'monitor.degraded_ended',
  'monitor.slow',
  'monitor.slow_ended',
])

function linksOf(tracer: Tracer, alert: Alert): SpanPlace[] {
  const alerts: readonly SingleAlert[] = isBundle(alert) ? alert.data.alerts : [alert]
  const places = alerts.flatMap((each) => {
    const of = decidingRound(each) ?? openingRound(each)
    const traceId = of === null ? null : tracer.traceOf(of.monitorId, of.round)
    return traceId === null ? [] : [roundPlace(traceId)]
  })
  return [...new Map(places.map((place) => [place.traceId, place])).values()]
}

function isBundle(alert: Alert): alert is BundleAlert {
  return alert.type === bundleType
}

/** The round that opened the incident of the alert. */
function openingRound({ data }: SingleAlert): RoundOfAlert | null {
  if (data.monitor === null || data.incident === null || data.incident.by_hand === true) return null
  return { monitorId: data.monitor.id, round: roundAt(data.incident.started_at), isOfIncident: true }
}

function roundAt(time: string): number {
  return Date.parse(time) * 1000
}
