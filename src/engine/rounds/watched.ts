import type { Standing, Thresholds } from '#core/incidents/evaluation.ts'
import { type EpisodeWatch, nothingSeen } from '#core/incidents/episode.ts'
import type { Sight } from '#core/expiry-sight.ts'
import type { CallSchedule } from '#core/monitors/call-schedule.ts'
import type { Rhythm } from '#core/monitors/heartbeat.ts'
import type { Timed } from '#core/language/heap.ts'
import type { Problem } from '#core/incidents/problem.ts'
import { type Round, type RoundAnswer, roundGraceMs } from '#core/results/round.ts'
import { checkTimeMs, kindTraits } from '#core/monitors/kind-traits.ts'
import { phaseMs } from '#core/monitors/schedule.ts'
import type { WatchRow } from '#store/monitors/watch-rows.ts'
import type { Asked } from '#engine/locations/presence.ts'
import type { ViewAsk } from './view-asks.ts'

/** What an engine keeps in memory of each monitor; there may be hundreds of thousands. `dueMs` is its next round. */
export type Watched = Timed & {
  readonly id: string
  readonly key: number
  readonly partition: number
  version: number
  intervalMs: number
  phaseMs: number
  /** The monitor's timeout, or the deadline of its kind where the kind has one. */
  timeoutMs: number
  /** Whether it goes to probers that visit pages. */
  needsBrowser: boolean
  locations: readonly string[]
  settings: Settings
  source: Source
  /** The monitors that it depends on; most depend on none. */
  parentIds: readonly string[]
  standing: Standing
  incidentId: string | null
  problem: Problem | null
  /** Null for monitors that tell of no episodes, which are most. */
  episodes: Episodes | null
  /** The end of a certificate or registration that was seen last; null for monitors that show none. */
  sight: Sight | null
  /** Rounds up to here are never folded again; microseconds since 1970. */
  foldedUntil: number
  /** When data came last, or since when it could have come. */
  dataMs: number
  open: OpenRound | null
  /** Null but for a moment after a takeover. */
  later: LaterRound | null
  /** Locations that may still be at an earlier round, which closed without them, and until when. */
  busy: Map<string, number> | null
  /** Null while no location fails. */
  viewAsk: ViewAsk | null
}

/** Where a monitor's results come from: locations, calls, or the monitors of a group. */
export type Source =
  | typeof probed
  | {
      type: 'called'
      graceSeconds: number
      /** Null where calls come by the interval. */
      schedule: CallSchedule | null
      /** Microseconds since 1970; null before the first call. */ deadline: number | null
    }
  | { type: 'group'; memberIds: readonly string[] }

const probed = { type: 'probed' } as const
const noParents: readonly string[] = []

export type Settings = Thresholds &
  Pick<
    WatchRow,
    'retrySeconds' | 'confirmationThreshold' | 'alertDegradedRounds' | 'alertSlowFactor' | 'alertSlowRounds'
  >

export type Episodes = { readonly degraded: EpisodeWatch; readonly slow: EpisodeWatch; readonly usual: Usual }

/** The usual response time in milliseconds, null while it is not known, and when it is to be read again. */
export type Usual = { ms: number | null; dueMs: number }

/**
 * The one round a monitor has open; `dueMs` is its deadline. `asked`: whom this engine asked, and when. `wantsViews`:
 * whether they are to tell what they see.
 */
export type OpenRound = Timed & {
  readonly watched: Watched
  readonly time: number
  round: Round
  asked: Asked[]
  wantsViews: boolean
}

/**
 * What is stored of a round that another engine began while an earlier one of its monitor is open here: a monitor has one
 * open round, and this one follows it.
 */
export type LaterRound = { readonly time: number; readonly answers: RoundAnswer[] }

/** Most monitors share a few lists of locations and a few sets of thresholds: each is kept once. */
export type Shared = { locations: Map<string, readonly string[]>; settings: Map<string, Settings> }

export function watchedOf(row: WatchRow, shared: Shared, nowMs: number): Watched {
  const intervalMs = row.intervalSeconds * 1000
  return {
    id: row.id,
    key: row.key,
    partition: row.partition,
    version: row.version,
    intervalMs,
    phaseMs: phaseMs(row.id, intervalMs),
    timeoutMs: checkTimeMs(row),
    needsBrowser: kindTraits[row.kind].needsBrowser,
    locations: kept(shared.locations, row.locations.join(','), row.locations),
    settings: kept(shared.settings, settingsKey(row), settingsOf(row)),
    source: sourceOf(row),
    parentIds: row.parentIds.length === 0 ? noParents : row.parentIds,
    standing: { status: row.status, failures: row.failures, successes: row.successes },
    incidentId: row.incidentId,
    problem: row.problem,
    episodes: episodesOf(row),
    sight: sightOf(row),
    foldedUntil: row.round ?? 0,
    dataMs: nowMs,
    open: null,
    later: null,
    busy: null,
    viewAsk: null,
    dueMs: 0,
    heapIndex: -1,
  }
}

export function openRoundOf(watched: Watched, time: number, round: Round): OpenRound {
  return {
    watched,
    time,
    round,
    asked: [],
    wantsViews: false,
    dueMs: time / 1000 + watched.timeoutMs + roundGraceMs,
    heapIndex: -1,
  }
}

/** When calls are expected, and by when; null for monitors that wait for no calls. */
export function rhythmOf({ source, intervalMs }: Watched): (Rhythm & { deadline: number | null }) | null {
  return source.type === 'called' ? { ...source, intervalSeconds: intervalMs / 1000 } : null
}

function sourceOf({ kind, graceSeconds, schedule, deadline, memberIds }: WatchRow): Source {
  switch (kindTraits[kind].source) {
    case 'group':
      return { type: 'group', memberIds }
    case 'called':
      return { type: 'called', graceSeconds, schedule, deadline }
    case 'probed':
      return probed
  }
}

function sightOf({ expiry }: WatchRow): Sight | null {
  if (expiry === null) return null
  return { endMs: expiry.endMs ?? Infinity, writtenMs: expiry.writtenMs, sharedMs: null }
}

/** An episode that runs is ended where its monitor tells of none any more. Rounds before are not known here. */
function episodesOf(row: WatchRow): Episodes | null {
  const { alertDegradedRounds, alertSlowFactor, degradedEpisode, slowEpisode } = row
  if ((alertDegradedRounds ?? alertSlowFactor ?? degradedEpisode ?? slowEpisode) === null) return null
  return {
    degraded: { ...nothingSeen, episodeId: degradedEpisode },
    slow: { ...nothingSeen, episodeId: slowEpisode },
    usual: { ms: null, dueMs: 0 },
  }
}

function settingsOf(row: WatchRow): Settings {
  const { failureThreshold, recoveryThreshold, confirmationThreshold } = row
  const { retrySeconds, alertDegradedRounds, alertSlowFactor, alertSlowRounds } = row
  const thresholds = { failureThreshold, retrySeconds, recoveryThreshold, confirmationThreshold }
  return { ...thresholds, alertDegradedRounds, alertSlowFactor, alertSlowRounds }
}

function settingsKey(row: WatchRow): string {
  const { failureThreshold, recoveryThreshold, confirmationThreshold } = row
  const { alertDegradedRounds, alertSlowFactor, alertSlowRounds } = row
  const alerts = `${alertDegradedRounds}/${alertSlowFactor}/${alertSlowRounds}`
  return `${failureThreshold}/${row.retrySeconds}/${recoveryThreshold}/${confirmationThreshold}/${alerts}`
}

function kept<Value>(known: Map<string, Value>, key: string, value: Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  known.set(key, value)
  return value
}
