import { z } from 'zod'
import { readNvd } from '#advisories/nvd.ts'
import { FeedError, type FeedParts, type FeedStep } from './feed.ts'
import { fetchItems } from './fetch-items.ts'
import { readRecords } from './steps.ts'

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
const maxPageBytes = 256 * 1024 * 1024
const maxPages = 2_000

/** The first form belongs to the first reading, which takes everything page by page; the second to all later ones. */
const cursorSchema = z.union([
  z.object({ next_index: z.int().nonnegative(), begun_at: z.iso.datetime() }),
  z.object({ read_until: z.iso.datetime() }),
])

/** The changes of the NVD since the cursor, or everything. Throws FeedError. */
export async function* readNvdFeed(parts: FeedParts, { cursor, apiKey }: NvdFeed): AsyncGenerator<FeedStep> {
  const asking = { parts, apiKey }
  const at = cursorOf(cursor, parts.now())
  if ('read_until' in at) return yield* readSince(asking, new Date(at.read_until))
  for await (const { total, nextIndex, ...step } of readPages(asking, '', at.next_index)) {
    const isLast = nextIndex >= total
    const next = isLast ? { read_until: at.begun_at } : { ...at, next_index: nextIndex }
    yield { ...step, cursor: JSON.stringify(next) }
  }
}

type Asking = { parts: FeedParts; apiKey: string | null }

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
    for await (const { total: _, nextIndex: __, ...step } of readPages(asking, range, 0)) yield step
    yield { advisories: [], skipped: [], cursor: JSON.stringify({ read_until: new Date(untilMs).toISOString() }) }
    if (untilMs < nowMs) await pause(asking)
    fromMs = untilMs
  }
}

/** The NVD takes times without a zone as UTC. */
function timeOf(ms: number): string {
  return encodeURIComponent(new Date(ms).toISOString().replace(/Z$/, ''))
}

type Page = FeedStep & { total: number; nextIndex: number }

const frameSchema = z.object({ totalResults: z.int().nonnegative() })
const itemSchema = z.object({ cve: z.unknown() }).catch({ cve: null })

async function* readPages(asking: Asking, range: string, firstIndex: number): AsyncGenerator<Page> {
  const { root } = asking.parts
  let index = firstIndex
  for (let page = 0; page < maxPages; page += 1) {
    if (page > 0) await pause(asking)
    const path = `/rest/json/cves/2.0?resultsPerPage=${pageSize}&startIndex=${index}${range}`
    const { step, count, frame } = await readPage(asking, path)
    const total = frameSchema.safeParse(frame).data?.totalResults
    if (total === undefined) throw new FeedError(`${root}${path} does not say how many records there are.`)
    if (count === 0 && index < total) throw new FeedError(`${root}${path} has no records, although there are more.`)
    index += count
    yield { ...step, total, nextIndex: index }
    if (index >= total) return
  }
}

async function readPage(
  { parts, apiKey }: Asking,
  path: string,
): Promise<{ step: FeedStep; count: number; frame: unknown }> {
  const page = { step: readRecords([], readNvd), count: 0 }
  const begin = (): ((item: unknown) => boolean) => {
    Object.assign(page, { step: readRecords([], readNvd), count: 0 })
    return (item) => {
      page.count += 1
      const { advisories, skipped } = readRecords([itemSchema.parse(item).cve], readNvd)
      page.step.advisories.push(...advisories)
      page.step.skipped.push(...skipped)
      return false
    }
  }
  const headers = apiKey === null ? {} : { apiKey }
  const member = 'vulnerabilities'
  const read = await fetchItems(parts, { path, headers, timeoutMs, maxBytes: maxPageBytes, member, begin })
  return { ...page, frame: read === 'unchanged' ? null : read.frame }
}
