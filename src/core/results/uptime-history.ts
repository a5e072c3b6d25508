import { z } from 'zod'
import { type DayCounts, addCounts, averageLatency } from './uptime.ts'
import { addDays, countDays, monthOf, nextMonth, weekOf } from '#core/language/utc-day.ts'

const periodSchema = z.strictObject({
  from: z.iso.date(),
  to: z.iso.date(),
  checks: z.int(),
  up: z.int(),
  down: z.int(),
  latency_ms: z.int().nullable(),
})

export const allTimeSchema = z.strictObject({
  unit: z.enum(['day', 'week', 'month']),
  since: z.iso.date().nullable().describe('The first day with checks.'),
  periods: z.array(periodSchema).describe('Oldest first, without gaps, up to today.'),
})
export type AllTime = z.infer<typeof allTimeSchema>
export type PeriodUnit = AllTime['unit']
type Period = z.infer<typeof periodSchema>

const maxBars = 90

/**
 * The unit that shows the whole history in about 90 bars: days while 90 suffice, then weeks from Monday on, then
 * calendar months.
 */
export function periodUnit(since: string, today: string): PeriodUnit {
  if (countDays(since, today) <= maxBars) return 'day'
  return countDays(weekOf(since), today) <= maxBars * 7 ? 'week' : 'month'
}

/**
 * `counts` may be of days or of whole periods named by their first days, which add up to the same. The first week or
 * month begins before `since` where that lies within it; the last period ends today.
 */
export function allTime(
  counts: readonly DayCounts[],
  { since, today }: { since: string | null; today: string },
): AllTime {
  if (since === null) return { unit: 'day', since, periods: [] }
  const unit = periodUnit(since, today)
  const byStart = Map.groupBy(counts, ({ date }) => starts[unit](date))
  const begins = periodStarts(unit, { since, today })
  const periods = begins.map((from, index) => {
    const next = begins[index + 1]
    return toPeriod(byStart.get(from) ?? [], { from, to: next === undefined ? today : addDays(next, -1) })
  })
  return { unit, since, periods }
}

/** The first days of all periods from that of `since` to that of `today`, oldest first. */
export function periodStarts(unit: PeriodUnit, { since, today }: { since: string; today: string }): string[] {
  const all: string[] = []
  for (let from = starts[unit](since); from <= today; from = nexts[unit](from)) all.push(from)
  return all
}

const starts = { day: (day: string): string => day, week: weekOf, month: monthOf }
const nexts = {
  day: (start: string): string => addDays(start, 1),
  week: (start: string): string => addDays(start, 7),
  month: nextMonth,
}

function toPeriod(counts: readonly DayCounts[], { from, to }: { from: string; to: string }): Period {
  const total = addCounts(counts)
  const { checks, up, down } = total
  return { from, to, checks, up, down, latency_ms: averageLatency(total) }
}
