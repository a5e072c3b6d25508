import type { Watched } from '#engine/rounds/watched.ts'

/** Passed deadlines and due groups whose results are to be made, each with the time in milliseconds it is due for. */
export type SelfMadeQueue = {
  add: (watched: Watched, dueMs: number) => void
  /** Takes out the monitors that were due before the moment that `msOf` names for them. */
  takeBefore: (msOf: (watched: Watched) => number) => Map<Watched, number>
  /** Keeps monitors that cannot be decided yet until this time. */
  hold: (due: ReadonlyMap<Watched, number>, untilMs: number) => void
  /** Puts monitors back whose time of being held has passed. */
  release: (nowMs: number) => void
  readonly size: number
  /** Nothing waits, and nothing is held. */
  readonly isEmpty: boolean
}

export function createSelfMadeQueue(): SelfMadeQueue {
  const waiting = new Map<Watched, number>()
  const held = new Map<Watched, number>()
  let heldUntilMs = -Infinity
  return {
    get size() {
      return waiting.size
    },
    get isEmpty() {
      return waiting.size === 0 && held.size === 0
    },
    add: (watched, dueMs) => waiting.set(watched, dueMs),
    takeBefore: (msOf) => {
      const due = new Map([...waiting].filter(([watched, dueMs]) => dueMs < msOf(watched)))
      for (const watched of due.keys()) waiting.delete(watched)
      return due
    },
    hold: (due, untilMs) => {
      for (const [watched, dueMs] of due) held.set(watched, dueMs)
      if (due.size > 0) heldUntilMs = untilMs
    },
    release: (nowMs) => {
      if (nowMs < heldUntilMs) return
      for (const [watched, dueMs] of held) waiting.set(watched, dueMs)
      held.clear()
    },
  }
}
