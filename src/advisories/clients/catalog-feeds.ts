import type { ExploitedVulnerability, ProductCycles } from '#core/software/advisory.ts'
import { AdvisoryError } from '#advisories/advisory-error.ts'
import { readProductCycles } from '#advisories/endoflife.ts'
import { readExploited } from '#advisories/exploited.ts'
import { FeedError, type FeedParts } from './feed.ts'
import { fetchItems } from './fetch-items.ts'

/** A catalogue that is read as a whole; null when it has not changed. */
export type Catalog<Entry> = { entries: Entry[]; skipped: string[]; etag: string | null } | null

/** CISA's catalogue of exploited vulnerabilities. Throws FeedError. */
export function readExploitedFeed(parts: FeedParts, etag: string | null): Promise<Catalog<ExploitedVulnerability>> {
  const path = '/sites/default/files/feeds/known_exploited_vulnerabilities.json'
  return readCatalog(parts, { path, member: 'vulnerabilities', etag, read: readExploited })
}

/** The catalogue of endoflife.date. Throws FeedError. */
export function readEndOfLifeFeed(parts: FeedParts, etag: string | null): Promise<Catalog<ProductCycles>> {
  return readCatalog(parts, { path: '/api/v1/products/full', member: 'result', etag, read: readProductCycles })
}

const timeoutMs = 300_000
const maxBytes = 64 * 1024 * 1024
const maxEntries = 100_000

type Asked<Entry> = { path: string; member: string; etag: string | null; read: (entry: unknown) => Entry }

async function readCatalog<Entry>(parts: FeedParts, asked: Asked<Entry>): Promise<Catalog<Entry>> {
  const { path, member, etag, read } = asked
  const catalog: { entries: Entry[]; skipped: string[] } = { entries: [], skipped: [] }
  const begin = (): ((item: unknown) => boolean) => {
    Object.assign(catalog, { entries: [], skipped: [] })
    return (item) => {
      if (catalog.entries.length >= maxEntries)
        throw new FeedError(`${parts.root}${path} has more than ${maxEntries} entries.`)
      try {
        catalog.entries.push(read(item))
      } catch (error) {
        if (!(error instanceof AdvisoryError)) throw error
        catalog.skipped.push(error.message)
      }
      return false
    }
  }
  const answer = await fetchItems(parts, { path, etag, timeoutMs, maxBytes, member, begin })
  if (answer === 'unchanged') return null
  // A catalogue never shrinks to nothing, so an empty one is a page of another kind.
  if (catalog.entries.length === 0) throw new FeedError(`${parts.root}${path} has no entries that can be read.`)
  // Entries that are missing from a catalogue are deleted, so a catalogue that has changed its form must not be stored.
  if (catalog.skipped.length > catalog.entries.length)
    throw new FeedError(`${parts.root}${path} has more entries that cannot be read than others: ${catalog.skipped[0]}`)
  return { ...catalog, etag: answer.etag }
}
