import { setTimeout as pause } from 'node:timers/promises'
import { announceMs, goneAfterMs } from '#core/monitors/check.ts'
import type { HeardUntil } from '#engine/locations/heard-until.ts'

export type ClockWatchOptions = {
  nowMs: number
  heardUntil: Pick<HeardUntil, 'beginAnew'>
  /** Asks the database what is still held here. Never rejects. */
  settle: () => Promise<void>
  /** The clock went back by this many milliseconds: all planned times lie too far ahead. */
  onBack: (backMs: number) => void
}

/** After this long without a tick the engine stood still, and others may have taken its partitions. */
const standstillMs = 2_000
/** How long it then waits for the database to say what it still holds. */
const settleMs = 5_000
/** After this long, probers that are there look as if they were gone. */
const deafMs = goneAfterMs - announceMs

/**
 * Looks at the clock with every tick. False while an engine that stood still does not know what it still holds, unless
 * the database does not answer in time: until then the engine sends no assignments and calls no deadline missed.
 */
export function createClockWatch({
  nowMs: firstMs,
  heardUntil,
  settle,
  onBack,
}: ClockWatchOptions): (nowMs: number) => boolean {
  let tickedMs = firstMs
  let isAwaking = false

  async function awake(nowMs: number, gapMs: number): Promise<void> {
    isAwaking = true
    if (gapMs > deafMs) heardUntil.beginAnew(nowMs)
    await Promise.race([settle(), pause(settleMs)])
    isAwaking = false
  }

  return (nowMs) => {
    const gapMs = nowMs - tickedMs
    tickedMs = nowMs
    if (gapMs > standstillMs && !isAwaking) void awake(nowMs, gapMs)
    if (gapMs >= -standstillMs) return !isAwaking
    onBack(-gapMs)
    return false
  }
}
