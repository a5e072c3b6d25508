import { z } from 'zod'
import { dayMs } from '#core/language/utc-day.ts'
import { type LatencyHistogram, percentilesOf } from './latency-histogram.ts'

/** How many days the response times of single hours are kept; of older hours, mean and maximum are known. */
export const latencyHourDays = 35

/** What is usual is told of so many days: whole weeks, because a Monday is like a Monday. */
const usualDays = 28
const hourMs = 3_600_000

/** With less it is not known yet what is usual. */
const fewestDays = 3
const fewestChecks = 20

/**
 * What is usual at a time of the day: the hour of the day, and the hours before and after it, of the 28 days before.
 * `hours` are those of UTC.
 */
export type UsualSpan = { from: Date; until: Date; hours: number[] }

export function usualSpan(now: Date): UsualSpan {
  const hour = now.getUTCHours()
  const until = new Date(Math.floor(now.getTime() / hourMs) * hourMs)
  return {
    from: new Date(until.getTime() - usualDays * dayMs),
    until,
    hours: [(hour + 23) % 24, hour, (hour + 1) % 24],
  }
}

/** The 95th percentile of the response times in milliseconds; null as long as too few checks are known. */
export function usualOf(known: { histogram: LatencyHistogram; days: number } | undefined): number | null {
  if (known === undefined || known.days < fewestDays) return null
  const { histogram } = known
  const checks = histogram.counts.reduce((sum, count) => sum + count, 0)
  return checks < fewestChecks ? null : percentilesOf(histogram).p95_ms
}

/** A round is slow from here on: so many times what is usual, and never less than a tenth of a second more. */
export function slowFrom(usualMs: number, factor: number): number {
  return Math.max(usualMs * factor, usualMs + 100)
}

/** What is usual for a monitor now, as the API shows it. */
export const usualResponseSchema = z
  .strictObject({
    p95_ms: z
      .int()
      .nullable()
      .describe(
        '95 % of its checks took no longer in this hour of the day and those beside it, in the last 28 days. Null while ' +
          'it is not known yet: it takes 20 checks of three days.',
      ),
    slow_from_ms: z.int().nullable().describe('A round whose locations took that long on average is slow.'),
  })
  .nullable()
export type UsualResponse = z.infer<typeof usualResponseSchema>

export function usualResponse(usualMs: number | null, factor: number): UsualResponse {
  return { p95_ms: usualMs, slow_from_ms: usualMs === null ? null : slowFrom(usualMs, factor) }
}
