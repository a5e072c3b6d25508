import type { Work } from './work-marks.ts'

/** What is not checked for a while, as `asideKeyOf` names it, and what is told of it meanwhile. */
export type Aside = { key: string; forMs: number; reason: string }

const trialsPrefix = 'trials of '
const maxTold = 100

/** A monitor, or all trials of one workspace, of which each has an id of its own. Null for a trial of nobody. */
export function asideKeyOf({ type, monitorId, shareKey }: Omit<Work, 'location'>): string | null {
  if (type === 'check') return monitorId
  return shareKey === undefined ? null : `${trialsPrefix}${shareKey}`
}

/** Kept by the process for all its threads. */
export type AsideBook = {
  /** Sets it aside, each time for twice as long, up to a bound. `why` is one of `endedReasons`. */
  put: (key: string, aside: { at: Date; why: string }) => Aside
  /** Those that are set aside now. */
  list: () => Aside[]
}

const firstMs = 15 * 60_000
const longestMs = 4 * 3_600_000
/** Each costs its thread seconds, so there are never many. */
const maxKnown = 1_000

/** `now` is a clock that never goes back. `former` was set aside by a book that is lost. */
export function createAsideBook(now: () => number, former: readonly Aside[] = []): AsideBook {
  const known = new Map<string, { untilMs: number; lastMs: number; reason: string }>()
  for (const { key, forMs, reason } of former)
    known.set(key, { untilMs: now() + forMs, lastMs: Math.max(forMs, firstMs), reason })
  return {
    put: (key, { at, why }) => {
      const earlier = known.get(key)
      const isAgain = earlier !== undefined && now() - earlier.untilMs < longestMs
      const forMs = isAgain ? Math.min(earlier.lastMs * 2, longestMs) : firstMs
      const reason = asideReason(why, new Date(at.getTime() + forMs))
      known.delete(key)
      const [oldest] = known.keys()
      if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
      known.set(key, { untilMs: now() + forMs, lastMs: forMs, reason })
      return { key, forMs, reason }
    },
    list: () =>
      Array.from(known, ([key, { untilMs, reason }]) => ({ key, forMs: untilMs - now(), reason })).filter(
        ({ forMs }) => forMs > 0,
      ),
  }
}

/** What the thread knows of them. */
export type Asides = {
  add: (aside: Aside) => void
  /** Null for what may be checked. */
  reasonFor: (work: Omit<Work, 'location'>) => string | null
  /** Ids of monitors that are set aside now, at most a hundred. */
  monitors: () => string[]
}

export function createAsides(list: readonly Aside[], now: () => number): Asides {
  const known = new Map<string, { untilMs: number; reason: string }>()
  const add = ({ key, forMs, reason }: Aside): void => {
    const [oldest] = known.keys()
    if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
    known.set(key, { untilMs: now() + forMs, reason })
  }
  for (const aside of list) add(aside)
  return {
    add,
    reasonFor: (work) => {
      const key = asideKeyOf(work)
      const aside = key === null ? undefined : known.get(key)
      if (key === null || aside === undefined) return null
      if (now() < aside.untilMs) return aside.reason
      known.delete(key)
      return null
    },
    monitors: () => {
      const keys = known.size === 0 ? [] : Array.from(known, ([key, { untilMs }]) => (now() < untilMs ? key : ''))
      return keys.filter((key) => key !== '' && !key.startsWith(trialsPrefix)).slice(0, maxTold)
    },
  }
}

/** The same in each result of the time, so that they are one story. */
function asideReason(why: string, until: Date): string {
  const [day = '', time = ''] = until.toISOString().split('T')
  return `${why} This location checks again after ${day} ${time.slice(0, 5)} UTC.`
}

/** What the trial is told, and the beginning of what the monitor is. */
export const endedReasons = {
  processor:
    'The check was ended: working on what the target sent took more than 4 s of the processor of this location.',
  memory: 'The check was ended: this location ran out of memory while it worked on what the target sent.',
}
