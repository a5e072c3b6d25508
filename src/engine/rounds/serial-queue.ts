/** Work that shares the engine's memory goes through here one piece after the other. */
export type SerialQueue = {
  /** Runs when everything before it is done; rejects with its own error only. */
  run: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves when all work that was given is done. */
  drained: () => Promise<void>
}

export function createSerialQueue(): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve()
  return {
    run: (work) => {
      const done = tail.then(work)
      tail = done.catch(() => {})
      return done
    },
    drained: async () => {
      await tail
    },
  }
}
