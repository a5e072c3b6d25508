import { type FeedRoots, feedNames } from '#core/software/feed-roots.ts'

/** The part of the environment with which the real program reads no advisories of the world. */
export const feedsOff: Readonly<Record<string, string>> = Object.fromEntries(
  feedNames.map((name) => [`PERIGEE_FEED_${name.toUpperCase()}`, 'off']),
)

/** The same for a part of it that is tested alone. */
export const noFeeds: FeedRoots = { osv: null, nvd: null, cve: null, exploited: null, endoflife: null }
