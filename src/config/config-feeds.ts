import { z } from 'zod'
import { type FeedRoots, publicFeeds } from '#core/software/feed-roots.ts'
import { address, matching } from './config-values.ts'

const off = z.literal('off').transform(() => null)
const feed = (root: string): z.ZodType<string | null, string | undefined> =>
  z
    .union([off, address('an http:// or https:// address, or off', ['http', 'https'])], {
      error: 'an http:// or https:// address, or off',
    })
    .default(root)

/** Where advisories are read, and as whom. */
export const feedVariables = {
  PERIGEE_FEED_OSV: feed(publicFeeds.osv),
  PERIGEE_FEED_NVD: feed(publicFeeds.nvd),
  PERIGEE_FEED_CVE: feed(publicFeeds.cve),
  PERIGEE_FEED_EXPLOITED: feed(publicFeeds.exploited),
  PERIGEE_FEED_ENDOFLIFE: feed(publicFeeds.endoflife),
  PERIGEE_NVD_API_KEY: matching('a key of the NVD, 8 to 128 visible characters', /^[!-~]{8,128}$/).optional(),
}

const feedShape = z.object(feedVariables)

export function feedsOf(read: z.infer<typeof feedShape>): FeedRoots {
  return {
    osv: read.PERIGEE_FEED_OSV,
    nvd: read.PERIGEE_FEED_NVD,
    cve: read.PERIGEE_FEED_CVE,
    exploited: read.PERIGEE_FEED_EXPLOITED,
    endoflife: read.PERIGEE_FEED_ENDOFLIFE,
  }
}
