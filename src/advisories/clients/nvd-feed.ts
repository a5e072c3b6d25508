import { z } from 'zod'
import type { Advisory } from '#core/software/advisory.ts'
import { FeedError, type FeedParts, type FeedStep } from './feed.ts'
import { fetchItems } from './fetch-items.ts'
import { openRecordReader, type RecordReader } from './record-reader.ts'
import { inSteps } from './steps.ts'

export type NvdFeed = {
  cursor: string | null
  /** The operator's key, with which more requests are allowed. */
  apiKey: string | null
}

/** NVD's advice for its API 2.0: the largest page, and a range of at most 120 days. */
const pageSize = 2000
/** The NVD allows 5 requests in 30 seconds and asks for 6 seconds between two; with a key it allows 50. */
const pauseMs = { anonymous: 6_000, known: 1_000 }
const longestRangeMs = 119 * 86_400_000
/** Changes become visible a little after their time. */
const overlapMs = 2 * 3_600_000
const timeoutMs = 300_000
/** A page is held in memory; one of usual records has some 20 MiB. */
const maxPageBytes = 128 * 1024 * 1024
const maxPages = 2_000

/** The first form belongs to the first reading, which takes everything page by page; the second to all later ones. */
const cursorSchema = z.union([
  z.object({ next_index: z.int().nonnegative(), begun_at: z.iso.datetime() }),
  z.object({ read_until: z.iso.datetime() }),
])

/** The changes of the NVD since the cursor, or everything. Throws FeedError. */
export async function* readNvdFeed(parts: FeedParts, { cursor, apiKey }: NvdFeed): AsyncGenerator<FeedStep> {
  const reader = openRecordReader('nvd')
  const asking = { parts, apiKey, reader }
  const at = cursorOf(cursor, parts.now())
  try {
    if ('read_until' in at) return yield* readSince(asking, new Date(at.read_until))
    for await (const { total, nextIndex, texts } of readPages(asking, '', at.next_index)) {
      yield* stepsOf(texts, asking)
      const isLast = nextIndex >= total
      const next = isLast ? { read_until: at.begun_at } : { ...at, next_index: nextIndex }
      yield { advisories: [], skipped: [], cursor: JSON.stringify(next) }
    }
  } finally {
    await reader.close()
  }
}

type Asking = { parts: FeedParts; apiKey: string | null; reader: RecordReader<Advisory> }

function stepsOf(texts: readonly string[], { parts, reader }: Asking): AsyncGenerator<FeedStep> {
  return inSteps(
    texts.map((text) => ({ name: 'A record of the NVD', text })),
    reader,
    parts.signal,
  )
}

function pause({ parts, apiKey }: Asking): Promise<void> {
  return parts.wait(apiKey === null ? pauseMs.anonymous : pauseMs.known, parts.signal)
}

function cursorOf(cursor: string | null, now: Date): z.output<typeof cursorSchema> {
  const first = { next_index: 0, begun_at: now.toISOString() }
  if (cursor === null) return first
  try {
    return cursorSchema.parse(JSON.parse(cursor))
  } catch {
    return first
  }
}

async function* readSince(asking: Asking, since: Date): AsyncGenerator<FeedStep> {
  const nowMs = asking.parts.now().getTime()
  // A cursor in the future comes from a clock that was wrong by an unknown time, so the longest range is read again.
  const sinceMs = since.getTime() > nowMs + overlapMs ? nowMs - longestRangeMs : since.getTime()
  for (let fromMs = sinceMs - overlapMs; fromMs < nowMs;) {
    const untilMs = Math.min(nowMs, fromMs + longestRangeMs)
    const range = `&lastModStartDate=${timeOf(fromMs)}&lastModEndDate=${timeOf(untilMs)}`
    for await (const { texts } of readPages(asking, range, 0)) yield* stepsOf(texts, asking)
    yield { advisories: [], skipped: [], cursor: JSON.stringify({ read_until: new Date(untilMs).toISOString() }) }
    if (untilMs < nowMs) await pause(asking)
    fromMs = untilMs
  }
}

/** The NVD takes times without a zone as UTC. */
function timeOf(ms: number): string {
  return encodeURIComponent(new Date(ms).toISOString().replace(/Z$/, ''))
}

type Page = { texts: readonly string[]; total: number; nextIndex: number }

const frameSchema = z.object({ totalResults: z.int().nonnegative() })

async function* readPages(asking: Asking, range: string, firstIndex: number): AsyncGenerator<Page> {
  const { root } = asking.parts
  let index = firstIndex
  for (let page = 0; page < maxPages; page += 1) {
    if (page > 0) await pause(asking)
    const path = `/rest/json/cves/2.0?resultsPerPage=${pageSize}&startIndex=${index}${range}`
    const { texts, frame } = await readPage(asking, path)
    const total = frameSchema.safeParse(frame).data?.totalResults
    if (total === undefined) throw new FeedError(`${root}${path} does not say how many records there are.`)
    if (texts.length === 0 && index < total)
      throw new FeedError(`${root}${path} has no records, although there are more.`)
    index += texts.length
    yield { texts, total, nextIndex: index }
    if (index >= total) return
  }
}

async function readPage({ parts, apiKey }: Asking, path: string): Promise<{ texts: string[]; frame: unknown }> {
  let texts: string[] = []
  const begin = (): ((item: string) => boolean) => {
    texts = []
    return (item) => {
      if (texts.push(item) > pageSize) throw new FeedError(`${parts.root}${path} has more records than were asked for.`)
      return false
    }
  }
  const headers = apiKey === null ? {} : { apiKey }
  const member = 'vulnerabilities'
  const read = await fetchItems(parts, { path, headers, timeoutMs, maxBytes: maxPageBytes, member, begin })
  return { texts, frame: read === 'unchanged' ? null : read.frame }
}
