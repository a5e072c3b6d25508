import { kindTraits } from './kind-traits.ts'
import type { MonitorRecord } from './monitor.ts'
import { roundGraceMs } from '#core/results/round.ts'

/** Beside the round's grace, for the way of its results to the database. */
export const storeMs = 5_000

type Rhythm = Pick<MonitorRecord, 'kind' | 'status' | 'current_status' | 'interval_seconds' | 'timeout_ms'>

/** When the next round is due, and by when it has told something or never will; milliseconds since 1970. */
type NextWord = { dueMs: number; endMs: number }

/**
 * The round after the last that told something, at `knownAtMs`. Null of paused monitors, and of those that no location
 * checks.
 */
export function nextWord(of: Rhythm, knownAtMs: number): NextWord | null {
  const { kind, status, current_status: current, interval_seconds: interval, timeout_ms: timeoutMs } = of
  const traits = kindTraits[kind]
  if (status === 'paused' || traits.source !== 'probed') return null
  // The first check of a story is due as it begins.
  const dueMs = knownAtMs + (current === 'pending' ? 0 : interval * 1000)
  return { dueMs, endMs: dueMs + Math.max(timeoutMs, traits.longestCheckMs) + roundGraceMs + storeMs }
}

/**
 * Since when nobody can tell how a monitor is: since the first round that was due after `knownAtMs` and told nothing,
 * whatever the reason, because the location could not tell, was not there, or what it told could not be stored. Null
 * before that round can have ended. Milliseconds since 1970, as those it is told.
 */
export function unknownSinceMs(of: Rhythm, { knownAtMs, nowMs }: { knownAtMs: number; nowMs: number }): number | null {
  const next = nextWord(of, knownAtMs)
  return next !== null && nowMs > next.endMs ? next.dueMs : null
}
