import type { ExploitedVulnerability, ProductCycles } from '#core/software/advisory.ts'
import type { ReadRecord, RecordSource, RecordSources } from '#advisories/record-reading.ts'
import { FeedError, type FeedParts } from './feed.ts'
import { fetchItems } from './fetch-items.ts'
import { openRecordReader } from './record-reader.ts'

/** A catalogue that is read as a whole; null when it has not changed. */
export type Catalog<Entry> = { entries: Entry[]; skipped: string[]; etag: string | null } | null

/** CISA's catalogue of exploited vulnerabilities. Throws FeedError. */
export function readExploitedFeed(parts: FeedParts, etag: string | null): Promise<Catalog<ExploitedVulnerability>> {
  const path = '/sites/default/files/feeds/known_exploited_vulnerabilities.json'
  return readCatalog(parts, { path, member: 'vulnerabilities', etag, source: 'exploited' })
}

/** The catalogue of endoflife.date. Throws FeedError. */
export function readEndOfLifeFeed(parts: FeedParts, etag: string | null): Promise<Catalog<ProductCycles>> {
  return readCatalog(parts, { path: '/api/v1/products/full', member: 'result', etag, source: 'endoflife' })
}

const timeoutMs = 300_000
const maxBytes = 64 * 1024 * 1024
const maxEntries = 100_000

type Asked<Source> = { path: string; member: string; etag: string | null; source: Source }

async function readCatalog<Source extends RecordSource>(
  parts: FeedParts,
  asked: Asked<Source>,
): Promise<Catalog<RecordSources[Source]>> {
  const { path, member, etag, source } = asked
  let texts: string[] = []
  const begin = (): ((item: string) => boolean) => {
    texts = []
    return (item) => {
      if (texts.push(item) > maxEntries)
        throw new FeedError(`${parts.root}${path} has more than ${maxEntries} entries.`)
      return false
    }
  }
  const answer = await fetchItems(parts, { path, etag, timeoutMs, maxBytes, member, begin })
  if (answer === 'unchanged') return null
  const { entries, skipped } = sorted(await readTexts(source, texts, parts.signal))
  // A catalogue never shrinks to nothing, so an empty one is a page of another kind.
  if (entries.length === 0) throw new FeedError(`${parts.root}${path} has no entries that can be read.`)
  // Entries that are missing from a catalogue are deleted, so a catalogue that has changed its form must not be stored.
  if (skipped.length > entries.length)
    throw new FeedError(`${parts.root}${path} has more entries that cannot be read than others: ${skipped[0]}`)
  return { entries, skipped, etag: answer.etag }
}

/** Entries are read in pieces, because what is read goes back to a thread that has other work. */
const entriesAtOnce = 2_000

async function readTexts<Source extends RecordSource>(
  source: Source,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<ReadRecord<RecordSources[Source]>[]> {
  const reader = openRecordReader(source)
  try {
    const read: ReadRecord<RecordSources[Source]>[] = []
    for (let from = 0; from < texts.length; from += entriesAtOnce)
      read.push(...(await reader.read(texts.slice(from, from + entriesAtOnce), signal)))
    return read
  } finally {
    await reader.close()
  }
}

function sorted<Entry>(read: readonly ReadRecord<Entry>[]): { entries: Entry[]; skipped: string[] } {
  return {
    entries: read.flatMap((one) => (one.type === 'read' ? [one.record] : [])),
    skipped: read.flatMap((one) => {
      if (one.type === 'read') return []
      return [one.type === 'unreadable' ? one.problem : 'An entry is no JSON.']
    }),
  }
}
