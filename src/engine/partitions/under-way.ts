/** Work that goes on after the call that began it has returned. */
export type UnderWay = {
  add: (work: Promise<void>) => void
  /** Resolves when all that was added until now has ended; rejects when any of it has failed. */
  ended: () => Promise<void>
}

export function createUnderWay(): UnderWay {
  const running = new Set<Promise<void>>()
  return {
    add: (work) => {
      running.add(work)
      void work.finally(() => running.delete(work))
    },
    ended: async () => {
      await Promise.all(running)
    },
  }
}
