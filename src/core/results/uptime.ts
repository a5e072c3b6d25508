import { z } from 'zod'
import { type Fields, invalidFields } from '#core/language/error.ts'
import { addDays, countDays, dayMs, dayOf, daysFrom, earliest, latest, startOf } from '#core/language/utc-day.ts'

/** The counts of a day's checks, as they are stored. */
export type DayCounts = {
  date: string
  checks: number
  up: number
  down: number
  restricted: number
  /** Sum over the checks that were not down and have a latency. */
  latencySumMs: number
  latencyCount: number
}

/**
 * The uptime of a day as the API shows it. `restricted` counts degraded checks, which count as up
 * (docs/decisions/history-and-uptime.md, "Degraded counts as up").
 */
export const uptimeDaySchema = z.strictObject({
  date: z.iso.date(),
  checks: z.int(),
  up: z.int(),
  down: z.int(),
  restricted: z.int().describe('Degraded checks: checks = up + down + restricted.'),
  latency_ms: z.int().nullable().describe('Average response time of the checks that were not down and have one.'),
})
export type UptimeDay = z.infer<typeof uptimeDaySchema>

export const maxUptimeDays = 3660

export type Range = { from: string; to: string }

/**
 * The days of a request for uptime: those that it names, or from the first day with checks to today. A `to` beyond
 * today becomes today; a start that was not named moves up until 3660 days remain. Throws `validation_failed`
 * (docs/decisions/history-and-uptime.md, "The range of days").
 */
export function decideRange(
  asked: { from?: string | undefined; to?: string | undefined },
  { since, today }: { since: string | null; today: string },
): Range {
  const to = asked.to === undefined || asked.to > today ? today : asked.to
  const from = asked.from ?? latest(earliest(since ?? to, to), addDays(to, 1 - maxUptimeDays))
  const problem = rangeProblem({ from, to: asked.to ?? to, today, span: countDays(from, to) })
  if (problem !== null) throw invalidFields({ from: [problem] } satisfies Fields)
  return { from, to }
}

function rangeProblem({ from, to, today, span }: Range & { today: string; span: number }): string | null {
  if (from > today) return 'Must not be in the future.'
  if (from > to) return 'Must not be after to.'
  return span > maxUptimeDays ? `Must lie at most ${maxUptimeDays} days before to, both counted.` : null
}

/** One entry for every day of the range, oldest first; a day without checks has zeros. */
export function fillDays(counts: readonly DayCounts[], { from, to }: Range): UptimeDay[] {
  const byDate = new Map(counts.map((day) => [day.date, day]))
  return daysFrom(from, to).map((date) => toUptimeDay(date, byDate.get(date) ?? noChecks))
}

type Counts = Omit<DayCounts, 'date'>

export const noChecks: Counts = { checks: 0, up: 0, down: 0, restricted: 0, latencySumMs: 0, latencyCount: 0 }

export function addCounts(all: readonly Counts[]): Counts {
  const total = { ...noChecks }
  for (const counts of all) {
    total.checks += counts.checks
    total.up += counts.up
    total.down += counts.down
    total.restricted += counts.restricted
    total.latencySumMs += counts.latencySumMs
    total.latencyCount += counts.latencyCount
  }
  return total
}

/** In percent with three decimals; null without checks. Degraded checks count as up, because the target answered. */
export function uptimePercent({ checks, down }: Pick<Counts, 'checks' | 'down'>): number | null {
  return checks === 0 ? null : Math.round((100_000 * (checks - down)) / checks) / 1000
}

export function averageLatency({ latencySumMs, latencyCount }: Counts): number | null {
  return latencyCount === 0 ? null : Math.round(latencySumMs / latencyCount)
}

const percent = z.number().min(0).max(100).nullable()

export const uptimeSchema = z.strictObject({
  day: percent.describe('Percent over the last 96 quarter-hours and the current one; null without checks.'),
  week: percent.describe('Over the last 7 UTC days, today included.'),
  month: percent.describe('Over the last 30 UTC days, today included.'),
  average_latency_ms: z.int().nullable().describe('The mean over the checks of the last day that were not down.'),
  watched_since: z.iso
    .datetime()
    .nullable()
    .describe('Percentages say nothing about the time before. Null before the first check.'),
})
export type Uptime = z.infer<typeof uptimeSchema>

const quarterHourMs = 900_000

/**
 * `uptime.day` covers the last 96 quarter-hours of UTC and the present one, because whole quarters are what merged
 * results still tell (docs/decisions/history-and-uptime.md).
 */
export function startOfLastDay(now: Date): Date {
  return new Date(Math.floor(now.getTime() / quarterHourMs) * quarterHourMs - dayMs)
}

/**
 * Since when a monitor is watched: since it was created, or since the start of the UTC day of its first check where that
 * is another day. Null before the first check, whose day is `since`.
 */
export function watchedSince({ createdAt, since }: { createdAt: Date; since: string | null }): Date | null {
  if (since === null) return null
  return dayOf(createdAt) === since ? createdAt : startOf(since)
}

/**
 * The `uptime` of a monitor's detail. `lastDay` counts the checks since `startOfLastDay`; week and month are 7 and 30
 * UTC days.
 */
export function summarizeUptime(
  days: readonly DayCounts[],
  { lastDay, watched, now }: { lastDay: Counts; watched: Date | null; now: Date },
): Uptime {
  const since = (count: number): Counts => {
    const first = addDays(dayOf(now), 1 - count)
    return addCounts(days.filter(({ date }) => date >= first))
  }
  return {
    day: uptimePercent(lastDay),
    week: uptimePercent(since(7)),
    month: uptimePercent(since(30)),
    average_latency_ms: averageLatency(lastDay),
    watched_since: watched?.toISOString() ?? null,
  }
}

function toUptimeDay(date: string, counts: Counts): UptimeDay {
  const { checks, up, down, restricted } = counts
  return { date, checks, up, down, restricted, latency_ms: averageLatency(counts) }
}
