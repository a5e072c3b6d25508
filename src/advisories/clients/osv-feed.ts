import type { Advisory } from '#core/advisory.ts'
import { readOsv, type osvEcosystems } from '#advisories/osv.ts'
import { isRecordId } from '#advisories/record-text.ts'
import { readDump } from './dump.ts'
import { FeedError, type FeedParts, type FeedStep } from './feed.ts'
import { fetchFeed } from './feed-http.ts'
import { fetchRecords } from './single-records.ts'
import { inSteps, readRecords } from './steps.ts'

export type OsvFeed = {
  ecosystem: (typeof osvEcosystems)[number]
  /** The newest change that was read, ISO 8601; null where nothing was. */
  cursor: string | null
  /** When the records that are known were modified. */
  readKnown: (ids: readonly string[]) => Promise<ReadonlyMap<string, Date | null>>
  /** By id the change that was read last, of records that are kept and that are not; the caller holds it for the next reading. */
  seen: Map<string, string>
}

/** The list names changes by the time of their source, and OSV may get to know of them a good while later. */
const lookBackMs = 3 * 86_400_000
/** More are read from the archive of all. */
const maxSingle = 2_000
const recordsAtOnce = 100
const timeoutMs = 600_000
const maxListBytes = 512 * 1024 * 1024

/** What changed in one ecosystem of OSV since the cursor, or all of it (google.github.io/osv.dev/data). Throws FeedError. */
export async function* readOsvFeed(parts: FeedParts, feed: OsvFeed): AsyncGenerator<FeedStep> {
  const { ecosystem, cursor } = feed
  const changes = await readChanges(parts, feed)
  const newest = changes[0]?.at ?? cursor
  const fresh = cursor === null ? [] : await withoutKnown(changes, feed)
  if (cursor === null || fresh.length > maxSingle) {
    const path = `/${encodeURIComponent(ecosystem)}/all.zip`
    yield* inSteps(readDump(parts, { path, fits: /^[^/]+\.json$/ }), readOsv)
    yield { advisories: [], skipped: [], cursor: newest }
  } else yield* readSingle(parts, feed, { fresh: fresh.toReversed(), newest })
  feed.seen.clear()
  for (const { id, at } of changes) feed.seen.set(id, at)
}

type Change = { id: string; /** ISO 8601. */ at: string }

/** The newest first, as far back as counts; the newest alone where all is read anyway. */
async function readChanges(parts: FeedParts, { ecosystem, cursor }: OsvFeed): Promise<Change[]> {
  const path = `/${encodeURIComponent(ecosystem)}/modified_id.csv`
  const untilMs = cursor === null ? null : Date.parse(cursor) - lookBackMs
  let changes: Change[] = []
  const taker = (): ((piece: Uint8Array) => boolean) => {
    changes = []
    const lines = createLines()
    return (piece) => {
      for (const line of lines(piece)) {
        const change = readLine(line)
        if (change === null) continue
        if (untilMs !== null && Date.parse(change.at) < untilMs) return true
        changes.push(change)
        if (untilMs === null) return true
      }
      return false
    }
  }
  const answer = await fetchFeed(parts, { path, timeoutMs, maxBytes: maxListBytes, taker })
  if (answer === 'missing' || answer === 'unchanged') throw new FeedError(`${parts.root}${path} is not there.`)
  return changes
}

function createLines(): (piece: Uint8Array) => string[] {
  const decoder = new TextDecoder()
  let rest = ''
  return (piece) => {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    // No line is as long.
    rest = (lines.pop() ?? '').slice(0, 1000)
    return lines
  }
}

/** `2026-11-20T10:00:00.123456Z,GHSA-…`; null for what is none. */
function readLine(line: string): Change | null {
  const [at = '', id = ''] = line.trim().split(',')
  return Number.isNaN(Date.parse(at)) || !isRecordId.test(id) ? null : { id, at }
}

async function withoutKnown(changes: readonly Change[], { readKnown, seen }: OsvFeed): Promise<Change[]> {
  const unseen = changes.filter(({ id, at }) => seen.get(id) !== at)
  const fresh: Change[] = []
  for (let from = 0; from < unseen.length; from += 1000) {
    const some = unseen.slice(from, from + 1000)
    const known = await readKnown(some.map(({ id }) => id))
    fresh.push(...some.filter(({ id, at }) => known.get(id)?.getTime() !== Math.trunc(Date.parse(at))))
  }
  return fresh
}

/** The oldest first, so that a reading that breaks off has come as far as its cursor says. */
async function* readSingle(
  parts: FeedParts,
  { ecosystem, cursor }: OsvFeed,
  { fresh, newest }: { fresh: readonly Change[]; newest: string | null },
): AsyncGenerator<FeedStep> {
  for (let from = 0; from < fresh.length; from += recordsAtOnce) {
    const some = fresh.slice(from, from + recordsAtOnce)
    const paths = some.map(({ id }) => `/${encodeURIComponent(ecosystem)}/${encodeURIComponent(id)}.json`)
    const fetched = await fetchRecords(parts, paths)
    const last = some.at(-1)?.at
    const step = readRecords(
      fetched.flatMap(({ record }) => (record === undefined ? [] : [record])),
      readOsv,
      last !== undefined && cursor !== null && Date.parse(last) > Date.parse(cursor) ? last : null,
    )
    const gone = some.filter((_, index) => fetched[index]?.record === undefined)
    yield { ...step, advisories: [...step.advisories, ...gone.map(({ id, at }) => removed(id, at))] }
  }
  yield { advisories: [], skipped: [], cursor: newest }
}

/** What the list names and nobody has any more is as good as withdrawn. */
function removed(id: string, at: string): Advisory {
  return {
    source: 'osv',
    id,
    aliases: [],
    publishedAt: null,
    modifiedAt: new Date(at),
    withdrawnAt: new Date(at),
    summary: null,
    severity: null,
    score: null,
    url: null,
    affected: [],
  }
}
