import { feedName, feedSources } from '#core/software/feed-sources.ts'
import type { FeedStatus } from '#core/software/feed-status.ts'
import type { Database } from '#store/database/database.ts'
import { readFeedReadings } from './comparisons.ts'
import { areFeedsWanted } from './feeds.ts'

/**
 * Every feed that is not switched off, also one that no process has begun to read; none while there is nothing to
 * compare. Ages are by the database's clock.
 */
export async function readFeedStatus(database: Pick<Database, 'pool'>): Promise<FeedStatus[]> {
  if (!(await areFeedsWanted(database))) return []
  const [readings, tried] = await Promise.all([
    readFeedReadings(database),
    database.pool.query<FeedStatus>({ name: 'read_feed_status', text: statusStatement }),
  ])
  const known = new Map(tried.rows.map((row) => [row.name, row]))
  return feedSources.map(feedName).flatMap((name) => {
    if (readings.get(name)?.isOff === true) return []
    return [known.get(name) ?? { name, read_seconds: null, error: null }]
  })
}

// The greatest of nothing and 0 is 0, and a feed that was never read has no age.
const statusStatement = `
select
  name,
  case when succeeded_at is not null then greatest(0, extract(epoch from now() - succeeded_at)) end::float8
    as read_seconds,
  error
from feeds
order by name
limit 100`
