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
      'Whether none, some or all of the list was compared with none, some or all of what its software needs ' +
        '(`compared`). Only under `complete` does a list without findings say that nothing is known.',
    ),
  compared: z
    .array(comparedSchema)
    .max(maxSources)
    .describe('The sources of advisories that the software in the list needs.'),
  entries_to_compare: z
    .int()
    .describe('How many entries, without ignored ones, still wait to be compared for the first time.'),
}
export type Comparison = {
  comparison: 'not_compared' | 'partial' | 'complete'
  compared: Compared[]
  entries_to_compare: number
}

/** How far a source was read. */
export type FeedReading = { readAt: Date | null; isOff: boolean }

/** What a list has without ignored entries, and how many of these wait to be compared for the first time. */
export type ComparedList = { products: Iterable<ProductKey>; entries: number; waiting: number }

/** Every feed is asked several times a day, so that only trouble makes what is known as old as this. */
export const oldAfterMs = 48 * 3_600_000

/** `readings` by the name of the source (`feedName`); a source without one was never read. */
export function comparisonOf(
  { products, entries, waiting }: ComparedList,
  readings: ReadonlyMap<string, FeedReading>,
  at: Date,
): Comparison {
  const compared = sourcesOf(products).map((source) => comparedWith(source, readings.get(feedName(source)), at))
  const read = compared.filter(({ data_as_of: time }) => time !== null).length
  const isNone = read === 0 || waiting === entries
  const isAll = read === compared.length && waiting === 0
  return { comparison: isNone ? 'not_compared' : isAll ? 'complete' : 'partial', compared, entries_to_compare: waiting }
}

/** Something that the list needs is still to be read for the first time. */
export function isAwaited({ compared }: Pick<Comparison, 'compared'>): boolean {
  return compared.some(({ state }) => state === 'unread')
}

/** All of the list was compared with all that this installation reads of what the list needs. */
export function wasCompared(comparison: Comparison): boolean {
  return comparison.comparison !== 'not_compared' && comparison.entries_to_compare === 0 && !isAwaited(comparison)
}

/**
 * From when the oldest data are with which anything was compared, in ISO 8601: what was published since may not be
 * known. Null where nothing was compared.
 */
export function oldestData({ comparison, compared }: Pick<Comparison, 'comparison' | 'compared'>): string | null {
  if (comparison === 'not_compared') return null
  return compared.flatMap(({ data_as_of: at }) => at ?? []).toSorted()[0] ?? null
}

function comparedWith(source: FeedSource, reading: FeedReading | undefined, at: Date): Compared {
  const readAt = reading?.readAt ?? null
  if (readAt === null) return { ...source, data_as_of: null, state: reading?.isOff === true ? 'off' : 'unread' }
  const isOld = at.getTime() - readAt.getTime() > oldAfterMs
  return { ...source, data_as_of: readAt.toISOString(), state: isOld ? 'old' : 'current' }
}
