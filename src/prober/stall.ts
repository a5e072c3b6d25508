/**
 * After longer than this without a turn of the event loop, the timings of a check say something of this process, not of
 * the target (docs/decisions/rounds-and-time.md, "The prober's own trouble").
 */
const stallMs = 250
const periodMs = 50

/** Watches the event loop of this thread. */
export type StallWatch = {
  /** True when the loop stood still at some moment since `startMs` of the same clock. */
  stalledSince: (startMs: number) => boolean
  readonly stalls: number
  stop: () => void
}

export function watchStalls(now: () => number = () => performance.now()): StallWatch {
  let lastTurnMs = now()
  let lastStallEndMs = -Infinity
  let stalls = 0
  const look = (): void => {
    const nowMs = now()
    if (nowMs - lastTurnMs > stallMs + periodMs) {
      lastStallEndMs = nowMs
      stalls += 1
    }
    lastTurnMs = nowMs
  }
  const timer = setInterval(look, periodMs)
  return {
    get stalls() {
      return stalls
    },
    // Looks by itself, because the answer of a socket may be handled before the timer that is overdue.
    stalledSince: (startMs) => {
      look()
      return lastStallEndMs >= startMs
    },
    stop: () => clearInterval(timer),
  }
}
