import type { PresenceBook } from '#engine/locations/presence.ts'
import type { Scheduler } from './scheduler.ts'

/** How often whoever was asked is looked at. */
const reviewMs = 500

/**
 * Begins the rounds that are due and, when probers came or went, looks at whom the open ones asked. For an engine that
 * knows who is there: only it can say which locations take part, and which are gone.
 */
export function createRoundTurns(scheduler: Scheduler, presence: PresenceBook): (nowMs: number) => void {
  let reviewedMs = -Infinity
  let generation = 0
  return (nowMs) => {
    scheduler.tick(nowMs)
    if (nowMs - reviewedMs < reviewMs) return
    reviewedMs = nowMs
    const current = presence.generation(nowMs)
    if (current !== generation || scheduler.hasUnasked) scheduler.review(nowMs)
    generation = current
  }
}
