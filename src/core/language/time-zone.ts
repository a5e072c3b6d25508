import { z } from 'zod'
import { kept } from './kept.ts'

/** The name of a zone in the IANA database. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .refine(isTimeZone, 'Must be a time zone of the IANA database, such as Europe/Sofia.')

export function isTimeZone(name: string): boolean {
  return isKnown(name)
}

/** Names that come from outside are many; a few hundred of them are zones. */
const isKnown = kept((name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}, 500)
