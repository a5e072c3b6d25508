/** `wait` waits for one piece of work. It rejects with what `onLate` makes once the time is used up; the work goes on. */
export type Patience = {
  wait: <T>(work: Promise<T>) => Promise<T>
  /** Milliseconds that the waits have taken so far. */
  usedMs: () => number
}

/** A clock that never jumps, whatever it counts from, in milliseconds. What `after` returns takes the work back. */
export type PatienceClock = {
  steadyMs: () => number
  after: (ms: number, work: () => void) => () => void
}

export const ownClock: PatienceClock = {
  steadyMs: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

export type PatienceOptions = { limitMs: number; onLate: () => Error; clock: PatienceClock }

/** For work that is done piece by piece: the waits together last no longer than the limit. */
export function createPatience({ limitMs, onLate, clock }: PatienceOptions): Patience {
  let usedMs = 0
  const wait: Patience['wait'] = async (work) => {
    const startedMs = clock.steadyMs()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const cancel = clock.after(Math.max(0, limitMs - usedMs), () => reject(onLate()))
    try {
      return await Promise.race([work, late])
    } finally {
      cancel()
      usedMs += clock.steadyMs() - startedMs
    }
  }
  return { wait, usedMs: () => usedMs }
}
