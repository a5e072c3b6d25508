// When the target of a soak fails: drawn from the seed, so that a soak can be played again.
import { randomOf } from '../inputs/random.ts'

/** Milliseconds since the beginning of the soak. */
export type Outage = { fromMs: number; toMs: number }

export type Plan = { seed: number; durationMs: number }

/** One monitor of so many fails by turns; the others never do. */
const monitorsPerFailing = 25
/** So rarely that no rule of monitors that keep going down has a say. */
const turnMs = 20 * 60_000
const firstAfterMs = 20_000
/** Three rounds at least, and so two failures in a row wherever a round begins. */
const [shortestMs, longestMs] = [30_000, 75_000]
/** Every outage is over, told and stored before the end. */
const calmMs = 60_000

/** Outages of a monitor, by its number. */
export function outagesOf(monitor: number, { seed, durationMs }: Plan): Outage[] {
  if (monitor % monitorsPerFailing !== 0) return []
  const random = randomOf(seed, 'outages', monitor)
  const turns = Math.ceil(durationMs / turnMs)
  const eachMs = durationMs / turns
  const roomMs = Math.max(1, eachMs - firstAfterMs - longestMs - calmMs)
  return Array.from({ length: turns }, (_, turn) => {
    const fromMs = turn * eachMs + firstAfterMs + random.below(roomMs)
    return { fromMs, toMs: fromMs + shortestMs + random.below(longestMs - shortestMs) }
  })
}

/** Half of those that fail answer 500, the others break the connection. */
export function breaksConnection(monitor: number): boolean {
  return (monitor / monitorsPerFailing) % 2 === 1
}
