import { dayMs } from '#core/language/utc-day.ts'

/** Whole days from `now` to `time`, towards zero: 0 within a day on either side, negative once `time` is past. */
export function daysUntil(time: Date, now: Date): number {
  const days = Math.trunc((time.getTime() - now.getTime()) / dayMs)
  return days === 0 ? 0 : days
}

/** Whether `time` is at most `days` days away, or past. */
export function isWithinDays(time: Date, days: number, now: Date): boolean {
  return time.getTime() - now.getTime() <= days * dayMs
}

/** `in 3 days (on 2026-05-03)`, for what has not happened yet. */
export function inDays(time: Date, now: Date): string {
  const days = daysUntil(time, now)
  const when = days === 0 ? 'in less than a day' : `in ${days} ${days === 1 ? 'day' : 'days'}`
  return `${when} (on ${isoDay(time)})`
}

/** `on 2026-05-03 (3 days ago)`, for what has happened. */
export function daysAgo(time: Date, now: Date): string {
  const days = -daysUntil(time, now)
  return `on ${isoDay(time)} (${days} ${days === 1 ? 'day' : 'days'} ago)`
}

function isoDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}
