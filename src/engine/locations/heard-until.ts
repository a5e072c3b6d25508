import type { EngineBus } from '#bus/bus.ts'

export type Heard = 'calls' | 'results'

/** What this engine can have heard, given when it was connected and when it stood still. */
export type HeardUntil = {
  /** Called by each tick. True when everybody has had time to come back after an absence: some may have missed things. */
  look: (nowMs: number) => boolean
  /** Whether whoever is not heard of is not there: before that, a round would take some locations for all. */
  knowsWhoIsThere: (nowMs: number) => boolean
  /** What was received before this moment, calls or results of checks, has come. */
  timeMs: (nowMs: number, what: Heard) => number
  /** After this process stood still it has to hear first what was said meanwhile. */
  beginAnew: (nowMs: number) => void
}

/** Whoever stood still hears everybody again within this time, on whatever bus. */
const standstillMs = 3_000

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
