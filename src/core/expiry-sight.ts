/**
 * The end of a certificate or registration that a monitor shows, as an engine remembers it; the monitor's row says the
 * same. Times are milliseconds since 1970; `endMs` is Infinity where a registry publishes no end.
 */
export type Sight = {
  endMs: number
  /** When the row was written, which is at most a day before the newest check. */
  writtenMs: number
  /**
   * Null while all checks show the same end. Otherwise the last time that a check showed this one, the earliest of
   * several.
   */
  sharedMs: number | null
}

const hourMs = 3_600_000
/** An unchanged end is written again after this time, less than a day, so that a daily check refreshes it. */
const refreshMs = 20 * hourMs
/** The earliest end is kept for at least this long, and for so many intervals, while checks show only later ones. */
const patienceMs = hourMs
const patienceIntervals = 4

/**
 * What the engine remembers after a check, or null when nothing changes, as after nearly every check. Locations, and
 * servers behind one name, may show different certificates: the earliest end counts at once, until no check has shown
 * it for an hour. While all checks show the same certificate, a renewed one counts at once. `isWritten` says that the
 * row has to be written.
 */
export function nextSight(
  known: Sight | null,
  seen: { endMs: number; atMs: number; intervalMs: number },
): { sight: Sight; isWritten: boolean } | null {
  const { endMs, atMs, intervalMs } = seen
  if (known === null) return { sight: { endMs, writtenMs: atMs, sharedMs: null }, isWritten: true }
  // A result of an older round may arrive late; it describes a former state.
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
