/** A monitor that is not checked for a while, and what its results say meanwhile. */
export type Aside = { monitorId: string; forMs: number; reason: string }

/** Kept by the process for all its threads. */
export type AsideBook = {
  /** Sets a monitor aside, each time for twice as long, up to a bound. */
  put: (monitorId: string, at: Date) => Aside
  /** Those that are set aside now. */
  list: () => Aside[]
}

const firstMs = 15 * 60_000
const longestMs = 4 * 3_600_000
/** Each costs its thread seconds, so there are never many. */
const maxKnown = 1_000

/** `now` is a clock that never goes back. */
export function createAsideBook(now: () => number): AsideBook {
  const known = new Map<string, { untilMs: number; lastMs: number; reason: string }>()
  return {
    put: (monitorId, at) => {
      const earlier = known.get(monitorId)
      const isAgain = earlier !== undefined && now() - earlier.untilMs < longestMs
      const forMs = isAgain ? Math.min(earlier.lastMs * 2, longestMs) : firstMs
      const reason = asideReason(new Date(at.getTime() + forMs))
      known.delete(monitorId)
      const [oldest] = known.keys()
      if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
      known.set(monitorId, { untilMs: now() + forMs, lastMs: forMs, reason })
      return { monitorId, forMs, reason }
    },
    list: () =>
      Array.from(known, ([monitorId, { untilMs, reason }]) => ({ monitorId, forMs: untilMs - now(), reason })).filter(
        ({ forMs }) => forMs > 0,
      ),
  }
}

/** What the thread knows of them. */
export type Asides = {
  add: (aside: Aside) => void
  /** Null for a monitor that may be checked. */
  reasonFor: (monitorId: string) => string | null
}

export function createAsides(list: readonly Aside[], now: () => number): Asides {
  const known = new Map<string, { untilMs: number; reason: string }>()
  const add = ({ monitorId, forMs, reason }: Aside): void => {
    const [oldest] = known.keys()
    if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
    known.set(monitorId, { untilMs: now() + forMs, reason })
  }
  for (const aside of list) add(aside)
  return {
    add,
    reasonFor: (monitorId) => {
      const aside = known.get(monitorId)
      if (aside === undefined) return null
      if (now() < aside.untilMs) return aside.reason
      known.delete(monitorId)
      return null
    },
  }
}

/** The same in each result of the time, so that they are one story. */
function asideReason(until: Date): string {
  const [day = '', time = ''] = until.toISOString().split('T')
  return `${endedReason} This location checks again after ${day} ${time.slice(0, 5)} UTC.`
}

/** What the trial is told, and the beginning of what the monitor is. */
export const endedReason =
  'The check was ended: working on what the target sent took more than 4 s of the processor of this location.'
