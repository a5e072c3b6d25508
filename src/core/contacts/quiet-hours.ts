import { createLocalClock } from '#core/language/local-clock.ts'
import { msOfDay } from '#core/language/time-of-day.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { ContactRules, MonitorRules, QuietHours } from './alert-rules.ts'

const minuteMs = 60_000
/** More days than can be quiet one after the other. */
const maxDays = 8

/**
 * When the quiet hours end that hold at this time, to the minute; null when none hold. They follow a clock on the wall
 * that is never put back: where it leaps over the end, they end at that moment, and none holds twice.
 */
export function quietUntil(quiet: QuietHours, at: Date): Date | null {
  const clock = createLocalClock(quiet.time_zone)
  const begun = Math.floor(clock.at(at.getTime()) / minuteMs) * minuteMs
  let local = begun
  for (let days = 0; days < maxDays && isQuiet(quiet, local); days += 1) local = nextAt(quiet.to, local)
  return local === begun ? null : new Date(clock.momentOf(local))
}

export type RulesOfBoth = { contact: ContactRules | null; monitor: MonitorRules | null }

/**
 * Until when quiet hours hold an alert back, the contact's or the monitor's; null where it may leave. Nothing holds back
 * the alerts of a critical monitor, and two sets of quiet hours that leave no time within a week hold back nothing.
 */
export function heldByQuietHours({ contact, monitor }: RulesOfBoth, at: Date): Date | null {
  if (monitor?.critical === true) return null
  const both = [contact?.quiet_hours, monitor?.quiet_hours].filter((quiet) => quiet !== undefined)
  const latest = at.getTime() + 7 * dayMs
  let until = at
  while (until.getTime() <= latest) {
    const next = both.map((quiet) => quietUntil(quiet, until)).find((end) => end !== null)
    if (next === undefined || next === null) return until === at ? null : until
    until = next
  }
  return null
}

/** `local` in milliseconds since 1970, as though the zone were UTC. */
function isQuiet({ from, to, weekdays }: QuietHours, local: number): boolean {
  const [begins, ends, minute] = [msOfDay(from), msOfDay(to), local % dayMs]
  const isOnDay = (day: number): boolean => weekdays?.includes(new Date(day).getUTCDay() || 7) ?? true
  if (begins < ends) return isOnDay(local) && minute >= begins && minute < ends
  return (isOnDay(local) && minute >= begins) || (isOnDay(local - dayMs) && minute < ends)
}

/** The next local time at which clocks show this. */
function nextAt(time: string, local: number): number {
  const today = local - (local % dayMs) + msOfDay(time)
  return today > local ? today : today + dayMs
}
