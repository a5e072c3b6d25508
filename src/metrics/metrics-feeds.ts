import type { Registry } from 'prom-client'
import type { FeedStatus } from '#core/software/feed-status.ts'
import { addGauges } from './metrics-gauge.ts'

/** The feeds are the whole installation's: every process with jobs shows the same. */
export function addFeedGauge(registers: Registry[], readFeeds: () => Promise<readonly FeedStatus[]>): void {
  addGauges(registers, {
    name: 'perigee_feed_age_seconds',
    help: 'Since a feed of advisories was last read to its end; infinite for one that never was.',
    labelNames: ['feed'],
    read: async () =>
      (await readFeeds()).map(({ name, read_seconds: seconds }) => [{ feed: name }, seconds ?? Infinity] as const),
  })
}
