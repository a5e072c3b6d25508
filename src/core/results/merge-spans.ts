import { oldestRoundMs } from './round.ts'
import { startOfLastDay } from './uptime.ts'
import { addDays, dayMs, startOf } from '#core/language/utc-day.ts'

// Times are microseconds since 1970, like the times of rounds.

/**
 * Old results become one a quarter-hour, later one an hour, for each monitor, location and outcome, because a chart of
 * that age shows no more (docs/history.md).
 */
export const quarterHourUs = 900_000_000
export const hourUs = 4 * quarterHourUs

/** Number of newest results of a monitor that always stay single. */
export const singleResults = 120

/** Allowance for transactions under way, and for clocks that differ. */
const clocksMs = 300_000

/** How long ago a bucket must have ended, so that no more results come into it. */
const restUs = (oldestRoundMs + clocksMs) * 1000

/** Number of results of one monitor that a step takes, without those of its last bucket. */
export const resultsPerSpan = 500

/** What the database says of a monitor that is to be merged. `mergedUntil` is the end of what is merged already. */
export type MergeFacts = {
  mergedUntil: number
  /** The first result since then that is old enough for its bucket to be merged; null when there is none. */
  first: number | null
  /** The oldest of the newest results, which stay single; null when there are fewer. */
  single: number | null
  /** The first result that is stored but not folded: an engine that takes over the partition may still need it. */
  unfolded: number | null
  /** The result that follows `resultsPerSpan` others. */
  beyond: number | null
}

/**
 * The time to merge, within one UTC day. The first bucket begins at `start`. Its results before `from` are merged
 * already; those from `from` on are single and not counted yet in the day's latencies. `hasMore` says that another step
 * could merge more at once.
 */
export type MergeSpan = { start: number; from: number; until: number; hasMore: boolean }

/** The end of the newest quarter-hour that ended long enough ago: buckets that end no later may be merged. */
export function restingUntil(nowUs: number): number {
  return floorTo(quarterHourUs, nowUs - restUs)
}

/**
 * The whole buckets that may be merged now; null when there are none. `bucketUs` is the length of buckets on the day of
 * `facts.first`. Results from `summedUpUntil` on have to stay single until they are summed up, to be signed.
 */
export function decideSpan(
  { mergedUntil, first, single, unfolded, beyond }: MergeFacts,
  { nowUs, bucketUs, summedUpUntil = Infinity }: { nowUs: number; bucketUs: number; summedUpUntil?: number },
): MergeSpan | null {
  if (first === null || single === null) return null
  const start = floorTo(bucketUs, first)
  const allowed = floorTo(bucketUs, Math.min(restingUntil(nowUs), summedUpUntil, single, unfolded ?? Infinity))
  const enough = beyond === null ? Infinity : Math.max(floorTo(bucketUs, beyond), start + bucketUs)
  const until = Math.min(allowed, enough, floorTo(dayUs, first) + dayUs)
  if (until <= start || until <= mergedUntil) return null
  return { start, from: mergedUntil, until, hasMore: until < allowed }
}

/**
 * When to look at a monitor again. A monitor that keeps up is due when its next quarter-hour is, at an offset of its
 * own, so that a hundred thousand monitors make a steady load. Any other monitor is due when something may have
 * changed.
 */
export function nextLook({ key, span }: { key: number; span: MergeSpan | null }, nowUs: number): number {
  if (span === null) return nowUs + hourUs
  if (span.hasMore) return nowUs
  const isReady = span.until + quarterHourUs + restUs
  return isReady > nowUs ? isReady + (key % 840) * 1_000_000 : nowUs + quarterHourUs
}

/**
 * A day is rewritten into hours only when no answer about the last day reaches into it, by the clock of any process:
 * `uptime.day` covers the last 96 quarter-hours (docs/decisions/history-and-uptime.md).
 */
export function mayRewrite(day: string, now: Date): boolean {
  return endOf(day) <= startOfLastDay(new Date(now.getTime() - clocksMs))
}

/**
 * Until when results are shown by the hour: the end of the last hour that ended a day ago. A day that may be rewritten
 * lies before.
 */
export function hourlyUntil(now: Date): Date {
  const nowUs = now.getTime() * 1000
  return new Date((floorTo(hourUs, nowUs) - dayUs) / 1000)
}

/** A day is forgotten once all its results have been kept for `resultDays` days. */
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
