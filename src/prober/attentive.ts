// A check is judged by the time for which this thread could look at its target
// (docs/decisions/rounds-and-time.md, "The prober's own trouble").
import type { Verdict } from '#core/results/result.ts'
import type { StallWatch } from './stall.ts'
import type { UntoldRounds } from './untold-rounds.ts'
import type { Time } from '#time/time.ts'

export type Attention = {
  time: Pick<Time, 'steadyMs' | 'after'>
  stalls: Pick<StallWatch, 'stalledMs'>
  /** As `Traffic.isConclusive`. */
  isConclusive: () => boolean
  untold: UntoldRounds
  /** Null for a trial, which has no rounds before it. */
  monitorId: string | null
  /** The time that the target has, in milliseconds. */
  deadlineMs: number
  /** By `steadyMs`: a check that would begin later is of no use to its round, nor one that ends later still. */
  lastStartMs: number
  lastEndMs: number
}

/**
 * Checks a target whose deadline counts only the time for which this thread turned. A check that ended before its
 * deadline, and during which the thread stood still, is made again once if that may have changed what it found, and its
 * second verdict counts. Null when the thread stood still for so long that the target never had its time, for two rounds
 * in a row and no more.
 */
export async function checkAttentively(
  check: (signal: AbortSignal) => Promise<Verdict>,
  attention: Attention,
): Promise<Verdict | null> {
  for (let isRepeat = false; ; isRepeat = true) {
    const deadline = new Deadline(attention)
    let verdict: Verdict
    try {
      verdict = await check(deadline.signal)
    } finally {
      deadline.clear()
    }
    const isWhole = deadline.signal.aborted ? deadline.wasWhole : isRepeat || isCertain(verdict, deadline, attention)
    if (isWhole) {
      if (attention.monitorId !== null) attention.untold.told(attention.monitorId)
      return verdict
    }
    if (deadline.signal.aborted) return mayTell(deadline, attention) ? verdict : null
  }
}

/** No stall has changed the verdict, or none can have, or it cannot be known any more. */
function isCertain(verdict: Verdict, { startedMs }: Deadline, attention: Attention): boolean {
  if (attention.stalls.stalledMs(startedMs) === 0 || attention.time.steadyMs() > attention.lastStartMs) return true
  return verdict.status === 'down' && (attention.isConclusive() || isWrongStatus(verdict))
}

/** RFC 9110 15.5.9: with 408 a server says that this machine was slow. */
function isWrongStatus({ statusCode, details }: Verdict): boolean {
  return details['failed_assertion'] === 'status' && statusCode !== 408
}

function mayTell(deadline: Deadline, { monitorId, untold }: Attention): boolean {
  return monitorId !== null && deadline.wasFair && !untold.mayWithhold(monitorId)
}

/** After a stall, what lies in the sockets is read before a deadline counts as over. */
const readMs = 50
/** A target that is well answers within a part of its time: one that did not have even that is not judged at all. */
const fairPart = 1 / 4

class Deadline {
  readonly startedMs: number
  /** False where the target never had all of its time. */
  wasWhole = true
  /** False where it had but a small part of it. */
  wasFair = true
  #stalledMs = 0
  readonly #attention: Attention
  readonly #controller = new AbortController()
  #cancel: () => void

  constructor(attention: Attention) {
    this.#attention = attention
    this.startedMs = attention.time.steadyMs()
    this.#cancel = this.#expireAfter(attention.deadlineMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  clear(): void {
    this.#cancel()
  }

  #expireAfter(ms: number): () => void {
    return this.#attention.time.after(ms, () => this.#expire())
  }

  #expire(): void {
    const { time, stalls, deadlineMs, lastEndMs } = this.#attention
    const nowMs = time.steadyMs()
    const stalledMs = stalls.stalledMs(this.startedMs)
    const leftMs = this.startedMs + deadlineMs + stalledMs - nowMs
    const roundMs = Math.max(lastEndMs - nowMs, stalledMs > this.#stalledMs ? readMs : 0)
    this.#stalledMs = stalledMs
    // Timers fire up to a millisecond early.
    if (leftMs > 1 && roundMs > 0) {
      this.#cancel = this.#expireAfter(Math.min(leftMs, roundMs))
      return
    }
    this.wasWhole = leftMs <= 1
    this.wasFair = leftMs <= deadlineMs * (1 - fairPart)
    this.#controller.abort()
  }
}
