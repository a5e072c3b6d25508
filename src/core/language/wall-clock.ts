// What clocks on walls show somewhere, by the rules of the IANA time zone database.
import { z } from 'zod'

/** A place in a week of wall clocks. */
export type WallTime = {
  /** 1 is Monday, 7 is Sunday (ISO 8601). */
  weekday: number
  /** Since midnight, as the clock shows it. */
  minute: number
}

export const timeZoneName = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Must be a time zone of the IANA database, such as Europe/Sofia.')

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Reads the clocks of a time zone. Making a reader costs more than using it. Throws RangeError for no time zone. */
export function wallClockOf(name: string): (at: Date) => WallTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return {
      weekday: weekdays.indexOf(parts.get('weekday') ?? '') + 1,
      minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    }
  }
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
