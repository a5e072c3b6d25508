// What a service under load must not show.
import type { Tally } from './caller.ts'
import type { WatchTally } from './watcher.ts'

/** A refusal says when to come again, and a caller that waits for an answer gets one. */
export function judgeAnswers(name: string, tally: Tally): string[] {
  const { statuses, withoutRetry, late, broken } = tally
  const others = Object.keys(statuses).filter(
    (status) => !status.startsWith('2') && status !== '429' && status !== '503',
  )
  return [
    ...others.map((status) => `${name}: ${statuses[status]} of ${tally.asked} requests were answered ${status}.`),
    ...(withoutRetry > 0 ? [`${name}: ${withoutRetry} refusals had no Retry-After.`] : []),
    ...(late > 0 ? [`${name}: ${late} of ${tally.asked} requests had no answer at their deadline.`] : []),
    ...(broken > 0 ? [`${name}: ${broken} of ${tally.asked} connections broke.`] : []),
  ]
}

export function judgeStreams({ broken, silentMostMs }: WatchTally, mostSilentMs: number): string[] {
  return [
    ...(broken > 0
      ? [`streams: ${broken} ended, never began or were refused without a word of when to come again.`]
      : []),
    ...(silentMostMs > mostSilentMs ? [`streams: a stream was silent for ${Math.round(silentMostMs)} ms.`] : []),
  ]
}

/** Mebibytes: in use at rest before and after, and resident before and at most. */
export type Memory = { usedBefore: number; usedAfter: number; residentBefore: number; residentMost: number }
export type MemoryBounds = { mostResidentGrowth: number; mostUsedShare: number; usedAllowance: number }

export function judgeMemory(memory: Memory, bounds: MemoryBounds): string[] {
  const { usedBefore, usedAfter, residentBefore, residentMost } = memory
  return [
    ...(residentMost - residentBefore > bounds.mostResidentGrowth
      ? [`The service grew from ${mb(residentBefore)} to ${mb(residentMost)} under load.`]
      : []),
    ...(usedAfter > usedBefore * bounds.mostUsedShare + bounds.usedAllowance
      ? [`The service used ${mb(usedBefore)} before the load and ${mb(usedAfter)} after it.`]
      : []),
  ]
}

/** Beside a flood, a quiet caller waits for what is before it. */
export function judgeBeside(
  { name, flooded }: { name: string; flooded: string },
  { usualMs, besideMs }: { usualMs: number; besideMs: number },
  { factor, leastMs }: { factor: number; leastMs: number },
): string[] {
  if (besideMs <= Math.max(leastMs, factor * usualMs)) return []
  return [`${name} took ${Math.round(besideMs)} ms beside a flood of ${flooded}, and ${usualMs.toFixed(1)} ms before.`]
}

function mb(value: number): string {
  return `${Math.round(value)} MiB`
}
