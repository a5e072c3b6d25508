// The spans of rounds that an engine sees: from the time at which one was due to what it decided, and how results came
// to be stored. Spans are told after the commit, so that what is handed back leaves none.
import type { Result } from '#core/results/result.ts'
import type { SpanPlace } from '#otlp/span.ts'
import { incidentPlace, orderPlace, reportPlace, roundPlace, type Tracer } from '#otlp/tracer.ts'
import { spanIdOf } from '#otlp/trace-ids.ts'
import type { Watched } from '#engine/rounds/watched.ts'
import type { Draft } from './draft-rounds.ts'

/** When a batch was judged, and when what follows was written; milliseconds since 1970. */
export type Course = { judgingMs: number; judgedMs: number; writtenMs: number }

export type Stored = { result: Result; watched: Watched | null }

/** `drafts` are those of rounds that are closed and written; memory has not followed yet. */
export type Committed = { stored: readonly Stored[]; drafts: readonly Draft[]; course: Course; nowMs: number }

type Arrived = { traceId: string; atMs: number }

export class RoundTraces {
  readonly #tracer: Tracer
  readonly #now: () => number
  readonly #arrived = new WeakMap<Result, Arrived>()

  constructor(tracer: Tracer, now: () => number) {
    this.#tracer = tracer
    this.#now = now
  }

  arrived(results: readonly Result[]): void {
    for (const result of results) {
      const traceId = this.#tracer.traceOf(result.monitorId, result.round)
      if (traceId !== null) this.#arrived.set(result, { traceId, atMs: this.#now() })
    }
  }

  committed({ stored, drafts, course, nowMs }: Committed): void {
    for (const each of stored) this.#tellStored(each, nowMs)
    for (const draft of drafts) {
      const traceId = this.#tracer.traceOf(draft.watched.id, draft.open.time)
      if (traceId !== null) this.#tellRound({ traceId, draft, course, nowMs })
    }
  }

  /** A call, and what the engine finds itself, come from no prober. */
  #tellStored({ result, watched }: Stored, nowMs: number): void {
    const arrived = this.#arrived.get(result)
    if (arrived === undefined) return
    const { traceId, atMs } = arrived
    const { location } = result
    const isReported = watched === null || watched.source.type === 'probed'
    this.#tracer.end({
      ...placeOf(traceId, `store ${location}`),
      parentId: (isReported ? reportPlace(traceId, location) : roundPlace(traceId)).spanId,
      name: 'store',
      kind: 'consumer',
      startMs: atMs,
      endMs: nowMs,
      isFailure: false,
      attributes: { 'perigee.location': location },
    })
  }

  #tellRound(told: ToldRound): void {
    this.#tellWhole(told)
    this.#tellOrders(told)
    const { traceId, draft, course } = told
    const { spanId: parentId } = roundPlace(traceId)
    const common = { parentId, kind: 'internal', isFailure: false } as const
    const { judgingMs, judgedMs, writtenMs } = course
    const judged = { startMs: judgingMs, endMs: judgedMs, attributes: {} }
    this.#tracer.end({ ...placeOf(traceId, 'judge'), ...common, ...judged, name: 'judge' })
    const turn = draft.fold?.transition.type ?? 'none'
    if (turn === 'none') return
    const isOpened = turn === 'went_down'
    const incidentId = isOpened ? draft.fold?.incidentId : draft.watched.incidentId
    this.#tracer.end({
      ...incidentPlace(traceId),
      ...common,
      name: 'incident',
      startMs: judgedMs,
      endMs: writtenMs,
      attributes: {
        'perigee.incident.id': incidentId ?? '',
        'perigee.incident.change': isOpened ? 'opened' : 'resolved',
      },
    })
  }

  #tellWhole({ traceId, draft: { watched, open, outcome, fold }, nowMs }: ToldRound): void {
    this.#tracer.end({
      ...roundPlace(traceId),
      parentId: null,
      name: 'round',
      kind: 'internal',
      startMs: open.time / 1000,
      endMs: nowMs,
      isFailure: false,
      attributes: {
        'perigee.monitor.id': watched.id,
        'perigee.round': open.time,
        'perigee.round.outcome': outcome?.type ?? '',
        'perigee.monitor.status': fold?.standing.status ?? watched.standing.status,
      },
    })
  }

  /** A round that another engine opened has no orders here, and a call none at all. */
  #tellOrders({ traceId, draft: { open } }: ToldRound): void {
    const [first] = open.asked.toSorted((one, other) => one.askedMs - other.askedMs)
    if (first === undefined) return
    const { spanId: parentId } = roundPlace(traceId)
    const times = { startMs: open.time / 1000, endMs: first.askedMs }
    const schedule = { ...placeOf(traceId, 'schedule'), parentId, isFailure: false, attributes: {} }
    this.#tracer.end({ ...schedule, ...times, name: 'schedule', kind: 'internal' })
    for (const { location, prober, askedMs } of open.asked)
      this.#tracer.end({
        ...orderPlace(traceId, location),
        parentId,
        name: 'order',
        kind: 'producer',
        startMs: askedMs,
        endMs: askedMs,
        isFailure: false,
        attributes: { 'perigee.location': location, 'perigee.prober': prober },
      })
  }
}

type ToldRound = { traceId: string; draft: Draft; course: Course; nowMs: number }

function placeOf(traceId: string, what: string): SpanPlace {
  return { traceId, spanId: spanIdOf(traceId, what) }
}
