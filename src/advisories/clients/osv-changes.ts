import { isRecordId } from '#advisories/record-text.ts'
import { FeedError, type FeedParts } from './feed.ts'
import { fetchFeed } from './feed-http.ts'

export type Change = { id: string; /** ISO 8601. */ at: string }

/** `isCut` says that there are more changes than are read one by one. */
export type Changes = { /** The newest first. */ changes: Change[]; isCut: boolean }

/** The list has the time that a change has at its source, and OSV may hear of the change much later. */
const lookBackMs = 3 * 86_400_000
const maxListed = 300_000
const timeoutMs = 600_000
const maxListBytes = 512 * 1024 * 1024
const lineEnd = Buffer.from('\n')

/**
 * The changes of an OSV ecosystem as far back as they matter; only the newest one where everything is read anyway.
 * Throws FeedError.
 */
export async function readChanges(
  parts: FeedParts,
  { ecosystem, cursor }: { ecosystem: string; cursor: string | null },
): Promise<Changes> {
  const path = `/${encodeURIComponent(ecosystem)}/modified_id.csv`
  let list = createList(cursor)
  const taker = (): List['write'] => {
    list = createList(cursor)
    return list.write
  }
  const answer = await fetchFeed(parts, { path, timeoutMs, maxBytes: maxListBytes, taker })
  if (answer === 'missing' || answer === 'unchanged') throw new FeedError(`${parts.root}${path} is not there.`)
  list.write(lineEnd)
  // An ecosystem without records has an empty list; any other text is a page of another kind.
  if (list.isForeign()) throw new FeedError(`${parts.root}${path} is no list of changes.`)
  return list
}

type List = Changes & {
  /** Returns true for enough. */
  write: (piece: Uint8Array) => boolean
  /** Whether text came in which no line names a change. */
  isForeign: () => boolean
}

function createList(cursor: string | null): List {
  const untilMs = cursor === null ? null : Date.parse(cursor) - lookBackMs
  const lines = createLines()
  let hasText = false
  let isList = false
  let isEnough = false
  const list: List = {
    changes: [],
    isCut: false,
    isForeign: () => hasText && !isList,
    write: (piece) => {
      if (isEnough) return true
      for (const line of lines(piece)) {
        hasText ||= line !== ''
        const change = readLine(line)
        if (change === null) continue
        isList = true
        list.isCut = list.changes.length === maxListed
        isEnough = list.isCut || (untilMs !== null && Date.parse(change.at) < untilMs)
        if (!isEnough) list.changes.push(change)
        isEnough ||= untilMs === null
        if (isEnough) return true
      }
      return false
    },
  }
  return list
}

function createLines(): (piece: Uint8Array) => string[] {
  const decoder = new TextDecoder()
  let rest = ''
  return (piece) => {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    // No valid line is as long.
    rest = (lines.pop() ?? '').slice(0, 1000)
    return lines
  }
}

/** Reads a line such as `2026-11-20T10:00:00.123456Z,GHSA-…`; null for any other. */
function readLine(line: string): Change | null {
  const [at = '', id = ''] = line.trim().split(',')
  return Number.isNaN(Date.parse(at)) || !isRecordId.test(id) ? null : { id, at }
}
