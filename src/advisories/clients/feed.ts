import type { Advisory } from '#core/software/advisory.ts'
import type { Net } from '#net/net.ts'

/** What all clients of feeds need. */
export type FeedParts = {
  net: Pick<Net, 'http'>
  /** The feed's address without a final slash. */
  root: string
  /** Aborts the reading, which then rejects. */
  signal: AbortSignal
  /** Waits, and rejects when the signal aborts before. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  now: () => Date
}

/** Some records, and the cursor of the feed once they are stored; null when the cursor stays as it is. */
export type FeedStep = {
  advisories: Advisory[]
  /** Sentences about records that cannot be read. */ skipped: string[]
  cursor: string | null
}

/**
 * A time in a feed, at most the present one: with a cursor in the future the next readings would find nothing new until
 * then.
 */
export function notAhead(at: string, now: Date): string {
  return Date.parse(at) > now.getTime() ? now.toISOString() : at
}

/** Why a feed could not be read, in a sentence for the operator. The reading is tried again later. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
}
