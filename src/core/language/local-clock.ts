import { kept } from './kept.ts'
import { dayMs } from './utc-day.ts'

/**
 * A clock on a wall that is never put back: where a change of clocks repeats an hour, it stands still until the hour is
 * over, and where one leaves an hour out, it leaps. So every local time comes exactly once, at the first moment that
 * shows it or a later one, which is what people mean by "at nine". Local times are milliseconds since 1970 as though
 * the zone were UTC.
 */
export type LocalClock = {
  /** What it shows at a moment. */
  at: (ms: number) => number
  /** The first moment at which it shows so much or more. */
  momentOf: (local: number) => number
}

/** A day of UTC: the zone is ahead of UTC by `before` until `changesAt`, and by `after` from then on. */
type Day = { before: number; after: number; changesAt: number }

/** Keeps what it learned of each day that it was asked about; make one for each piece of work. */
export function createLocalClock(timeZone: string): LocalClock {
  const format = formatIn(timeZone)
  const offsetAt = (ms: number): number => readOffset(format.format(ms))
  // Each is asked for twice: where one day ends and the next one begins.
  const offsetAtMidnight = kept((number: number) => offsetAt(number * dayMs))
  const dayOf = kept((number: number): Day => {
    const [before, after] = [offsetAtMidnight(number), offsetAtMidnight(number + 1)]
    return { before, after, changesAt: before === after ? Infinity : changeIn(number, { before, offsetAt }) }
  })
  return {
    at: (ms) => {
      const number = Math.floor(ms / dayMs)
      const [yesterday, today] = [dayOf(number - 1), dayOf(number)]
      const shown = ms + (ms < today.changesAt ? today.before : today.after)
      return Math.max(shown, leftAt(yesterday, ms), leftAt(today, ms))
    },
    momentOf: (local) => {
      const number = Math.floor(local / dayMs)
      // The zone is at most a day away from UTC, so that one of these days shows it.
      for (const each of [number - 1, number, number + 1]) {
        const { before, after, changesAt } = dayOf(each)
        if (local - before < changesAt && local - before < (each + 1) * dayMs) return local - before
        if (local - after < (each + 1) * dayMs) return Math.max(local - after, changesAt)
      }
      return local - dayOf(number + 1).after
    },
  }
}

/** The last that the clocks showed before they were changed, if that has happened: they may have been put back since. */
function leftAt({ before, changesAt }: Day, ms: number): number {
  return changesAt <= ms ? changesAt + before - 1 : -Infinity
}

/** Clocks change at most once in a day of UTC, and at a whole second. */
function changeIn(number: number, { before, offsetAt }: { before: number; offsetAt: (ms: number) => number }): number {
  let [same, changed] = [(number * dayMs) / 1000, ((number + 1) * dayMs) / 1000]
  while (changed - same > 1) {
    const middle = Math.floor((same + changed) / 2)
    if (offsetAt(middle * 1000) === before) same = middle
    else changed = middle
  }
  return changed * 1000
}

const longOffset = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/

/** Making one takes longer than all that a schedule asks of it. */
const formatIn = kept(
  (timeZone: string) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
  100,
)

/** By how many milliseconds the zone is ahead of UTC. */
function readOffset(text: string): number {
  const [, sign, hours, minutes, seconds = '0'] = longOffset.exec(text) ?? []
  const ahead = ((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ahead : ahead
}
