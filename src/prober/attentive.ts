// A check is judged by the time for which this thread could look at its target
// (docs/decisions/rounds-and-time.md, "The prober's own trouble").
import type { Verdict } from '#core/results/result.ts'
import type { StallWatch } from './stall.ts'

export type Attention = {
  stalls: Pick<StallWatch, 'stalledMs'>
  /** The time that the target has, in milliseconds. */
  deadlineMs: number
  /** By `performance.now()`: a check that would begin later is of no use to its round, nor one that ends later still. */
  lastStartMs: number
  lastEndMs: number
}

/**
 * Checks a target whose deadline counts only the time for which this thread turned. A check that ended before its
 * deadline, and during which the thread stood still, may have been told otherwise by that: it is made again once, and
 * its second verdict counts. Null when the thread stood still for so long that the target never had its time.
 */
export async function checkAttentively(
  check: (signal: AbortSignal) => Promise<Verdict>,
  attention: Attention,
): Promise<Verdict | null> {
  const { stalls, lastStartMs } = attention
  for (let isRepeat = false; ; isRepeat = true) {
    const startedMs = performance.now()
    const deadline = beginDeadline(startedMs, attention)
    const verdict = await check(deadline.signal).finally(deadline.clear)
    if (deadline.signal.aborted) return deadline.wasWhole() ? verdict : null
    if (isRepeat || stalls.stalledMs(startedMs) === 0 || performance.now() > lastStartMs) return verdict
  }
}

type Deadline = { signal: AbortSignal; clear: () => void; wasWhole: () => boolean }

function beginDeadline(startedMs: number, { stalls, deadlineMs, lastEndMs }: Attention): Deadline {
  const controller = new AbortController()
  let isWhole = true
  const expire = (): void => {
    const nowMs = performance.now()
    const leftMs = startedMs + deadlineMs + stalls.stalledMs(startedMs) - nowMs
    // Timers fire up to a millisecond early.
    if (leftMs > 1 && nowMs < lastEndMs) {
      timer = setTimeout(expire, Math.min(leftMs, lastEndMs - nowMs))
      return
    }
    isWhole = leftMs <= 1
    controller.abort()
  }
  let timer = setTimeout(expire, deadlineMs)
  return { signal: controller.signal, clear: () => clearTimeout(timer), wasWhole: () => isWhole }
}
