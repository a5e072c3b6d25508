// When a job is expected that runs by a cron expression. Times are in microseconds since 1970.
import { Cron } from 'croner'
import { isTimeZone } from '#core/language/time-zone.ts'

/** Minute, hour, day, month and weekday of the clock on the wall of an IANA time zone. */
export type CallSchedule = { expression: string; timeZone: string }

export const maxScheduleLength = 100

/** The schedule that options of a monitor have, UTC where they name no zone; null where calls come by an interval. */
export function callScheduleOf(options: Readonly<Record<string, unknown>>): CallSchedule | null {
  const { schedule, time_zone: timeZone } = options
  if (typeof schedule !== 'string') return null
  return { expression: schedule, timeZone: typeof timeZone === 'string' ? timeZone : 'UTC' }
}

export function isSameSchedule(one: CallSchedule | null, other: CallSchedule | null): boolean {
  return one?.expression === other?.expression && one?.timeZone === other?.timeZone
}

/**
 * The first time of the schedule after a moment; null where there is none. Changes of clocks count as for the cron of
 * Vixie and Debian: where neither the minute nor the hour has a `*`, a time that is left out becomes the first one after
 * it, and one that comes twice counts once. Other schedules go by what the clock shows.
 */
export function dueAfter(schedule: CallSchedule, at: number): number | null {
  const next = cronOf(schedule).nextRun(new Date(Math.floor(at / 1000)))
  return next === null ? null : next.getTime() * 1000
}

/**
 * `dueAfter` for many moments in a row: of each schedule it remembers between which two times the last answer holds,
 * since one is shared by many monitors, and finding a time takes some 50 microseconds.
 */
export function rememberDue(): typeof dueAfter {
  const known = new Map<string, { from: number; next: number | null }>()
  return (schedule, at) => {
    const name = `${schedule.timeZone} ${schedule.expression}`
    const held = known.get(name)
    if (held !== undefined && at >= held.from && (held.next === null || at < held.next)) return held.next
    if (known.size >= maxRemembered) known.clear()
    const next = dueAfter(schedule, at)
    known.set(name, { from: at, next })
    return next
  }
}

const maxRemembered = 10_000

/** What is wrong with a schedule; null where it can be kept. */
export function scheduleProblem(schedule: CallSchedule): string | null {
  // What is wrong with the zone is told by itself.
  if (!isTimeZone(schedule.timeZone)) return null
  if (schedule.expression.trim().split(/\s+/).length !== 5) return notReadable
  try {
    const first = dueAfter(schedule, someday) ?? Infinity
    const second = first === Infinity ? first : (dueAfter(schedule, first) ?? Infinity)
    const isSeldom = first - someday > longestGap || second - first > longestGap
    return isSeldom ? 'Must be due at least once a year.' : null
  } catch {
    return notReadable
  }
}

const notReadable = 'Must be a cron expression of five fields, such as `30 2 * * *`.'

/** Judged by what comes after a fixed moment, so that the answer does not depend on the clock. */
const someday = Date.parse('2026-01-01T00:00:00Z') * 1000
const longestGap = 366 * 86_400 * 1_000_000

/** More than a day of times that lie five minutes apart. */
const comparedTimes = 300

/** Whether two times of a schedule that can be read lie closer together than this. */
export function isOftenerThan(schedule: CallSchedule, seconds: number): boolean {
  // Nothing is due twice a minute.
  if (seconds <= 60) return false
  let last = dueAfter(schedule, someday)
  for (let compared = 1; compared < comparedTimes && last !== null; compared += 1) {
    const next = dueAfter(schedule, last)
    if (next !== null && next - last < seconds * 1_000_000) return true
    last = next
  }
  return false
}

/** Throws for an expression that cannot be read. Reading one takes some 20 microseconds, so none is kept. */
function cronOf({ expression, timeZone }: CallSchedule): Cron {
  return new Cron(expression, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard' })
}
