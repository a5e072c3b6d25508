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
    const deadline = new Deadline(attention)
    let verdict: Verdict
    try {
      verdict = await check(deadline.signal)
    } finally {
      deadline.clear()
    }
    if (deadline.signal.aborted) return deadline.wasWhole ? verdict : null
    if (isRepeat || stalls.stalledMs(deadline.startedMs) === 0 || performance.now() > lastStartMs) return verdict
  }
}

class Deadline {
  readonly startedMs = performance.now()
  /** False where the target never had all of its time. */
  wasWhole = true
  readonly #attention: Attention
  readonly #controller = new AbortController()
  #timer: NodeJS.Timeout

  constructor(attention: Attention) {
    this.#attention = attention
    this.#timer = setTimeout(expire, attention.deadlineMs, this)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  clear(): void {
    clearTimeout(this.#timer)
  }

  expire(): void {
    const { stalls, deadlineMs, lastEndMs } = this.#attention
    const nowMs = performance.now()
    const leftMs = this.startedMs + deadlineMs + stalls.stalledMs(this.startedMs) - nowMs
    // Timers fire up to a millisecond early.
    if (leftMs > 1 && nowMs < lastEndMs) {
      this.#timer = setTimeout(expire, Math.min(leftMs, lastEndMs - nowMs), this)
      return
    }
    this.wasWhole = leftMs <= 1
    this.#controller.abort()
  }
}

/** One function for all deadlines, which is cheaper than one for each. */
function expire(deadline: Deadline): void {
  deadline.expire()
}
