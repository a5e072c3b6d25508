import type { EpisodeAlert } from '#core/contacts/alerting.ts'
import type { Report } from '#core/results/round.ts'
import { type AlertOrder, enqueueAlerts } from '#store/contacts/deliveries.ts'
import type { Transaction } from '#store/database/database.ts'
import { beginEpisodes, type EndedEpisode, endEpisodes } from '#store/incidents/episodes.ts'
import { type MonitorFace, readFaces } from '#store/monitors/watch-rows.ts'
import { alertMonitorOf, alertResultOf, dateOf } from './alert-parts.ts'
import type { EpisodeDraft } from './draft-episodes.ts'
import type { Draft, Fold } from './draft-rounds.ts'

type Folded = Draft & { fold: Fold }
/** A change to be written; `id` is the episode's, `report` the word of a location on the round that made it. */
type Turn = { draft: Folded; episode: EpisodeDraft; id: string; report: Report }

/**
 * Writes the episodes that folds begin and end, with their events and alerts. One that a maintenance keeps from
 * beginning stays counted in its draft: it begins with the first such round after the maintenance.
 */
export async function writeEpisodes(tx: Transaction, folded: readonly Folded[]): Promise<void> {
  const turns = folded.flatMap(turnsOf)
  if (turns.length === 0) return
  const faces = await readFaces(
    tx,
    turns.map(({ draft }) => draft.watched.key),
  )
  const begun = await begin(
    tx,
    turns.filter(({ episode }) => episode.change === 'begins'),
  )
  const ended = await end(
    tx,
    turns.filter(({ episode }) => episode.change !== 'begins'),
  )
  await enqueueAlerts(
    tx,
    turns.flatMap((turn) => {
      const face = faces.get(turn.draft.watched.key)
      return face === undefined ? [] : orderOf(turn, face, { begun, ended })
    }),
  )
}

function turnsOf(draft: Folded): Turn[] {
  const { episodes } = draft.fold
  if (episodes === null || draft.outcome === null || draft.outcome.type === 'no_data') return []
  const { report } = draft.outcome
  return Object.values(episodes).flatMap((episode) =>
    episode.change === 'none' || episode.id === null ? [] : [{ draft, episode, id: episode.id, report }],
  )
}

async function begin(tx: Transaction, turns: readonly Turn[]): Promise<Set<string>> {
  const begun = await beginEpisodes(
    tx,
    'degraded',
    turns.map(({ draft: { watched, version, open }, episode: { watch }, id, report }) => ({
      id,
      monitorKey: watched.key,
      version,
      startedAt: dateOf(watch.firstAt),
      at: dateOf(open.time),
      message: beganText(watch.rounds, report),
      details: { rounds: watch.rounds, error: report.verdict.error, location_code: report.location },
    })),
  )
  for (const { episode, id } of turns) if (!begun.has(id)) episode.watch = { ...episode.watch, episodeId: null }
  return begun
}

function beganText(rounds: number, { verdict }: Report): string {
  const many = rounds === 1 ? 'Degraded' : `Degraded for ${rounds} rounds in a row`
  return verdict.error === null ? `${many}.` : `${many}: ${verdict.error}`
}

function end(tx: Transaction, turns: readonly Turn[]): Promise<Map<string, EndedEpisode>> {
  return endEpisodes(
    tx,
    'degraded',
    turns.map((turn) => ({
      id: turn.id,
      monitorKey: turn.draft.watched.key,
      at: dateOf(turn.draft.open.time),
      message: endedText(turn),
    })),
  )
}

function endedText({ draft, episode }: Turn): string {
  if (episode.change === 'ends') return 'No longer degraded.'
  return draft.fold.standing.status === 'down'
    ? 'The monitor went down.'
    : 'The monitor no longer alerts when it is degraded.'
}

type Written = { begun: Set<string>; ended: Map<string, EndedEpisode> }

function orderOf(turn: Turn, face: MonitorFace, { begun, ended }: Written): AlertOrder[] {
  const { draft, episode, id, report } = turn
  if (episode.change === 'begins') {
    if (!begun.has(id)) return []
    const at = dateOf(draft.open.time)
    return [alertOrder(turn, face, { at, startedAt: dateOf(episode.watch.firstAt), endedAt: null, report })]
  }
  const over = ended.get(id)
  if (episode.change !== 'ends' || over === undefined) return []
  const { startedAt, endedAt } = over
  return [alertOrder(turn, face, { at: endedAt, startedAt, endedAt, report })]
}

type Told = { at: Date; startedAt: Date; endedAt: Date | null; report: Report }

function alertOrder({ draft, id }: Turn, face: MonitorFace, { at, startedAt, endedAt, report }: Told): AlertOrder {
  const alert: EpisodeAlert = {
    type: endedAt === null ? 'monitor.degraded' : 'monitor.degraded_ended',
    timestamp: at.toISOString(),
    data: {
      monitor: alertMonitorOf(face, draft.fold.standing.status),
      incident: null,
      result: alertResultOf(report),
      episode: { id, started_at: startedAt.toISOString(), ended_at: endedAt?.toISOString() ?? null },
    },
  }
  return { workspaceId: face.workspaceId, monitorId: face.id, incidentId: null, episodeId: id, alert, at }
}
