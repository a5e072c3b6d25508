import type { PresenceBook } from '#engine/locations/presence.ts'
import type { Scheduler } from './scheduler.ts'

/** How often the engine looks whether the probers it asked are still there. */
const reviewMs = 500

/**
 * Begins the rounds that are due and, when probers came or went, reviews whom the open rounds asked. To be called while
 * the engine knows which probers are there, else a round would leave out locations that it has not heard of yet.
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
