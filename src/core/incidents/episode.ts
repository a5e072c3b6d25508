import { z } from 'zod'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { RoundOutcome } from '#core/results/round.ts'

/** A time of which a monitor may tell although it is up: docs/decisions/incidents.md, "Episodes are no incidents". */
const episodeTypes = ['degraded', 'slow'] as const
export type EpisodeType = (typeof episodeTypes)[number]

/** What an engine remembers, from round to round, of a monitor that tells of episodes of a type. */
export type EpisodeWatch = {
  /** Number of rounds in a row that were so, and when the first of them was, in microseconds since 1970. */
  rounds: number
  firstAt: number
  /** Number of rounds in a row that were not, counted while an episode runs. */
  others: number
  episodeId: string | null
}

export const nothingSeen: EpisodeWatch = { rounds: 0, firstAt: 0, others: 0, episodeId: null }

/**
 * What a round says: that the monitor is so, that it is not, or nothing. `over` ends what runs and counts anew, because
 * something greater happened: the monitor is down, or it tells of no episodes any more.
 */
export type EpisodeSight = 'so' | 'otherwise' | 'unknown' | 'over'

/** `ends_untold` is an end without an alert. */
export type EpisodeChange = 'none' | 'begins' | 'ends' | 'ends_untold'

export type EpisodeRules = {
  /** After so many rounds in a row an episode begins; null where none does. */
  beginsAfter: number | null
  /** After so many other rounds in a row it ends. */
  endsAfter: number
}

export function foldEpisode(
  watch: EpisodeWatch,
  { sight, at }: { sight: EpisodeSight; at: number },
  { beginsAfter, endsAfter }: EpisodeRules,
): { watch: EpisodeWatch; change: EpisodeChange } {
  const { rounds, others, episodeId } = watch
  if (sight === 'over' || beginsAfter === null)
    return { watch: nothingSeen, change: episodeId === null ? 'none' : 'ends_untold' }
  if (sight === 'unknown') return { watch, change: 'none' }
  if (sight === 'so') {
    const firstAt = rounds === 0 ? at : watch.firstAt
    const isBegun = episodeId === null && rounds + 1 >= beginsAfter
    return { watch: { rounds: rounds + 1, firstAt, others: 0, episodeId }, change: isBegun ? 'begins' : 'none' }
  }
  if (episodeId === null) return { watch: nothingSeen, change: 'none' }
  if (others + 1 >= endsAfter) return { watch: nothingSeen, change: 'ends' }
  return { watch: { rounds: 0, firstAt: 0, others: others + 1, episodeId }, change: 'none' }
}

/**
 * Whether a round was degraded, of a monitor that has this status after it. A failed round that does not take the
 * monitor down yet says neither.
 */
export function degradedSight(outcome: RoundOutcome, status: CurrentStatus): EpisodeSight {
  if (status === 'down') return 'over'
  switch (outcome.type) {
    case 'partial':
      return 'so'
    case 'clean':
      return 'otherwise'
    case 'failed':
    case 'undecided':
    case 'no_data':
      return 'unknown'
  }
}

/** A round's response time beside what is usual, in milliseconds; from `slowFromMs` on it is slow. */
export type SlowReading = { measuredMs: number; usualMs: number; slowFromMs: number }

/** Whether a round was slow: the same, by the response times of the locations that found the target up. */
export function slowSight(outcome: RoundOutcome, status: CurrentStatus, reading: SlowReading | null): EpisodeSight {
  if (status === 'down') return 'over'
  if (reading === null || (outcome.type !== 'clean' && outcome.type !== 'partial')) return 'unknown'
  return reading.measuredMs >= reading.slowFromMs ? 'so' : 'otherwise'
}

const eventTypes = ['degraded', 'degraded_ended', 'slow', 'slow_ended', 'unstable', 'unstable_ended'] as const
export type MonitorEventType = (typeof eventTypes)[number]

/** A step in the story of a monitor that is no incident. */
export const monitorEventSchema = z.strictObject({
  id: z.uuid(),
  type: z.enum(eventTypes),
  at: z.iso.datetime(),
  message: z.string(),
  details: z
    .record(z.string(), z.unknown())
    .describe(
      'Of a beginning `started_at`, the first of the `rounds` that made it, and what was seen; of an end `episode_id`, ' +
        'the id of its beginning.',
    ),
})
export type MonitorEvent = z.infer<typeof monitorEventSchema>
