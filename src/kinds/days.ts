import { daysLeft, daysText, inDays } from '#core/expiry.ts'
import { dayMs } from '#core/language/utc-day.ts'

/** Whether `time` is at most `days` days away, or past. */
export function isWithinDays(time: Date, days: number, now: Date): boolean {
  return time.getTime() - now.getTime() <= days * dayMs
}

/** `in 3 days (on 2026-05-03)`, for what has not happened yet. */
export function inDaysOn(time: Date, now: Date): string {
  return `${inDays(daysLeft(time, now))} (on ${isoDay(time)})`
}

/** `on 2026-05-03 (3 days ago)`, for what has happened. */
export function daysAgo(time: Date, now: Date): string {
  return `on ${isoDay(time)} (${daysText(-daysLeft(time, now))} ago)`
}

function isoDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}
