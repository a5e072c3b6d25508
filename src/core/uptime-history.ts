import { z } from 'zod'
import { type DayCounts, addCounts, averageLatency } from './uptime.ts'
import { addDays, countDays, monthOf, nextMonth, weekOf } from './utc-day.ts'

export const periodSchema = z.strictObject({
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
type Period = z.infer<typeof periodSchema>

const maxBars = 90

/**
 * The whole history in about 90 bars: days while that many suffice, then weeks from Monday on, then calendar months.
 * The first week or month begins before `since` where that lies within it; the last ends today.
 */
export function allTime(days: readonly DayCounts[], today: string): AllTime {
  const [first] = days
  if (first === undefined) return { unit: 'day', since: null, periods: [] }
  const unit = unitFor(first.date, today)
  return { unit, since: first.date, periods: periodsOf(days, unit, today) }
}

function unitFor(since: string, today: string): AllTime['unit'] {
  if (countDays(since, today) <= maxBars) return 'day'
  return countDays(weekOf(since), today) <= maxBars * 7 ? 'week' : 'month'
}

const starts = { day: (day: string): string => day, week: weekOf, month: monthOf }
const nexts = {
  day: (start: string): string => addDays(start, 1),
  week: (start: string): string => addDays(start, 7),
  month: nextMonth,
}

/** `days` are in order and `today` is not before the first. */
function periodsOf(days: readonly DayCounts[], unit: AllTime['unit'], today: string): Period[] {
  const [first] = days
  if (first === undefined) return []
  const byStart = Map.groupBy(days, ({ date }) => starts[unit](date))
  const periods: Period[] = []
  for (let from = starts[unit](first.date); from <= today; from = nexts[unit](from)) {
    const total = addCounts(byStart.get(from) ?? [])
    const last = addDays(nexts[unit](from), -1)
    periods.push({
      from,
      to: last < today ? last : today,
      checks: total.checks,
      up: total.up,
      down: total.down,
      latency_ms: averageLatency(total),
    })
  }
  return periods
}
