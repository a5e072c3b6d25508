import { z } from 'zod'
import { feedNames } from './feed-roots.ts'
import { type FeedSource, feedName, osvEcosystems, sourcesOf } from './feed-sources.ts'
import type { ProductKey } from './software-name.ts'

/** A source of advisories that a list of software needs, as the API shows it. */
const comparedSchema = z.strictObject({
  source: z.enum(feedNames),
  ecosystem: z.enum(osvEcosystems).nullable().describe('Of `osv`, whose ecosystems are read one by one.'),
  data_as_of: z.iso.datetime().nullable().describe('When it was last read to its end; null for never.'),
  state: z
    .enum(['current', 'old', 'unread', 'off'])
    .describe(
      '`old`: nothing was read for 48 hours; `unread`: never read to its end; `off`: the same, and this installation ' +
        'does not read it.',
    ),
})
export type Compared = z.infer<typeof comparedSchema>

/** There are fewer; with a bound of this kind the list is shown whole to models too. */
const maxSources = 20

/** What a list of software was compared with, as the API shows it. */
export const comparisonShape = {
  comparison: z
    .enum(['not_compared', 'partial', 'complete'])
    .describe(
      'Whether the list was compared with none, some or all of what its software needs (`compared`). Only under ' +
        '`complete` does a list without findings say that nothing is known.',
    ),
  compared: z
    .array(comparedSchema)
    .max(maxSources)
    .describe('The sources of advisories that the software in the list needs.'),
}
export type Comparison = { comparison: 'not_compared' | 'partial' | 'complete'; compared: Compared[] }

/** How far a source was read. */
export type FeedReading = { readAt: Date | null; isOff: boolean }

/** Every feed is asked several times a day, so that only trouble makes what is known as old as this. */
export const oldAfterMs = 48 * 3_600_000

/** `readings` by the name of the source (`feedName`); a source without one was never read. */
export function comparisonOf(
  products: Iterable<ProductKey>,
  readings: ReadonlyMap<string, FeedReading>,
  at: Date,
): Comparison {
  const compared = sourcesOf(products).map((source) => comparedWith(source, readings.get(feedName(source)), at))
  const read = compared.filter(({ data_as_of: time }) => time !== null)
  if (read.length === 0) return { comparison: 'not_compared', compared }
  return { comparison: read.length === compared.length ? 'complete' : 'partial', compared }
}

/** Something that the list needs is still to be read for the first time. */
export function isAwaited({ compared }: Pick<Comparison, 'compared'>): boolean {
  return compared.some(({ state }) => state === 'unread')
}

/** All that this installation reads of what the list needs was read at least once. */
export function wasCompared(comparison: Comparison): boolean {
  return comparison.comparison !== 'not_compared' && !isAwaited(comparison)
}

function comparedWith(source: FeedSource, reading: FeedReading | undefined, at: Date): Compared {
  const readAt = reading?.readAt ?? null
  if (readAt === null) return { ...source, data_as_of: null, state: reading?.isOff === true ? 'off' : 'unread' }
  const isOld = at.getTime() - readAt.getTime() > oldAfterMs
  return { ...source, data_as_of: readAt.toISOString(), state: isOld ? 'old' : 'current' }
}
