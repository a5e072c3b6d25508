import { z } from 'zod'
import { type DayCounts, fillDays, uptimeDaySchema, uptimePercent } from './uptime.ts'
import { addDays, dayMs, dayOf, startOf } from './utc-day.ts'

/** How many daily bars a monitor has; the failures of none are kept for longer (specification, Limits). */
export const barDays = 90

/** A run of rounds that were not clean: what the bars show as failures (decisions.md B5). */
export const problemSchema = z.strictObject({
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable().describe('Null while it runs.'),
  status: z.enum(['down', 'degraded']),
  error: z.string().nullable(),
  location_codes: z.array(z.string()),
  incident_id: z.uuid().nullable(),
})
export type ProblemRecord = z.infer<typeof problemSchema>

export const dayBarSchema = z.strictObject({
  ...uptimeDaySchema.shape,
  uptime: z.number().min(0).max(100).nullable().describe('Percent; null without checks.'),
  problems: z.array(problemSchema),
})
export type DayBar = z.infer<typeof dayBarSchema>

/** The first of the days whose failures are shown. `kept` is the plan's retention in days. */
export function firstProblemDay(now: Date, kept: number): string {
  return addDays(dayOf(now), 1 - Math.min(kept, barDays))
}

/** 90 days, oldest first, today the last. A failure stands on every day it touches, from `problemsSince` on. */
export function dailyBars(
  days: readonly DayCounts[],
  problems: readonly ProblemRecord[],
  { now, problemsSince }: { now: Date; problemsSince: string },
): DayBar[] {
  const today = dayOf(now)
  return fillDays(days, { from: addDays(today, 1 - barDays), to: today }).map((day) =>
    Object.assign(day, {
      uptime: uptimePercent(day),
      problems: day.date < problemsSince ? [] : problems.filter((problem) => touches(problem, day.date)),
    }),
  )
}

/** A failure that ended with the very start of a day does not touch it, unless it also began there. */
function touches({ started_at, ended_at }: ProblemRecord, date: string): boolean {
  const start = startOf(date).getTime()
  const began = Date.parse(started_at)
  if (began >= start + dayMs) return false
  return began >= start || ended_at === null || Date.parse(ended_at) > start
}
