import { z } from 'zod'

/** `HH:MM`, as clocks on the wall show it. */
export const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day, HH:MM.')

/** Milliseconds from midnight to a time of day. */
export function msOfDay(time: string): number {
  return (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * 60_000
}
