import type { EngineBus } from '#bus/bus.ts'
import { announceMs } from '#core/monitors/check.ts'

export type Heard = 'calls' | 'results'

/** Up to when this engine has heard everything, given when it was connected and when it stood still. */
export type HeardUntil = {
  /**
   * Called by each tick. True once after an absence, when every prober has had time to come back: some may have missed
   * assignments.
   */
  look: (nowMs: number) => boolean
  /** Whether a prober that was not heard of is not there. Before that, a round would leave out locations. */
  knowsWhoIsThere: (nowMs: number) => boolean
  /** All calls, or results of checks, that were received before this moment have come here. */
  timeMs: (nowMs: number, what: Heard) => number
  /** To be called after the process stood still: it first has to hear what was said meanwhile. */
  beginAnew: (nowMs: number) => void
}

/** A process that stood still hears every prober again within this time, on any bus. */
const standstillMs = announceMs + 1_000

export function createHeardUntil(bus: Pick<EngineBus, 'isConnected' | 'delays'>, nowMs: number): HeardUntil {
  const { presenceMs, resultMs, callMs } = bus.delays
  let knowsFromMs = nowMs + presenceMs
  let isBack = false
  const knows = (atMs: number): boolean => bus.isConnected() && atMs >= knowsFromMs
  return {
    look: (atMs) => {
      if (!bus.isConnected()) {
        knowsFromMs = atMs + presenceMs
        isBack = true
      }
      if (!isBack || !knows(atMs)) return false
      isBack = false
      return true
    },
    knowsWhoIsThere: knows,
    timeMs: (atMs, what) => (knows(atMs) ? atMs - (what === 'calls' ? callMs : resultMs) : -Infinity),
    beginAnew: (atMs) => {
      knowsFromMs = Math.max(knowsFromMs, atMs + standstillMs)
      isBack = true
    },
  }
}
