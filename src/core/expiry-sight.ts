/**
 * What an engine remembers of the end that a monitor shows; its row in the database says the same. Milliseconds since
 * 1970, `endMs` Infinity where a registry publishes no end.
 */
export type Sight = {
  endMs: number
  /** As the row has it: older than the newest check by at most a day. */
  writtenMs: number
  /** Null while all checks show the same; else when this one, which ends first, was seen last. */
  sharedMs: number | null
}

const hourMs = 3_600_000
/** An unchanged end is written again after so long: less than a day, for monitors that are checked once a day. */
const refreshMs = 20 * hourMs
/** So long, or for so many intervals, an end that comes first is not forgotten while others are seen. */
const patienceMs = hourMs
const patienceIntervals = 4

/**
 * What is remembered after a check, or null when nothing changes, which is nearly always. Locations, and servers
 * behind one name, may show different certificates: the one that ends first counts, at once, until it was not seen
 * for an hour. Where only one is shown, a renewed one counts at once. `isWritten`: the row has to follow.
 */
export function nextSight(
  known: Sight | null,
  seen: { endMs: number; atMs: number; intervalMs: number },
): { sight: Sight; isWritten: boolean } | null {
  const { endMs, atMs, intervalMs } = seen
  if (known === null) return { sight: { endMs, writtenMs: atMs, sharedMs: null }, isWritten: true }
  // Results of an older round come late, and tell of what was before.
  if (atMs < known.writtenMs) return null
  if (endMs === known.endMs) return seenAgain(known, atMs)
  if (endMs < known.endMs) return { sight: { endMs, writtenMs: atMs, sharedMs: atMs }, isWritten: true }
  const patience = Math.max(patienceMs, patienceIntervals * intervalMs)
  if (known.sharedMs !== null && atMs - known.sharedMs < patience) return null
  return { sight: { endMs, writtenMs: atMs, sharedMs: null }, isWritten: true }
}

function seenAgain(known: Sight, atMs: number): { sight: Sight; isWritten: boolean } | null {
  const isWritten = atMs - known.writtenMs >= refreshMs
  if (!isWritten && (known.sharedMs === null || atMs <= known.sharedMs)) return null
  return {
    sight: {
      endMs: known.endMs,
      writtenMs: isWritten ? atMs : known.writtenMs,
      sharedMs: known.sharedMs === null ? null : Math.max(atMs, known.sharedMs),
    },
    isWritten,
  }
}
