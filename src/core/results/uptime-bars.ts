import { z } from 'zod'
import { type LatencyMembers, latencyMembersSchema, noLatencies } from './latency-day.ts'
import { type DayCounts, type Range, fillDays, uptimeDaySchema, uptimePercent } from './uptime.ts'
import { addDays, dayOf, earliest, latest } from '#core/language/utc-day.ts'

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
  ...latencyMembersSchema.shape,
  problems: z.array(problemSchema),
})
export type DayBar = z.infer<typeof dayBarSchema>

/** The first of the days whose failures are shown. `kept` is the plan's retention in days. */
export function firstProblemDay(now: Date, kept: number): string {
  return addDays(dayOf(now), 1 - Math.min(kept, barDays))
}

/** The first of the bars. */
export function firstBarDay(now: Date): string {
  return addDays(dayOf(now), 1 - barDays)
}

/** What the bars are made of. */
export type BarSource = {
  days: readonly DayCounts[]
  latencies: ReadonlyMap<string, LatencyMembers>
  problems: readonly ProblemRecord[]
}

/** 90 days, oldest first, today the last. A failure stands on every day it touches, from `problemsSince` on. */
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

/** A failure that ended with the very start of a day does not touch it, unless it also began there; null while it runs. */
function lastDay({ started_at, ended_at }: ProblemRecord): string | null {
  if (ended_at === null) return null
  const lastMoment = Math.max(Date.parse(ended_at) - 1, Date.parse(started_at))
  return dayOf(new Date(lastMoment))
}
