import {
  degradedSight,
  type EpisodeChange,
  type EpisodeRules,
  type EpisodeSight,
  type EpisodeType,
  type EpisodeWatch,
  foldEpisode,
  type SlowReading,
  slowSight,
} from '#core/incidents/episode.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { RoundOutcome } from '#core/results/round.ts'
import { slowFrom } from '#core/results/usual.ts'
import type { Episodes, Usual, Watched } from '#engine/rounds/watched.ts'

/** What a round does to an episode. `id` is of the one that begins or ends; where it begins, `watch` has it already. */
export type EpisodeDraft = {
  type: EpisodeType
  watch: EpisodeWatch
  change: EpisodeChange
  id: string | null
  /** Of slow ones, where what is usual is known. */
  reading: SlowReading | null
}

export type EpisodesDraft = { readonly degraded: EpisodeDraft; readonly slow: EpisodeDraft; readonly usual: Usual }

type Seen = {
  outcome: RoundOutcome
  /** Of the monitor after the round. */
  status: CurrentStatus
  meanMs: number | null
  at: number
  newId: () => string
}

export function draftEpisodes({ settings }: Watched, { degraded, slow, usual }: Episodes, seen: Seen): EpisodesDraft {
  const { recoveryThreshold: endsAfter, alertDegradedRounds, alertSlowFactor, alertSlowRounds } = settings
  const { outcome, status, meanMs } = seen
  const reading = readingOf(meanMs, usual, alertSlowFactor)
  return {
    degraded: {
      type: 'degraded',
      reading: null,
      ...fold(degraded, seen, {
        sight: degradedSight(outcome, status),
        rules: { beginsAfter: alertDegradedRounds, endsAfter },
      }),
    },
    slow: {
      type: 'slow',
      reading,
      ...fold(slow, seen, {
        sight: slowSight(outcome, status, reading),
        rules: { beginsAfter: alertSlowFactor === null ? null : alertSlowRounds, endsAfter },
      }),
    },
    usual,
  }
}

/** What is usual may be read anew meanwhile, so it is the same object before and after. */
export function watchesOf({ degraded, slow, usual }: EpisodesDraft): Episodes {
  return { degraded: degraded.watch, slow: slow.watch, usual }
}

function readingOf(measuredMs: number | null, { ms: usualMs }: Usual, factor: number | null): SlowReading | null {
  if (measuredMs === null || usualMs === null || factor === null) return null
  return { measuredMs, usualMs, slowFromMs: slowFrom(usualMs, factor) }
}

function fold(
  before: EpisodeWatch,
  { at, newId }: Seen,
  { sight, rules }: { sight: EpisodeSight; rules: EpisodeRules },
): Pick<EpisodeDraft, 'watch' | 'change' | 'id'> {
  const { watch, change } = foldEpisode(before, { sight, at }, rules)
  if (change !== 'begins') return { watch, change, id: before.episodeId }
  const id = newId()
  return { watch: { ...watch, episodeId: id }, change, id }
}
