import { z } from 'zod'
import { type LatencyMembers, latencyMembersSchema, noLatencies } from './latency-day.ts'
import { type DayCounts, type Range, fillDays, uptimeDaySchema, uptimePercent } from './uptime.ts'
import { addDays, dayOf, earliest, latest } from '#core/language/utc-day.ts'

/** Number of daily bars of a monitor. Failures are kept no longer than the bars reach back. */
export const barDays = 90

/**
 * A run of rounds that were not clean, which the bars show as a failure (docs/decisions/history-and-uptime.md,
 * "Problems of a day").
 */
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
  ...latencyMembersSchema.shape,
  problems: z.array(problemSchema),
})
export type DayBar = z.infer<typeof dayBarSchema>

/** The first day whose failures are shown. `kept` is the plan's retention in days. */
export function firstProblemDay(now: Date, kept: number): string {
  return addDays(dayOf(now), 1 - Math.min(kept, barDays))
}

export function firstBarDay(now: Date): string {
  return addDays(dayOf(now), 1 - barDays)
}

export type BarSource = {
  days: readonly DayCounts[]
  latencies: ReadonlyMap<string, LatencyMembers>
  problems: readonly ProblemRecord[]
}

/**
 * 90 days, oldest first, the last one today. A failure stands on every day that it touches, from `problemsSince` on.
 */
export function dailyBars(
  { days, latencies, problems }: BarSource,
  { now, problemsSince }: { now: Date; problemsSince: string },
): DayBar[] {
  const problemsOf = problemsByDay(problems, { from: problemsSince, to: dayOf(now) })
  return fillDays(days, { from: firstBarDay(now), to: dayOf(now) }).map((day) =>
    Object.assign(day, {
      uptime: uptimePercent(day),
      ...(latencies.get(day.date) ?? noLatencies),
      problems: problemsOf.get(day.date) ?? [],
    }),
  )
}

function problemsByDay(problems: readonly ProblemRecord[], { from, to }: Range): Map<string, ProblemRecord[]> {
  const byDay = new Map<string, ProblemRecord[]>()
  for (const problem of problems) {
    const first = latest(problem.started_at.slice(0, 10), from)
    const last = earliest(lastDay(problem) ?? to, to)
    for (let day = first; day <= last; day = addDays(day, 1)) {
      const others = byDay.get(day)
      if (others === undefined) byDay.set(day, [problem])
      else others.push(problem)
    }
  }
  return byDay
}

/**
 * Null while the failure runs. A failure that ended with the very start of a day does not touch that day, unless it
 * also began there.
 */
function lastDay({ started_at, ended_at }: ProblemRecord): string | null {
  if (ended_at === null) return null
  const lastMoment = Math.max(Date.parse(ended_at) - 1, Date.parse(started_at))
  return dayOf(new Date(lastMoment))
}
