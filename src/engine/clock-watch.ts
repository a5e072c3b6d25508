import { announceMs, goneAfterMs } from '#core/monitors/check.ts'
import type { HeardUntil } from '#engine/locations/heard-until.ts'
import type { Time } from '#time/time.ts'

/** What two clocks say at one moment: that of the installation, and one that only ever goes on. Milliseconds. */
export type Instant = { nowMs: number; steadyMs: number }

export function instantOf(time: Pick<Time, 'nowMs' | 'steadyMs'>): Instant {
  return { nowMs: time.nowMs(), steadyMs: time.steadyMs() }
}

/** By how many milliseconds the clock of the installation was set between two moments. */
export function setBetween(earlier: Instant, later: Instant): number {
  return later.nowMs - earlier.nowMs - (later.steadyMs - earlier.steadyMs)
}

export type ClockWatchOptions = Instant & {
  time: Pick<Time, 'pause'>
  heardUntil: Pick<HeardUntil, 'beginAnew'>
  /** Asks the database what is still held here. Never rejects. */
  settle: () => Promise<void>
  /** The clock jumped by this many milliseconds, ahead or back: no time that was planned lies where it should. */
  onJump: (jumpMs: number) => void
}

/** After this long without a tick the engine stood still, and others may have taken its partitions. */
const standstillMs = 2_000
/** Clocks that are put right by less than this are followed without a word. */
export const toleratedJumpMs = 2_000
/** How long it then waits for the database to say what it still holds. */
const settleMs = 5_000
/** After this long, probers that are there look as if they were gone. */
const deafMs = goneAfterMs - announceMs

/**
 * Looks at the clocks with every tick. False while an engine that stood still does not know what it still holds, unless
 * the database does not answer in time: until then the engine sends no assignments and calls no deadline missed. False,
 * too, once the clock has jumped, after which this engine plans nothing more.
 */
export function createClockWatch({
  time,
  heardUntil,
  settle,
  onJump,
  ...first
}: ClockWatchOptions): (instant: Instant) => boolean {
  let ticked: Instant = first
  let isAwaking = false

  async function awake(nowMs: number, gapMs: number): Promise<void> {
    isAwaking = true
    if (gapMs > deafMs) heardUntil.beginAnew(nowMs)
    await Promise.race([settle(), time.pause(settleMs)])
    isAwaking = false
  }

  return (instant) => {
    const gapMs = instant.nowMs - ticked.nowMs
    const jumpMs = setBetween(ticked, instant)
    ticked = instant
    if (Math.abs(jumpMs) > toleratedJumpMs) {
      onJump(jumpMs)
      return false
    }
    if (gapMs > standstillMs && !isAwaking) void awake(instant.nowMs, gapMs)
    return !isAwaking
  }
}
