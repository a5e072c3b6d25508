/** Work that shares the engine's memory goes through here one piece after the other. */
export type Lane = {
  /** Runs when everything before it is done; rejects with its own error only. */
  run: <T>(work: () => Promise<T>) => Promise<T>
  /** Resolves when all work that was given is done. */
  drained: () => Promise<void>
  readonly isBusy: boolean
}

export function createLane(): Lane {
  let tail: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    get isBusy() {
      return waiting > 0
    },
    run: (work) => {
      waiting += 1
      const done = tail.then(work).finally(() => {
        waiting -= 1
      })
      tail = done.catch(() => {})
      return done
    },
    drained: async () => {
      await tail
    },
  }
}
