/** Waits for one piece of work. Rejects with what `onLate` makes once the time is used up; the work itself goes on. */
export type Patience = <T>(work: Promise<T>) => Promise<T>

/** For work that is done piece by piece: the waits together last no longer than this. */
export function createPatience(limitMs: number, onLate: () => Error): Patience {
  let leftMs = limitMs
  return async (work) => {
    const startedMs = performance.now()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(onLate()), Math.max(0, leftMs))
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
      leftMs -= performance.now() - startedMs
    }
  }
}
