import { foldRound, type Standing, type Transition } from '#core/incidents/evaluation.ts'
import { nextProblem, type ProblemStep } from '#core/incidents/problem.ts'
import { deadlineAfterCall, deadlineAfterMiss, isMissed, isOverrun, opensAtOnce } from '#core/monitors/heartbeat.ts'
import type { Result, Verdict } from '#core/results/result.ts'
import {
  addReport,
  meanLatencyMs,
  openRound,
  outcomeOf,
  type Round,
  type RoundOutcome,
  type Witnesses,
} from '#core/results/round.ts'
import { draftEpisodes, type EpisodesDraft, watchesOf } from './draft-episodes.ts'
import { askAfter } from '#engine/rounds/view-asks.ts'
import { type OpenRound, openRoundOf, rhythmOf, type Watched } from '#engine/rounds/watched.ts'

/** A result of a monitor that this engine watches. */
export type Arrival = { watched: Watched; result: Result }

/**
 * What a batch does to one open round, worked out beside the memory it will change: memory follows only after the
 * commit (`applyDraft`). `fold` is null while the round stays open, or when it closes without data.
 */
export type Draft = {
  watched: Watched
  version: number
  open: OpenRound
  round: Round
  outcome: RoundOutcome | null
  fold: Fold | null
}

export type Fold = {
  standing: Standing
  transition: Transition
  problem: ProblemStep
  /** Null for monitors that tell of no episodes. */
  episodes: EpisodesDraft | null
  incidentId: string | null
  /**
   * When the next call is due, microseconds since 1970. Null for monitors that wait for no calls, and where it stays as it
   * is in the database, which may have put it off.
   */
  deadline: number | null
}

export type Batch = {
  /** Results that are new, in the order of arrival. */
  arrivals: Arrival[]
  /** Rounds to look at without a new result: their deadline has passed, or they were found in the database. */
  settling: OpenRound[]
  nowMs: number
  /** Identity of the incident that a transition opens. */
  newId: () => string
  /** Of rounds that this engine did not open itself. */
  witnessesOf: WitnessesOf
}

/** On which witnesses the locations of a monitor stand now. */
export type WitnessesOf = (watched: Watched) => Witnesses

export function draftRounds({ arrivals, settling, nowMs, newId, witnessesOf }: Batch): Draft[] {
  const drafts = new Map<Watched, Draft>()
  for (const { watched, result } of arrivals) {
    if (!isOfThisStory(watched, result)) continue
    const draft = drafts.get(watched) ?? draftFor(watched, result, { nowMs, witnessesOf })
    if (draft === null || draft.open.time !== result.round) continue
    drafts.set(watched, draft)
    addReport(draft.round, result.location, result.verdict)
    close(draft, { isPastDeadline: false, newId })
  }
  for (const open of settling) {
    const draft = drafts.get(open.watched) ?? newDraft(open)
    if (draft.open !== open) continue
    drafts.set(open.watched, draft)
    close(draft, { isPastDeadline: open.dueMs <= nowMs, newId })
  }
  return [...drafts.values()]
}

/** Of a round that comes after the one that is open, or that is being drafted. */
export function isLater(open: OpenRound | null, { watched, result }: Arrival, nowMs: number): boolean {
  if (open === null || watched.source.type !== 'probed' || !isOfThisStory(watched, result)) return false
  return result.round > open.time && result.round <= nowMs * 1000
}

/**
 * A check of an older version may have looked at another target. A call reports on its monitor whatever was set
 * meanwhile.
 */
function isOfThisStory({ version, source, foldedUntil }: Watched, result: Result): boolean {
  return result.version === version || (source.type === 'called' && result.round > foldedUntil)
}

/** The round a result belongs to: the open one, or one that this engine did not open itself but still may fold. */
function draftFor(
  watched: Watched,
  result: Result,
  { nowMs, witnessesOf }: Pick<Batch, 'nowMs' | 'witnessesOf'>,
): Draft | null {
  // A call, or what a group found, is a round of its own, however late it was heard.
  if (watched.source.type !== 'probed')
    return newDraft(openRoundOf(watched, result.round, openRound([result.location])))
  if (watched.open !== null) return newDraft(watched.open)
  // No engine has begun a round that lies in the future.
  if (result.round <= watched.foldedUntil || result.round > nowMs * 1000) return null
  const open = openRoundOf(watched, result.round, openRound(watched.locations, witnessesOf(watched)))
  return open.dueMs > nowMs ? newDraft(open) : null
}

function newDraft(open: OpenRound): Draft {
  const { watched, round } = open
  const copy = { ...round, waiting: [...round.waiting], failures: [...round.failures], degraded: [...round.degraded] }
  return { watched, version: watched.version, open, round: copy, outcome: null, fold: null }
}

function close(draft: Draft, { isPastDeadline, newId }: { isPastDeadline: boolean; newId: () => string }): void {
  if (draft.outcome !== null) return
  const { watched, open, round } = draft
  const { settings } = watched
  draft.outcome = outcomeOf(round, { confirmationThreshold: settings.confirmationThreshold, isPastDeadline })
  if (draft.outcome === null || draft.outcome.type === 'no_data') return
  const { report } = draft.outcome
  const thresholds = opensAtOnce(report.verdict) ? { ...settings, failureThreshold: 1 } : settings
  const { standing, transition } = foldRound(watched.standing, draft.outcome, thresholds)
  draft.fold = {
    standing,
    transition,
    problem: nextProblem(watched.problem, draft.outcome, open.time),
    episodes:
      watched.episodes &&
      draftEpisodes(watched, watched.episodes, {
        outcome: draft.outcome,
        status: standing.status,
        meanMs: meanLatencyMs(round),
        at: open.time,
        newId,
      }),
    incidentId: incidentAfter(watched, transition, newId),
    deadline: deadlineAfter(watched, open.time, report.verdict),
  }
}

function deadlineAfter(watched: Watched, time: number, verdict: Verdict): number | null {
  const rhythm = rhythmOf(watched)
  if (rhythm === null) return null
  if (isOverrun(verdict)) return null
  if (isMissed(verdict)) return deadlineAfterMiss(time, rhythm)
  return Math.max(rhythm.deadline ?? 0, deadlineAfterCall(time, rhythm))
}

function incidentAfter(watched: Watched, transition: Transition, newId: () => string): string | null {
  switch (transition.type) {
    case 'went_down':
      return newId()
    case 'recovered':
      return null
    case 'none':
      return watched.incidentId
  }
}

/** To be called after the commit. A monitor that was changed meanwhile keeps what was read for the change. */
export function applyDraft({ watched, version, open, round, outcome, fold }: Draft): void {
  if (watched.version !== version) return
  open.round = round
  if (outcome !== null && watched.source.type === 'probed') {
    const { failures } = round
    watched.viewAsk = askAfter(watched.viewAsk, { outcome, failures, locations: watched.locations.length })
  }
  if (fold === null) return
  watched.standing = fold.standing
  watched.incidentId = fold.incidentId
  watched.problem = fold.problem.problem
  watched.episodes = fold.episodes && watchesOf(fold.episodes)
  watched.foldedUntil = Math.max(watched.foldedUntil, open.time)
  // Undecided rounds are no data: a monitor that has no others counts as unchecked.
  if (outcome?.type !== 'undecided') watched.dataMs = open.time / 1000
  if (watched.source.type === 'called' && fold.deadline !== null)
    watched.source = { ...watched.source, deadline: fold.deadline }
}
