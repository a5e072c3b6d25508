import { z } from 'zod'
import { type Fields, invalidFields } from '#core/language/error.ts'
import { addDays, countDays, dayMs, dayOf, daysFrom, earliest, latest } from '#core/language/utc-day.ts'

/** What a day's checks came to, as it is stored. */
export type DayCounts = {
  date: string
  checks: number
  up: number
  down: number
  restricted: number
  /** Over the successful checks that have a latency. */
  latencySumMs: number
  latencyCount: number
}

/** UptimeDay of the specification. `restricted` counts degraded checks (decisions.md A12). */
export const uptimeDaySchema = z.strictObject({
  date: z.iso.date(),
  checks: z.int(),
  up: z.int(),
  down: z.int(),
  restricted: z.int().describe('Degraded checks: checks = up + down + restricted.'),
  latency_ms: z.int().nullable().describe('Average response time of successful checks.'),
})
export type UptimeDay = z.infer<typeof uptimeDaySchema>

export const maxUptimeDays = 3660

export type Range = { from: string; to: string }

/**
 * The days an uptime request is about (decisions.md B15): what it names, or from the first day with checks to today.
 * A `to` beyond today is today; a beginning that was not named moves up until 3660 days remain. Throws
 * `validation_failed`.
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

/** One entry for every day of the range, those without checks as zeros; oldest first. */
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

/** Percent 0..100 with three decimals; degraded counts as available (decisions.md A12). Null without checks. */
export function uptimePercent({ checks, down }: Pick<Counts, 'checks' | 'down'>): number | null {
  return checks === 0 ? null : Math.round((100_000 * (checks - down)) / checks) / 1000
}

export function averageLatency({ latencySumMs, latencyCount }: Counts): number | null {
  return latencyCount === 0 ? null : Math.round(latencySumMs / latencyCount)
}

const quarterHourMs = 900_000

/** Where `uptime.day` begins: with the 96th quarter-hour before the current one (decisions.md A15). */
export function startOfLastDay(now: Date): Date {
  return new Date(Math.floor(now.getTime() / quarterHourMs) * quarterHourMs - dayMs)
}

/** MonitorDetail's `uptime`: `lastDay` are the checks since `startOfLastDay`, week and month are 7 and 30 UTC days. */
export function summarizeUptime(
  days: readonly DayCounts[],
  { lastDay, now }: { lastDay: Counts; now: Date },
): { day: number | null; week: number | null; month: number | null; average_latency_ms: number | null } {
  const since = (count: number): Counts => {
    const first = addDays(dayOf(now), 1 - count)
    return addCounts(days.filter(({ date }) => date >= first))
  }
  return {
    day: uptimePercent(lastDay),
    week: uptimePercent(since(7)),
    month: uptimePercent(since(30)),
    average_latency_ms: averageLatency(lastDay),
  }
}

function toUptimeDay(date: string, counts: Counts): UptimeDay {
  const { checks, up, down, restricted } = counts
  return { date, checks, up, down, restricted, latency_ms: averageLatency(counts) }
}
