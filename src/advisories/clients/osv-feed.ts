import { setImmediate as afterOthers } from 'node:timers/promises'
import type { Advisory } from '#core/software/advisory.ts'
import type { osvEcosystems } from '#core/software/feed-sources.ts'
import { readDump } from './dump.ts'
import { type FeedParts, type FeedStep, notAhead } from './feed.ts'
import { type Change, readChanges } from './osv-changes.ts'
import { openRecordReader, type RecordReader } from './record-reader.ts'
import { fetchRecords } from './single-records.ts'
import { inSteps } from './steps.ts'

export type OsvFeed = {
  ecosystem: (typeof osvEcosystems)[number]
  /** The time of the newest change that was read, ISO 8601; null before the first reading. */
  cursor: string | null
  /** Returns when the stored records with these ids were modified. */
  readKnown: (ids: readonly string[]) => Promise<ReadonlyMap<string, Date | null>>
  /**
   * The last change that was read of each id, also of records that are not stored; the caller keeps it for the next
   * reading.
   */
  seen: SeenChanges
}

export type SeenChanges = { byId: ReadonlyMap<string, Seen> }

/** `stale` counts how often the server gave an older record than its list names, as caches do. */
export type Seen = { at: string; stale: number }

/** For more changes than this, the archive of all records is read. */
const maxSingle = 2_000
/** Public files are cached for an hour, and the list is read every ten minutes. */
const maxStale = 6
const recordsAtOnce = 100
/** A list may have hundreds of thousands of changes: after so many, others have the thread. */
const changesAtOnce = 5_000

/**
 * The changes of one OSV ecosystem since the cursor, or all its records (google.github.io/osv.dev/data). Throws
 * FeedError.
 */
export async function* readOsvFeed(parts: FeedParts, known: OsvFeed): AsyncGenerator<FeedStep> {
  const cursor = known.cursor === null ? null : notAhead(known.cursor, parts.now())
  const feed = { ...known, cursor }
  const { changes, isCut } = await readChanges(parts, feed)
  const newest = changes[0] === undefined ? cursor : notAhead(changes[0].at, parts.now())
  const fresh = cursor === null ? [] : await withoutKnown(changes, feed)
  const waiting = await timesOf(fresh)
  const reader = openRecordReader('osv')
  const reading = { parts, reader, feed, newest }
  const steps =
    cursor === null || isCut || fresh.length > maxSingle ? readAll(reading) : readSingle(reading, fresh.toReversed())
  try {
    for await (const step of steps) {
      for (const { id, modifiedAt } of step.advisories)
        if ((modifiedAt?.getTime() ?? 0) >= (waiting.get(id) ?? Infinity)) waiting.delete(id)
      yield step
    }
  } finally {
    await reader.close()
  }
  known.seen.byId = await seenAfter(known.seen, { changes, fresh, waiting })
}

async function* inTurns(changes: readonly Change[]): AsyncGenerator<readonly Change[]> {
  for (let from = 0; from < changes.length; from += changesAtOnce) {
    yield changes.slice(from, from + changesAtOnce)
    await afterOthers()
  }
}

/** When each was changed, in milliseconds. */
async function timesOf(changes: readonly Change[]): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for await (const some of inTurns(changes)) for (const { id, at } of some) times.set(id, Math.trunc(Date.parse(at)))
  return times
}

/** `newest` is the cursor when everything is read. */
type Reading = { parts: FeedParts; reader: RecordReader<Advisory>; feed: OsvFeed; newest: string | null }

async function* readAll({ parts, reader, feed, newest }: Reading): AsyncGenerator<FeedStep> {
  const path = `/${encodeURIComponent(feed.ecosystem)}/all.zip`
  yield* inSteps(readDump(parts, { path, fits: /^[^/]+\.json$/ }), reader, parts.signal)
  yield { advisories: [], skipped: [], cursor: newest }
}

/** `waiting` has the fresh changes for which no record came. */
type Read = { changes: readonly Change[]; fresh: readonly Change[]; waiting: ReadonlyMap<string, number> }

async function seenAfter({ byId: before }: SeenChanges, read: Read): Promise<Map<string, Seen>> {
  const { changes, fresh, waiting } = read
  const asked = new Set<string>()
  for await (const some of inTurns(fresh)) for (const { id } of some) asked.add(id)
  const seen = new Map<string, Seen>()
  for await (const some of inTurns(changes))
    for (const { id, at } of some) {
      const earlier = before.get(id)
      const stale = earlier?.at === at ? earlier.stale : 0
      seen.set(id, { at, stale: waiting.has(id) ? stale + 1 : asked.has(id) ? 0 : stale })
    }
  return seen
}

async function withoutKnown(changes: readonly Change[], { readKnown, seen }: OsvFeed): Promise<Change[]> {
  const isUnseen = ({ id, at }: Change): boolean => {
    const { at: seenAt, stale } = seen.byId.get(id) ?? { at: null, stale: 0 }
    return seenAt !== at || (stale > 0 && stale < maxStale)
  }
  const unseen: Change[] = []
  for await (const some of inTurns(changes)) unseen.push(...some.filter(isUnseen))
  const fresh: Change[] = []
  for (let from = 0; from < unseen.length; from += 1000) {
    const some = unseen.slice(from, from + 1000)
    const known = await readKnown(some.map(({ id }) => id))
    fresh.push(...some.filter(({ id, at }) => known.get(id)?.getTime() !== Math.trunc(Date.parse(at))))
  }
  return fresh
}

/** The oldest first, so that a reading that breaks off has come as far as its cursor says. */
async function* readSingle(reading: Reading, fresh: readonly Change[]): AsyncGenerator<FeedStep> {
  const { parts, reader, newest } = reading
  const { ecosystem, cursor } = reading.feed
  for (let from = 0; from < fresh.length; from += recordsAtOnce) {
    const some = fresh.slice(from, from + recordsAtOnce)
    const paths = some.map(({ id }) => `/${encodeURIComponent(ecosystem)}/${encodeURIComponent(id)}.json`)
    const fetched = await fetchRecords(parts, paths)
    const there = fetched.flatMap(({ path, text }) => (text === null ? [] : [{ name: path, text }]))
    yield* inSteps(there, reader, parts.signal)
    const gone = some.filter((_, index) => fetched[index]?.text === null)
    const last = notAhead(some.at(-1)?.at ?? '', parts.now())
    yield {
      advisories: gone.map(({ id, at }) => removed(id, at)),
      skipped: [],
      cursor: cursor !== null && Date.parse(last) > Date.parse(cursor) ? last : null,
    }
  }
  yield { advisories: [], skipped: [], cursor: newest }
}

/** A record that the list names and the server no longer has counts as withdrawn. */
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
