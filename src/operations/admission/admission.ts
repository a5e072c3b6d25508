import { fail } from '#core/language/error.ts'
import { createFairPlaces, type FairPlaces, type FairPlacesOptions, type Leave } from './fair-places.ts'
import { createKnownCallers, type KnownCallers } from './known-callers.ts'
import { createLoopWatch, type LoopWatch } from './loop-watch.ts'

/**
 * What is asked of a process, by what must not wait for one another. `long`: operations that wait for others, or
 * change many things in turn, and must not keep a short change waiting. `agents`: what MCP and the endpoints of agents
 * do themselves; what a tool does is a read or a write. `calls`: looking up whose heartbeat is called.
 */
export type Surface = 'reads' | 'writes' | 'long' | 'agents' | 'sign_in' | 'pages' | 'calls'

type Bounds = Pick<FairPlacesOptions, 'atOnce' | 'atOnceEach'>

/**
 * More than these at once make no answer sooner: they share one thread here, and wait for one another in the database
 * (docs/design/operations.md, "How much is worked on at once?").
 */
const usualBounds: Readonly<Record<Surface, Bounds>> = {
  reads: { atOnce: 6, atOnceEach: 5 },
  writes: { atOnce: 4, atOnceEach: 3 },
  long: { atOnce: 32, atOnceEach: 12 },
  agents: { atOnce: 4, atOnceEach: 3 },
  sign_in: { atOnce: 4, atOnceEach: 3 },
  pages: { atOnce: 6, atOnceEach: 5 },
  calls: { atOnce: 12, atOnceEach: 11 },
}
/**
 * About as many as can be answered within the patience, and of one caller what may be asked within a minute. A page that
 * is made for one serves all, and a call is short.
 */
const usualWaiting = { maxWaiting: 1_024, maxWaitingEach: 320 }
const longWaiting = { maxWaiting: 8_192, maxWaitingEach: 2_048 }
const usualPatienceMs = 3_000
/** A body that takes no longer came with its request. */
const momentMs = 100
/** A third of what the schedule of checks may be late. */
const lateMs = 80

export type AdmissionOptions = {
  bounds?: Readonly<Record<Surface, Bounds>>
  patienceMs?: number
  loop?: LoopWatch
  /** Told of each request that found no place in time. */
  onRefused?: (surface: Surface) => void
}

export type Asked = { surface: Surface; caller: string }

export type Place = {
  /** Waits for what the caller still has to send: when that is slow, without the place, and then for another one. */
  awaitCaller: <T>(sending: () => Promise<T>) => Promise<T>
}

export type Count = { running: number; waiting: number }

/** Which requests are worked on now, which wait, and which are refused. */
export type Admission = KnownCallers & {
  /** Does the work at a place of its surface. Throws the 503 of too many requests without having done anything. */
  within: <T>(asked: Asked, work: (place: Place) => Promise<T>) => Promise<T>
  counts: () => Record<Surface, Count>
}

export function createAdmission(options: AdmissionOptions = {}): Admission {
  const { bounds = usualBounds, patienceMs = usualPatienceMs, onRefused } = options
  const { isLate } = options.loop ?? createLoopWatch({ lateMs })
  const open = (surface: Surface, waiting = usualWaiting): FairPlaces => {
    // A call takes little, and one that is refused may never be made again.
    const own = surface === 'calls' ? (): boolean => false : isLate
    return createFairPlaces({ ...bounds[surface], ...waiting, patienceMs, isLate: own })
  }
  const places: Readonly<Record<Surface, FairPlaces>> = {
    reads: open('reads'),
    writes: open('writes'),
    long: open('long'),
    agents: open('agents'),
    sign_in: open('sign_in'),
    pages: open('pages', longWaiting),
    calls: open('calls', longWaiting),
  }
  const enter = async ({ surface, caller }: Asked): Promise<Leave> => {
    const leave = await places[surface].take(caller)
    if (leave !== null) return leave
    onRefused?.(surface)
    throw tooMany()
  }
  return {
    ...createKnownCallers(),
    within: async (asked, work) => {
      let leave = await enter(asked)
      const awaitCaller: Place['awaitCaller'] = async (sending) => {
        const sent = sending()
        if (await endsSoon(sent)) return sent
        leave()
        const value = await sent
        leave = await enter(asked)
        return value
      }
      try {
        return await work({ awaitCaller })
      } finally {
        leave()
      }
    },
    counts: () => ({
      reads: countOf(places.reads),
      writes: countOf(places.writes),
      long: countOf(places.long),
      agents: countOf(places.agents),
      sign_in: countOf(places.sign_in),
      pages: countOf(places.pages),
      calls: countOf(places.calls),
    }),
  }
}

function countOf({ running, waiting }: FairPlaces): Count {
  return { running, waiting }
}

/** Not all at the same time, because who is refused together would come back together. */
const mostSeconds = 3

function tooMany(): Error {
  const retryAfterSeconds = 1 + Math.floor(Math.random() * mostSeconds)
  const message = `More requests came than can be answered now. Try again in ${retryAfterSeconds} s.`
  return fail('unavailable', message, { retryAfterSeconds })
}

/** Whether it ends within a moment, well or not. */
async function endsSoon(work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), momentMs)
  const ended = work.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([ended, late])
  } finally {
    clearTimeout(timer)
  }
}
