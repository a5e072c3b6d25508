import { z } from 'zod'
import { oldAfterMs } from './comparison.ts'

/** A feed of advisories that this installation reads, for its operator. */
export const feedStatusSchema = z.object({
  name: z.string(),
  /** Since it was last read to its end; null for never. */
  read_seconds: z.number().min(0).nullable(),
  /** Why the last reading failed. */
  error: z.string().nullable(),
})
export type FeedStatus = z.infer<typeof feedStatusSchema>

/**
 * Sentences about feeds with which software is not compared, or not any more. The first reading of some takes an hour:
 * a feed that was never read is a trouble once it has failed.
 */
export function feedTroubles(feeds: readonly FeedStatus[]): string[] {
  const unread = feeds.filter(({ read_seconds: seconds, error }) => seconds === null && error !== null)
  const old = feeds.filter(({ read_seconds: seconds }) => seconds !== null && seconds > oldAfterMs / 1000)
  return [
    ...(unread.length === 0 ? [] : [`Advisory feeds that were never read completely: ${namesOf(unread)}.`]),
    ...(old.length === 0 ? [] : [`Advisory feeds that have not been read for 48 hours: ${namesOf(old)}.`]),
  ]
}

function namesOf(feeds: readonly FeedStatus[]): string {
  return feeds.map(({ name }) => name).join(', ')
}
