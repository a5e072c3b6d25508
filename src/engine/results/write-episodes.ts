import type { AlertResponse, EpisodeAlert } from '#core/contacts/alerting.ts'
import type { EpisodeType, SlowReading } from '#core/incidents/episode.ts'
import type { Report } from '#core/results/round.ts'
import type { Closing } from '#store/contacts/closed-occasions.ts'
import type { AlertOrder } from '#store/contacts/deliveries.ts'
import type { EngineTransaction } from '#store/engine-store.ts'
import type { EndedEpisode } from '#store/incidents/episodes.ts'
import type { MonitorFace } from '#store/monitors/watch-rows.ts'
import { alertMonitorOf, alertResultOf, dateOf } from './alert-parts.ts'
import type { EpisodeDraft } from './draft-episodes.ts'
import type { Draft, Fold } from './draft-rounds.ts'
import { beganText, endedText } from './episode-texts.ts'

type Folded = Draft & { fold: Fold }
/** A change to be written; `id` is the episode's, `report` the word of a location on the round that made it. */
type Turn = { draft: Folded; episode: EpisodeDraft; id: string; report: Report }

const types = ['degraded', 'slow'] as const satisfies EpisodeType[]

/**
 * Writes the episodes that folds begin and end, with their events and alerts. One that a maintenance keeps from
 * beginning stays counted in its draft: it begins with the first such round after the maintenance.
 */
export async function writeEpisodes(tx: EngineTransaction, folded: readonly Folded[]): Promise<void> {
  const turns = folded.flatMap(turnsOf)
  if (turns.length === 0) return
  const faces = await tx.readFaces(turns.map(({ draft }) => draft.watched.key))
  for (const type of types) {
    const ofType = turns.filter(({ episode }) => episode.type === type)
    const begun = await begin(tx, type, ofType)
    const ended = await end(tx, type, ofType)
    const orders = ofType.flatMap((turn) => {
      const face = faces.get(turn.draft.watched.key)
      return face === undefined ? [] : orderOf(turn, face, { begun, ended })
    })
    await tx.enqueueAlerts(orders)
    await tx.tellClosed(ofType.flatMap((turn) => closingOf(turn, ended)))
  }
}

function turnsOf(draft: Folded): Turn[] {
  const { episodes } = draft.fold
  if (episodes === null || draft.outcome === null || draft.outcome.type === 'no_data') return []
  const { report } = draft.outcome
  return types.flatMap((type) => {
    const episode = episodes[type]
    return episode.change === 'none' || episode.id === null ? [] : [{ draft, episode, id: episode.id, report }]
  })
}

async function begin(tx: EngineTransaction, type: EpisodeType, turns: readonly Turn[]): Promise<Set<string>> {
  const beginning = turns.filter(({ episode }) => episode.change === 'begins')
  const begun = await tx.beginEpisodes(
    type,
    beginning.map(({ draft: { watched, version, open }, episode: { watch, reading }, id, report }) => ({
      id,
      monitorKey: watched.key,
      version,
      startedAt: dateOf(watch.firstAt),
      at: dateOf(open.time),
      message: beganText(type, { rounds: watch.rounds, report, reading }),
      details: { rounds: watch.rounds, ...seenOf(type, report), ...responseOf(reading) },
    })),
  )
  for (const { episode, id } of beginning) if (!begun.has(id)) episode.watch = { ...episode.watch, episodeId: null }
  return begun
}

function seenOf(type: EpisodeType, { location, verdict }: Report): Record<string, unknown> {
  return type === 'slow' ? {} : { error: verdict.error, location_code: location }
}

function end(tx: EngineTransaction, type: EpisodeType, turns: readonly Turn[]): Promise<Map<string, EndedEpisode>> {
  const ending = turns.filter(({ episode }) => episode.change !== 'begins')
  return tx.endEpisodes(
    type,
    ending.map((turn) => ({
      id: turn.id,
      monitorKey: turn.draft.watched.key,
      at: dateOf(turn.draft.open.time),
      message: endingText(turn),
      details: (turn.episode.change === 'ends' ? responseOf(turn.episode.reading) : null) ?? {},
    })),
  )
}

function responseOf(reading: SlowReading | null): AlertResponse | null {
  if (reading === null) return null
  const { measuredMs, usualMs, slowFromMs } = reading
  return { measured_ms: measuredMs, usual_ms: usualMs, slow_from_ms: slowFromMs }
}

/** Of an episode that ends by an outage, or because its monitor no longer alerts of such. */
function closingOf(turn: Turn, ended: Written['ended']): Closing[] {
  const over = ended.get(turn.id)
  if (turn.episode.change === 'ends' || over === undefined) return []
  return [{ id: over.id, type: 'episode', at: over.endedAt, reason: endingText(turn) }]
}

function endingText({ draft, episode: { type, change, reading } }: Turn): string {
  return endedText(type, { change, status: draft.fold.standing.status, reading })
}

type Written = { begun: Set<string>; ended: Map<string, EndedEpisode> }
/** `at` is the time of the alert. */
type Course = { startedAt: Date; endedAt: Date | null; at: Date }

function orderOf(turn: Turn, face: MonitorFace, { begun, ended }: Written): AlertOrder[] {
  const { draft, episode, id } = turn
  if (episode.change === 'begins' && begun.has(id)) {
    const startedAt = dateOf(episode.watch.firstAt)
    return alertOrder(turn, face, { startedAt, endedAt: null, at: dateOf(draft.open.time) })
  }
  const over = episode.change === 'ends' ? ended.get(id) : undefined
  return over === undefined ? [] : alertOrder(turn, face, { ...over, at: over.endedAt })
}

function alertOrder(turn: Turn, face: MonitorFace, course: Course): AlertOrder[] {
  const alert = alertOf(turn, face, course)
  if (alert === null) return []
  const { workspaceId, id: monitorId } = face
  return [{ workspaceId, monitorId, incidentId: null, episodeId: turn.id, alert, at: course.at }]
}

/** Null for a slow one without a reading, which neither begins nor ends. */
function alertOf(
  { draft, episode: { type, reading }, id, report }: Turn,
  face: MonitorFace,
  { startedAt, endedAt, at }: Course,
): EpisodeAlert | null {
  const timestamp = at.toISOString()
  const of = {
    monitor: alertMonitorOf(face, draft.fold.standing.status),
    incident: null,
    result: alertResultOf(report),
    episode: { id, started_at: startedAt.toISOString(), ended_at: endedAt?.toISOString() ?? null },
  }
  if (type === 'degraded')
    return { type: endedAt === null ? 'monitor.degraded' : 'monitor.degraded_ended', timestamp, data: of }
  const response = responseOf(reading)
  if (response === null) return null
  const data = { ...of, response_time: response }
  return { type: endedAt === null ? 'monitor.slow' : 'monitor.slow_ended', timestamp, data }
}
