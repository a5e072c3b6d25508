import { dayMs } from '#core/language/utc-day.ts'
import { type CloudReport, type Impact, reportOf } from './cloud-report.ts'
import type { Feed, FeedItem } from './news-feed.ts'

/** Clocks differ; what is dated later than this lies ahead and is announced, not going on. */
const aheadMs = 300_000

/**
 * What a feed of incidents says at `nowMs`. The newest entry of an incident counts, for a day from its date and
 * unless it says that all is well again.
 */
export function reportOfFeed({ title, items }: Feed, nowMs: number): CloudReport {
  // Azure's feed holds what goes on now and nothing else, however long ago it began.
  const isCurrent = /^azure status\b/i.test(title)
  const going = newestOfEach(items).filter((item) => (isCurrent || isRecent(item, nowMs)) && !isOver(item))
  return reportOf(
    going.map((item) => ({
      name: item.title,
      impact: impactOf(item),
      components: item.categories,
      text: `${item.title}\n${item.description}`,
    })),
  )
}

function newestOfEach(items: readonly FeedItem[]): FeedItem[] {
  const newest = new Map<string, FeedItem>()
  for (const item of items) {
    const known = newest.get(item.thread)
    if (known === undefined || (item.atMs ?? 0) > (known.atMs ?? 0)) newest.set(item.thread, item)
  }
  return Array.from(newest.values())
}

function isRecent({ atMs }: FeedItem, nowMs: number): boolean {
  return atMs === null || (atMs > nowMs - dayMs && atMs <= nowMs + aheadMs)
}

/** In the title anywhere, in the description as the heading of its newest, first update. */
function isOver({ title, description }: FeedItem): boolean {
  if (/\b(?:resolved|completed|closed|recovered|operating normally)\b/i.test(title)) return true
  return /(?:^|[>[]|status:)\s*(?:resolved|completed)\b/i.test(description.slice(0, 2000))
}

/** Feeds have no field for it, so the title's words tell. */
function impactOf({ title }: FeedItem): Impact {
  if (/\b(?:maintenance|scheduled)\b/i.test(title)) return 'none'
  if (/\b(?:major|full|complete|total) outage\b|\bcritical\b/i.test(title)) return 'critical'
  return /\b(?:outage|disruption|unavailable|unavailability|down)\b/i.test(title) ? 'major' : 'minor'
}
