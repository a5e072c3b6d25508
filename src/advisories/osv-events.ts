import type { AffectedRange } from '#core/software/advisory.ts'
import { type VersionScheme, versionOrder } from './version-order.ts'

/** One event of an OSV range; it has one of the four members. */
export type OsvEvent = {
  readonly introduced?: string | undefined
  readonly fixed?: string | undefined
  readonly last_affected?: string | undefined
  readonly limit?: string | undefined
}

/**
 * The ranges of an OSV range's events (OSV schema, "Evaluation"): each `introduced` opens a range, which ends at the
 * next `fixed`, `last_affected` or `limit`; a limit counts as fixed. Events need no order where all their versions can
 * be read; otherwise they are taken as written.
 */
export function rangesOfEvents(events: readonly OsvEvent[], scheme: VersionScheme): AffectedRange[] {
  const beginnings = events.map((event) => event.introduced).filter((version) => version !== undefined)
  const ends = events.map(endOf).filter((end) => end !== undefined)
  const read = readEvents(beginnings, ends, scheme)
  if (read === null) return rangesAsWritten(events)
  if (beginnings.length === 0) return read.ends.slice(0, 1).map(({ end }) => range(null, end))
  return read.beginnings.flatMap(({ version, key }) => {
    const following = endBehind(read.ends, key)
    const isEmpty = following === undefined && read.ends.at(-1)?.key === key
    return isEmpty ? [] : [range(version, following?.end)]
  })
}

/** The first end, in order, that lies behind a beginning, or equals it and belongs to the range. */
function endBehind(ends: readonly ReadEnd[], key: string): ReadEnd | undefined {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const found = ends[middle]
    if (found !== undefined && (found.end.isIncluded ? found.key >= key : found.key > key)) high = middle
    else low = middle + 1
  }
  return ends[low]
}

type End = { readonly version: string; readonly isIncluded: boolean }

function endOf({ fixed, last_affected: lastAffected, limit }: OsvEvent): End | undefined {
  const excluded = fixed ?? (limit === '*' ? undefined : limit)
  if (excluded !== undefined) return { version: excluded, isIncluded: false }
  return lastAffected === undefined ? undefined : { version: lastAffected, isIncluded: true }
}

type ReadEnd = { readonly end: End; readonly key: string }
type ReadEvents = { beginnings: { version: string; key: string }[]; ends: ReadEnd[] }

/**
 * Sorts the ends upwards, at the same version those outside of the range first. Null where one of the versions cannot
 * be read.
 */
function readEvents(beginnings: readonly string[], ends: readonly End[], scheme: VersionScheme): ReadEvents | null {
  const { parse } = versionOrder(scheme)
  const read: ReadEvents = { beginnings: [], ends: [] }
  for (const version of beginnings) {
    const key = version === '0' ? '' : parse(version)?.key
    if (key === undefined) return null
    read.beginnings.push({ version, key })
  }
  for (const end of ends) {
    const key = parse(end.version)?.key
    if (key === undefined) return null
    read.ends.push({ end, key })
  }
  read.ends.sort(byKey)
  return read
}

function byKey(one: ReadEnd, other: ReadEnd): number {
  if (one.key === other.key) return Number(one.end.isIncluded) - Number(other.end.isIncluded)
  return one.key < other.key ? -1 : 1
}

function rangesAsWritten(events: readonly OsvEvent[]): AffectedRange[] {
  const ranges: AffectedRange[] = []
  let introduced: string | undefined
  for (const event of events) {
    const end = endOf(event)
    if (event.introduced !== undefined) introduced ??= event.introduced
    else if (introduced !== undefined && end !== undefined) {
      ranges.push(range(introduced, end))
      introduced = undefined
    }
  }
  return introduced === undefined ? ranges : [...ranges, range(introduced, undefined)]
}

function range(introduced: string | null, end: End | undefined): AffectedRange {
  return {
    introduced: introduced === '0' ? null : introduced,
    isIntroducedIncluded: true,
    fixed: end?.isIncluded === false ? end.version : null,
    lastAffected: end?.isIncluded === true ? end.version : null,
  }
}
