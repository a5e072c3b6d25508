import { type WallTime, wallClockOf } from '#core/language/wall-clock.ts'
import type { ContactRules, MonitorRules, QuietHours } from './alert-rules.ts'

const minuteMs = 60_000
const dayMinutes = 1440
/** More stretches than a week of quiet days and a change of clocks can have. */
const maxStretches = 24

/**
 * When the quiet hours end that hold at this time, to the minute; null when none hold. They follow the clocks on the
 * wall: where these are put forward over the end, they end at that moment, and an hour that comes twice is quiet twice.
 */
export function quietUntil(quiet: QuietHours, at: Date): Date | null {
  const clock = wallClockOf(quiet.time_zone)
  let end = Math.floor(at.getTime() / minuteMs) * minuteMs
  for (let stretch = 0; stretch < maxStretches; stretch += 1) {
    const wall = clock(new Date(end))
    if (!isQuiet(quiet, wall)) return stretch === 0 ? null : new Date(end)
    end = endOfStretch({ clock, from: end, wall, minutes: minutesUntil(wall, minuteOf(quiet.to)) })
  }
  return new Date(end)
}

export type RulesOfBoth = { contact: ContactRules | null; monitor: MonitorRules | null }

/**
 * Until when quiet hours hold an alert back, the contact's or the monitor's; null where it may leave. Nothing holds back
 * the alerts of a critical monitor, and two sets of quiet hours that leave no time within a week hold back nothing.
 */
export function heldByQuietHours({ contact, monitor }: RulesOfBoth, at: Date): Date | null {
  if (monitor?.critical === true) return null
  const both = [contact?.quiet_hours, monitor?.quiet_hours].filter((quiet) => quiet !== undefined)
  const latest = at.getTime() + 7 * dayMinutes * minuteMs
  let until = at
  while (until.getTime() <= latest) {
    const next = both.map((quiet) => quietUntil(quiet, until)).find((end) => end !== null)
    if (next === undefined || next === null) return until === at ? null : until
    until = next
  }
  return null
}

function isQuiet({ from, to, weekdays }: QuietHours, { weekday, minute }: WallTime): boolean {
  const [begins, ends] = [minuteOf(from), minuteOf(to)]
  const onDay = (day: number): boolean => weekdays?.includes(day) ?? true
  if (begins < ends) return onDay(weekday) && minute >= begins && minute < ends
  return (onDay(weekday) && minute >= begins) || (onDay(weekday === 1 ? 7 : weekday - 1) && minute < ends)
}

type Stretch = { clock: (at: Date) => WallTime; from: number; wall: WallTime; minutes: number }

/** The time after so many minutes, or that of the first change of clocks before: what they show then is another matter. */
function endOfStretch({ clock, from, wall, minutes }: Stretch): number {
  const isSteady = (passed: number): boolean => {
    const { minute } = clock(new Date(from + passed * minuteMs))
    return minute === (wall.minute + passed) % dayMinutes
  }
  if (isSteady(minutes)) return from + minutes * minuteMs
  let [steady, changed] = [0, minutes]
  while (changed - steady > 1) {
    const middle = (steady + changed) >> 1
    if (isSteady(middle)) steady = middle
    else changed = middle
  }
  return from + changed * minuteMs
}

/** A whole day where it is that minute now. */
function minutesUntil({ minute }: WallTime, end: number): number {
  return ((end - minute + dayMinutes - 1) % dayMinutes) + 1
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}
