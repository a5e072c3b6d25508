/**
 * The clocks and timers of a process, as an argument of whatever asks for the time or waits, so that a test can let
 * time pass by itself. A function that is returned ends what was begun.
 */
export type Time = {
  /** Milliseconds since 1970. Engines and APIs of one database agree on them. */
  nowMs: () => number
  /** Milliseconds of a clock that never jumps, whatever it counts from. */
  steadyMs: () => number
  after: (ms: number, work: () => void) => () => void
  every: (ms: number, work: () => void) => () => void
  /** In the next turn of the event loop. */
  soon: (work: () => void) => () => void
  pause: (ms: number) => Promise<void>
}

/** The clocks and timers of this process. */
export const systemTime: Time = {
  nowMs: () => Date.now(),
  steadyMs: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
  every: (ms, work) => {
    const timer = setInterval(work, ms)
    return () => clearInterval(timer)
  },
  soon: (work) => {
    const turn = setImmediate(work)
    return () => clearImmediate(turn)
  },
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
