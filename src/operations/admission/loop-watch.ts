export type LoopWatchOptions = {
  /** Beyond it the loop is late. */
  lateMs: number
  everyMs?: number
  clock?: () => number
}

/** How a process knows that its timers, of which the schedule of checks is one, come late. */
export type LoopWatch = { isLate: () => boolean }

/** How much of a delay counts still at the next look. */
const fading = 0.7

/** Looks only while it is asked: a service without requests is not woken up. */
export function createLoopWatch({ lateMs, everyMs = 50, clock = now }: LoopWatchOptions): LoopWatch {
  let isLooking = false
  let lagMs = 0
  const look = (): void => {
    isLooking = true
    const dueMs = clock() + everyMs
    setTimeout(() => {
      isLooking = false
      lagMs = Math.max(clock() - dueMs, lagMs * fading)
    }, everyMs).unref()
  }
  return {
    isLate: () => {
      if (!isLooking) look()
      return lagMs > lateMs
    },
  }
}

function now(): number {
  return performance.now()
}
