/** `wait` waits for one piece of work. It rejects with what `onLate` makes once the time is used up; the work goes on. */
export type Patience = {
  wait: <T>(work: Promise<T>) => Promise<T>
  /** Milliseconds that the waits have taken so far. */
  usedMs: () => number
}

/** For work that is done piece by piece: the waits together last no longer than this. */
export function createPatience(limitMs: number, onLate: () => Error): Patience {
  let usedMs = 0
  const wait: Patience['wait'] = async (work) => {
    const startedMs = performance.now()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(onLate()), Math.max(0, limitMs - usedMs))
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
      usedMs += performance.now() - startedMs
    }
  }
  return { wait, usedMs: () => usedMs }
}
