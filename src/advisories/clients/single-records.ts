import { FeedError, type FeedParts } from './feed.ts'
import { fetchFeed, keepBody } from './feed-http.ts'

/** Number of requests at a time. */
const fetchesAtOnce = 8
const timeoutMs = 60_000
const maxBytes = 8 * 1024 * 1024

export type Fetched = {
  path: string
  /** Null where the record does not exist any more. */ text: string | null
}

/** Fetches records with addresses of their own and returns them in the order of the paths. Throws FeedError. */
export async function fetchRecords(parts: FeedParts, paths: readonly string[]): Promise<Fetched[]> {
  const fetched: Fetched[] = []
  const waiting = paths.entries()
  const worker = async (): Promise<void> => {
    for (const [index, path] of waiting) fetched[index] = { path, text: await fetchRecord(parts, path) }
  }
  await Promise.all(Array.from({ length: Math.min(fetchesAtOnce, paths.length) }, worker))
  return fetched
}

async function fetchRecord(parts: FeedParts, path: string): Promise<string | null> {
  const body = keepBody()
  const answer = await fetchFeed(parts, { path, timeoutMs, maxBytes, taker: body.taker })
  if (answer === 'missing') return null
  if (answer === 'unchanged') throw new FeedError(`${parts.root}${path} answered 304 without being asked.`)
  return body.text()
}
