import { setImmediate as afterOthers } from 'node:timers/promises'
import { FeedError, type FeedParts } from '#advisories/clients/feed.ts'
import { type ClaimedFeed, claimFeed, endFeed, FeedLost, keepFeed, releaseFeed } from '#store/software/feeds.ts'
import type { Feed, FeedWrite } from './feed-list.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

const minute = 60_000
const retryMs = 10 * minute
/** Longer than it can take to get an archive. */
const claimMs = 75 * minute
/** Log lines about records that cannot be read, for each reading. */
const toldAtMost = 5

type Parts = Pick<JobParts, 'database' | 'carriers' | 'log' | 'now'>

/**
 * Reads a feed that is due and that no other process has claimed. A feed that cannot be read is tried again in ten
 * minutes.
 */
export function createFeedReader(
  parts: Parts,
  pause: FeedParts['wait'],
): (feed: Feed, signal: AbortSignal) => Promise<void> {
  const { database, now } = parts
  /** Claims that this process could not give back, because the database was away. */
  const own = new Map<string, Date>()
  return async (feed, signal) => {
    const timing = { now: now(), everyMs: feed.everyMs, retryMs, claimMs, own: own.get(feed.name) ?? null }
    const claimed = await claimFeed(database, feed.name, timing)
    if (claimed === null) return
    const holding = { claimed }
    try {
      const net = parts.carriers.net
      await readThrough({ parts, holding }, feed.read({ net, root: feed.root, signal, wait: pause, now }, claimed))
    } catch (error) {
      await fail({ parts, holding }, error, signal)
    } finally {
      own.set(feed.name, holding.claimed.claimedUntil)
    }
    own.delete(feed.name)
  }
}

/** How far a reading has come. */
type Reading = { parts: Parts; holding: { claimed: ClaimedFeed } }

async function readThrough({ parts, holding }: Reading, writes: AsyncIterable<FeedWrite>): Promise<void> {
  const { database, log, now } = parts
  const skipped: string[] = []
  let number = 0
  for await (const one of writes) {
    const { claimed } = holding
    const next = {
      ...claimed,
      cursor: one.cursor ?? claimed.cursor,
      etag: one.etag ?? claimed.etag,
      claimedUntil: new Date(now().getTime() + claimMs),
    }
    await database.transaction(async (tx) => {
      await one.write(tx)
      await keepFeed(tx, claimed, next)
    })
    holding.claimed = next
    number += one.skipped.length
    skipped.push(...one.skipped.slice(0, toldAtMost - skipped.length))
    await afterOthers()
  }
  const { name, error } = holding.claimed
  if (number > 0) log.info('Records of a feed could not be read.', { feed: name, number, skipped })
  if (error !== null) log.warn('A feed of advisories can be read again.', { feed: name })
  await endFeed(database, holding.claimed, { now: now(), error: null })
}

/** The same trouble is logged once. A process that stops leaves the rest of the feed to the next one. */
async function fail({ parts, holding }: Reading, thrown: unknown, signal: AbortSignal): Promise<void> {
  const { database, log, now } = parts
  const { claimed } = holding
  if (thrown instanceof FeedLost) return log.info('Another process is already reading a feed.', { feed: claimed.name })
  if (signal.aborted) return releaseFeed(database, claimed)
  const error = thrown instanceof FeedError ? thrown.message : 'Something went wrong. See the log of the process.'
  await endFeed(database, claimed, { now: now(), error })
  if (!(thrown instanceof FeedError)) throw thrown
  if (claimed.error !== error) log.warn('A feed of advisories could not be read.', { feed: claimed.name, why: error })
}
