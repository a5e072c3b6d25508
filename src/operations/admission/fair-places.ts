import { createOwnerQueue } from '#threads/owner-queue.ts'

export type FairPlacesOptions = {
  atOnce: number
  /** Of one caller. Less than `atOnce`, so that the first request of another caller finds a place. */
  atOnceEach: number
  maxWaiting: number
  maxWaitingEach: number
  patienceMs: number
  /** Whether half of the places have to do for now. */
  isLate: () => boolean
}

/** A bounded number of places, and a bounded queue before them in which callers take turns. */
export type FairPlaces = {
  /** How a place is given back, once there is one; null where there is none in time, or too much waits already. */
  take: (caller: string) => Promise<Leave | null>
  readonly running: number
  readonly waiting: number
}

/** Doing it again changes nothing. */
export type Leave = () => void

export function createFairPlaces(options: FairPlacesOptions): FairPlaces {
  const { atOnce, atOnceEach, maxWaiting, maxWaitingEach, patienceMs, isLate } = options
  const queue = createOwnerQueue<(leave: Leave | null) => void>({ maxEach: maxWaitingEach, max: maxWaiting })
  const held = new Map<string, number>()
  let running = 0
  let waiting = 0

  const hasRoom = (): boolean => running < (isLate() ? Math.ceil(atOnce / 2) : atOnce)
  const mayServe = (caller: string): boolean => (held.get(caller) ?? 0) < atOnceEach

  function occupy(caller: string): Leave {
    running += 1
    held.set(caller, (held.get(caller) ?? 0) + 1)
    let isLeft = false
    return () => {
      if (isLeft) return
      isLeft = true
      running -= 1
      const others = (held.get(caller) ?? 0) - 1
      if (others > 0) held.set(caller, others)
      else held.delete(caller)
      callNext()
    }
  }

  function callNext(): void {
    while (hasRoom()) {
      const next = queue.take(mayServe)
      if (next === null) return
      next.item(occupy(next.owner))
    }
  }

  async function wait(caller: string): Promise<Leave | null> {
    const { promise, resolve } = Promise.withResolvers<Leave | null>()
    if (!queue.push(caller, resolve)) return null
    waiting += 1
    const timer = setTimeout(() => {
      if (queue.remove(caller, resolve)) resolve(null)
    }, patienceMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      waiting -= 1
    }
  }

  return {
    take: async (caller) => {
      // There may be more places than when the last one was given back.
      callNext()
      return hasRoom() && mayServe(caller) ? occupy(caller) : wait(caller)
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
  }
}
