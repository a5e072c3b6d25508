import { setTimeout as wait } from 'node:timers/promises'
import type { FeedParts } from '#advisories/clients/feed.ts'
import type { FeedRoots } from '#core/software/feed-roots.ts'
import { feedName, feedSources } from '#core/software/feed-sources.ts'
import { endCycles } from '#store/software/advisory-catalogs.ts'
import { noteFeedsOff } from '#store/software/comparisons.ts'
import { areFeedsWanted } from '#store/software/feeds.ts'
import { createFeeds, type Feed } from './feed-list.ts'
import { createFeedReader } from './feed-reading.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const hour = 3_600_000
/** Each feed says itself how often it is read; this is how soon the first one begins. */
const lookMs = 10_000

type Parts = Pick<JobParts, 'database' | 'carriers' | 'log' | 'now' | 'feeds' | 'nvdApiKey'>

/**
 * Reads the feeds of advisories, each in one process at a time, and notes which releases are over. An installation that
 * has nothing to compare with them reads none: what comes later is compared with each step of the first reading.
 */
export function feedChores(parts: Parts, pause: FeedParts['wait'] = patiently): Chore[] {
  const read = createFeedReader(parts, pause)
  const chores = [...Map.groupBy(createFeeds(parts), ({ group }) => group)].map(([group, feeds]): Chore => ({
    name: `read_${group}`,
    everyMs: lookMs,
    run: (signal) => readAll(feeds, signal),
  }))
  return [
    { name: 'note_feeds_off', everyMs: hour, run: () => noteFeedsOff(parts.database, namesOff(parts.feeds)) },
    ...chores,
    { name: 'end_release_cycles', everyMs: hour, run: () => endAll(parts) },
  ]

  /** One after the other, so that the server of all is not asked by several at once. */
  async function readAll(feeds: readonly Feed[], signal: AbortSignal): Promise<void> {
    if (!(await areFeedsWanted(parts.database))) return
    for (const feed of feeds) if (!signal.aborted) await read(feed, signal)
  }
}

function namesOff(feeds: FeedRoots): string[] {
  return feedSources.filter(({ source }) => feeds[source] === null).map(feedName)
}

function patiently(ms: number, signal: AbortSignal): Promise<void> {
  return wait(ms, undefined, { signal })
}

async function endAll({ database, log, now }: Parts): Promise<void> {
  const number = await database.transaction((tx) => endCycles(tx, now()))
  if (number > 0) log.info('Releases that reached the end of their support were noted.', { number })
}
