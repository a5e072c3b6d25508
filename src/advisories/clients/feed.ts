import type { Advisory } from '#core/software/advisory.ts'
import type { Net } from '#net/net.ts'

/** What clients of feeds work with. */
export type FeedParts = {
  net: Pick<Net, 'http'>
  /** Of the feed, without a final slash. */
  root: string
  /** Ends whatever is under way, by rejecting. */
  signal: AbortSignal
  /** Rejects when the signal comes first. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  now: () => Date
}

/** So many records at most, and how far the feed is read once they are written; null for as far as before. */
export type FeedStep = {
  advisories: Advisory[]
  /** Sentences about records that cannot be read. */ skipped: string[]
  cursor: string | null
}

/** A time that a feed names; now where it lies ahead, because whoever reads on from there would read nothing until then. */
export function notAhead(at: string, now: Date): string {
  return Date.parse(at) > now.getTime() ? now.toISOString() : at
}

/** Why a feed could not be read, in a sentence for the operator. It is tried again later. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
}
