import type { UnstableAlert } from '#core/contacts/alerting.ts'
import { stableText } from '#core/incidents/flapping.ts'
import { type Closing, tellClosed } from '#store/contacts/closed-occasions.ts'
import { type AlertOrder, enqueueAlerts } from '#store/contacts/deliveries.ts'
import type { Transaction } from '#store/database/database.ts'
import { type EndedEpisode, endEpisodes } from '#store/incidents/episodes.ts'
import { holdStable, type StableMonitor } from '#store/incidents/stable-monitors.ts'

/**
 * Ends the episodes of monitors that are unstable no longer, `limit` at most, and tells contacts of those that are up.
 * Of one that is down the alert of its outage leaves by itself at this time. Returns how many ended.
 */
export async function endUnstable(tx: Transaction, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const stable = await holdStable(tx, { now, limit })
  const ended = await endEpisodes(
    tx,
    'unstable',
    stable.map(({ key, episodeId, reason, minutes }) => ({
      id: episodeId,
      monitorKey: key,
      at: now,
      message: stableText(reason, minutes),
    })),
  )
  const over = stable.flatMap((monitor) => {
    const episode = ended.get(monitor.episodeId)
    return episode === undefined ? [] : [{ monitor, episode }]
  })
  await enqueueAlerts(tx, over.flatMap(orderOf))
  await tellClosed(tx, over.flatMap(closingOf))
  return over.length
}

type Over = { monitor: StableMonitor; episode: EndedEpisode }

function orderOf({ monitor, episode: { id, startedAt, endedAt } }: Over): AlertOrder[] {
  const { face, minutes, changes, workspaceId, reason } = monitor
  if (reason !== 'up') return []
  const alert: UnstableAlert = {
    type: 'monitor.unstable_ended',
    timestamp: endedAt.toISOString(),
    data: {
      monitor: face,
      incident: null,
      result: null,
      episode: { id, started_at: startedAt.toISOString(), ended_at: endedAt.toISOString() },
      changes,
      within_minutes: minutes,
    },
  }
  return [{ workspaceId, monitorId: face.id, incidentId: null, episodeId: id, alert, at: endedAt }]
}

function closingOf({ monitor: { reason, minutes }, episode: { id, endedAt } }: Over): Closing[] {
  return reason === 'up' ? [] : [{ id, type: 'episode', at: endedAt, reason: stableText(reason, minutes) }]
}
