/** A bounded number of places for work that goes on at once, and a bounded queue before them. */
export type Places = {
  /** Does the work when there is room; null, without having done it, when too much waits already. */
  take: <Done>(work: () => Promise<Done>) => Promise<Done | null>
}

export function createPlaces({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): Places {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    take: async (work) => {
      if (running >= atOnce) {
        if (waiting.length >= maxWaiting) return null
        await new Promise<void>((resolve) => waiting.push(resolve))
      } else running += 1
      try {
        return await work()
      } finally {
        // The next one takes over the place, or the place is free.
        const next = waiting.shift()
        if (next === undefined) running -= 1
        else next()
      }
    },
  }
}
