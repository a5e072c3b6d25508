import {
  degradedSight,
  type EpisodeChange,
  type EpisodeSight,
  type EpisodeType,
  type EpisodeWatch,
  foldEpisode,
} from '#core/incidents/episode.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { RoundOutcome } from '#core/results/round.ts'
import type { Episodes, Watched } from '#engine/rounds/watched.ts'

/** What a round does to an episode. `id` is of the one that begins or ends; where it begins, `watch` has it already. */
export type EpisodeDraft = { type: EpisodeType; watch: EpisodeWatch; change: EpisodeChange; id: string | null }

export type EpisodesDraft = { readonly degraded: EpisodeDraft }

type Round = { outcome: RoundOutcome; status: CurrentStatus; at: number; newId: () => string }

/** `status` is that of the monitor after the round. */
export function draftEpisodes({ settings }: Watched, episodes: Episodes, round: Round): EpisodesDraft {
  const endsAfter = settings.recoveryThreshold
  const { outcome, status } = round
  return {
    degraded: draftOf('degraded', episodes.degraded, {
      ...round,
      sight: degradedSight(outcome, status),
      rules: { beginsAfter: settings.alertDegradedRounds, endsAfter },
    }),
  }
}

export function watchesOf({ degraded }: EpisodesDraft): Episodes {
  return { degraded: degraded.watch }
}

function draftOf(
  type: EpisodeType,
  before: EpisodeWatch,
  { at, sight, rules, newId }: Round & { sight: EpisodeSight; rules: Parameters<typeof foldEpisode>[2] },
): EpisodeDraft {
  const { watch, change } = foldEpisode(before, { sight, at }, rules)
  if (change !== 'begins') return { type, watch, change, id: before.episodeId }
  const id = newId()
  return { type, watch: { ...watch, episodeId: id }, change, id }
}
