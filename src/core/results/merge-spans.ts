import { oldestRoundMs } from './round.ts'
import { startOfLastDay } from './uptime.ts'
import { addDays, dayMs, startOf } from '#core/language/utc-day.ts'

// Times are microseconds since 1970, as rounds are.

/** What results older than these are merged into, by monitor, location and outcome (specification, Result). */
export const quarterHourUs = 900_000_000
export const hourUs = 4 * quarterHourUs

/** The newest results of a monitor that always stay single. */
export const singleResults = 120

/** For transactions under way, and for clocks that differ. */
const clocksMs = 300_000

/** How long ago a bucket must have ended, so that no more results come into it. */
const restUs = (oldestRoundMs + clocksMs) * 1000

/** How many results of one monitor a step takes, its last bucket not counted. */
export const resultsPerSpan = 500

/** What the database says of a monitor whose turn it is. `mergedUntil` is the end of what is merged already. */
export type MergeFacts = {
  mergedUntil: number
  /** The first result since then whose bucket may have ended long enough ago; null when there is none. */
  first: number | null
  /** The oldest of the newest results that stay single; null when there are fewer. */
  single: number | null
  /** The first result that is stored and not folded yet: an engine that takes over may still want it. */
  unfolded: number | null
  /** The result after `resultsPerSpan` others. */
  beyond: number | null
}

/**
 * `start` is where the first bucket begins, of which the results before `from` are merged already; those from there on
 * are single, and are to be counted into the day's latencies. All lies within one UTC day. `hasMore` says that more
 * might be merged at once, by another step.
 */
export type MergeSpan = { start: number; from: number; until: number; hasMore: boolean }

/** Buckets that end no later may be merged: the end of the newest quarter-hour that has rested. */
export function restingUntil(nowUs: number): number {
  return floorTo(quarterHourUs, nowUs - restUs)
}

/** The whole buckets that may be merged now, null when there is none. `bucketUs` is that of the day of `facts.first`. */
export function decideSpan(
  { mergedUntil, first, single, unfolded, beyond }: MergeFacts,
  { nowUs, bucketUs }: { nowUs: number; bucketUs: number },
): MergeSpan | null {
  if (first === null || single === null) return null
  const start = floorTo(bucketUs, first)
  const allowed = floorTo(bucketUs, Math.min(restingUntil(nowUs), single, unfolded ?? Infinity))
  const enough = beyond === null ? Infinity : Math.max(floorTo(bucketUs, beyond), start + bucketUs)
  const until = Math.min(allowed, enough, floorTo(dayUs, first) + dayUs)
  if (until <= start || until <= mergedUntil) return null
  return { start, from: mergedUntil, until, hasMore: until < allowed }
}

/**
 * When to look at a monitor again. Those that keep up are due when their next quarter-hour is, each at a moment of its
 * own, so that a hundred thousand of them make a steady load; the rest when something may have changed.
 */
export function nextLook({ key, span }: { key: number; span: MergeSpan | null }, nowUs: number): number {
  if (span === null) return nowUs + hourUs
  if (span.hasMore) return nowUs
  const isReady = span.until + quarterHourUs + restUs
  return isReady > nowUs ? isReady + (key % 840) * 1_000_000 : nowUs + quarterHourUs
}

/**
 * A day is rewritten into hours once no answer about the last day reaches into it (decisions.md A15), whichever
 * process's clock it is counted by.
 */
export function mayRewrite(day: string, now: Date): boolean {
  return endOf(day) <= startOfLastDay(new Date(now.getTime() - clocksMs))
}

/** Every result is kept for so many days in full. */
export function mayForget(day: string, { now, resultDays }: { now: Date; resultDays: number }): boolean {
  return endOf(day).getTime() + resultDays * dayMs <= now.getTime()
}

export function endOf(day: string): Date {
  return startOf(addDays(day, 1))
}

export function floorTo(lengthUs: number, timeUs: number): number {
  return timeUs - (timeUs % lengthUs)
}

const dayUs = dayMs * 1000
