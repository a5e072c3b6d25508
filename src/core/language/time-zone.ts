import { z } from 'zod'

/** The name of a zone in the IANA database. */
export const timeZoneSchema = z
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
