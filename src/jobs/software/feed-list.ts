import { readCveFeed } from '#advisories/clients/cve-feed.ts'
import { type Catalog, readEndOfLifeFeed, readExploitedFeed } from '#advisories/clients/catalog-feeds.ts'
import type { FeedParts, FeedStep } from '#advisories/clients/feed.ts'
import { readNvdFeed } from '#advisories/clients/nvd-feed.ts'
import { readOsvFeed, type SeenChanges } from '#advisories/clients/osv-feed.ts'
import { feedName, osvEcosystems } from '#core/software/feed-sources.ts'
import { readModified, replaceAdvisories } from '#store/software/advisories.ts'
import { endCycles, replaceCycles, replaceExploited } from '#store/software/advisory-catalogs.ts'
import type { Transaction } from '#store/database/database.ts'
import type { ClaimedFeed } from '#store/software/feeds.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

/** Something to write in one transaction, and how far the feed is read then. */
export type FeedWrite = {
  write: (tx: Transaction) => Promise<unknown>
  /** Sentences about records that cannot be read. */
  skipped: readonly string[]
  cursor: string | null
  etag: string | null
}

export type Feed = {
  name: string
  /** Feeds of a group have one server. */
  group: string
  root: string
  everyMs: number
  read: (parts: FeedParts, claimed: ClaimedFeed) => AsyncIterable<FeedWrite>
}

const minute = 60_000
const hour = 60 * minute

/** The feeds that the configuration names. */
export function createFeeds(parts: Pick<JobParts, 'database' | 'now' | 'feeds' | 'nvdApiKey'>): Feed[] {
  const { database, now, feeds, nvdApiKey: apiKey } = parts
  const readKnown = (ids: readonly string[]): ReturnType<typeof readModified> => readModified(database, 'osv', ids)
  const feed = (group: keyof JobParts['feeds'], one: Omit<Feed, 'group' | 'root'>): Feed[] => {
    const root = feeds[group]
    return root === null ? [] : [{ ...one, group, root }]
  }
  return [
    ...osvEcosystems.flatMap((ecosystem) => {
      const seen: SeenChanges = { byId: new Map() }
      const read: Feed['read'] = (using, { cursor }) =>
        advisoryWrites(readOsvFeed(using, { ecosystem, cursor, readKnown, seen }))
      return feed('osv', { name: feedName({ source: 'osv', ecosystem }), everyMs: 10 * minute, read })
    }),
    ...feed('nvd', {
      name: 'nvd',
      everyMs: 2 * hour,
      read: (using, { cursor }) => advisoryWrites(readNvdFeed(using, { cursor, apiKey })),
    }),
    ...feed('cve', {
      name: 'cve',
      everyMs: 30 * minute,
      read: (using, { cursor }) => advisoryWrites(readCveFeed(using, cursor)),
    }),
    ...feed('exploited', {
      name: 'exploited',
      everyMs: 30 * minute,
      read: (using, { etag }) => catalogWrites(readExploitedFeed(using, etag), replaceExploited),
    }),
    ...feed('endoflife', {
      name: 'endoflife',
      everyMs: 6 * hour,
      read: (using, { etag }) =>
        catalogWrites(readEndOfLifeFeed(using, etag), async (tx, products) => {
          await replaceCycles(tx, products)
          await endCycles(tx, now())
        }),
    }),
  ]
}

async function* advisoryWrites(steps: AsyncIterable<FeedStep>): AsyncGenerator<FeedWrite> {
  for await (const { advisories, skipped, cursor } of steps)
    yield { write: (tx) => replaceAdvisories(tx, advisories), skipped, cursor, etag: null }
}

async function* catalogWrites<Entry>(
  reading: Promise<Catalog<Entry>>,
  replace: (tx: Transaction, entries: readonly Entry[]) => Promise<void>,
): AsyncGenerator<FeedWrite> {
  const catalog = await reading
  if (catalog === null) return
  const { entries, skipped, etag } = catalog
  yield { write: (tx) => replace(tx, entries), skipped, cursor: null, etag }
}
