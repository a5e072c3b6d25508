import type { Time } from '#time/time.ts'

export type TicksOptions = {
  time: Pick<Time, 'nowMs' | 'steadyMs' | 'after'>
  tick: () => void
  /**
   * When the next tick is wanted, in milliseconds since 1970: in the past where something waits for it, far ahead where
   * nothing is planned.
   */
  wantedMs: () => number
}

export type Ticks = {
  /** To be called after something was planned that a tick may have to do sooner than was known. */
  look: () => void
  end: () => void
}

/** Ticks follow each other no faster, however much is due. */
const tickMs = 50
/** Also where nothing is wanted: the clocks are watched, and probers may have come or gone. */
const longestRestMs = 500
/** A timer may be early by some milliseconds, in which nothing would be due yet. */
const earlyMs = 5

/** Ticks as often as something is due, so that an engine at rest hardly wakes its process. */
export function createTicks({ time, tick, wantedMs }: TicksOptions): Ticks {
  let tickedMs = time.steadyMs()
  let plannedMs = Infinity
  let isTicking = false
  let isEnded = false
  let cancel: (() => void) | null = null

  function run(): void {
    plannedMs = Infinity
    tickedMs = time.steadyMs()
    isTicking = true
    tick()
    isTicking = false
    look()
  }

  function look(): void {
    if (isTicking || isEnded) return
    const nowMs = time.steadyMs()
    const wantedAtMs = nowMs + wantedMs() - time.nowMs() + earlyMs
    const atMs = Math.max(tickedMs + tickMs, Math.min(wantedAtMs, tickedMs + longestRestMs))
    if (atMs >= plannedMs) return
    cancel?.()
    plannedMs = atMs
    cancel = time.after(Math.max(0, atMs - nowMs), run)
  }

  look()
  return {
    look,
    end: () => {
      isEnded = true
      cancel?.()
    },
  }
}
