import { maxResultsPerMessage, type ProberBus } from '#bus/bus.ts'
import { maxEvidenceBytes, maxPictureLength } from '#core/incidents/evidence.ts'
import { maxViewBytes } from '#core/incidents/view.ts'
import type { Result } from '#core/results/result.ts'
import { systemTime, type Time } from '#time/time.ts'

/** Results that wait for the bus; with a full box the location takes no assignments. */
const maxWaiting = 10_000
/** Evidence that waits; further results leave without theirs. */
const maxEvidenceWaitingBytes = 8 * 1024 * 1024
const maxUnderWay = 20
/** Messages follow each other no faster; what comes meanwhile shares the next one. */
const gatherMs = 20
const firstRetryMs = 250
/** A round waits ten seconds beyond the timeout of its check, so the next try must come well within that time. */
const longestRetryMs = 2_000
/**
 * Results that could not be sent for an hour are dropped. Engines refuse results of two hours, whose hour may be
 * merged.
 */
const dropAfterMs = 3_600_000

export type Outbox = {
  add: (result: Result) => void
  readonly isFull: boolean
  readonly waiting: number
  /** Sends what is left, until `deadlineMs` have passed. */
  close: (deadlineMs: number) => Promise<void>
}

export type OutboxOptions = {
  location: string
  bus: Pick<ProberBus, 'publishResults'>
  onDropped: (results: readonly Result[]) => void
  /** These results are durable. */
  onSent?: (results: readonly Result[]) => void
  time?: Pick<Time, 'nowMs' | 'after' | 'pause'>
  /** From 0 to 1. Spreads the retries of probers that lost the same bus. */
  random?: () => number
}

type Message = { results: Result[]; retryMs: number; bornMs: number }

/** Holds results until they are durable, sends them again when that is not known. Sent twice, they count once. */
export function createOutbox(options: OutboxOptions): Outbox {
  return new ResultOutbox(options)
}

class ResultOutbox implements Outbox {
  readonly #options: OutboxOptions
  readonly #time: NonNullable<OutboxOptions['time']>
  readonly #random: () => number
  /** Not in a message yet. */
  #gathered: Result[] = []
  /** All that are not acknowledged; `#idle` are those among them that may leave now. */
  readonly #messages = new Set<Message>()
  readonly #idle: Message[] = []
  /** Each ends one of the retries that are planned. */
  readonly #retries = new Set<() => void>()
  #endGathering: (() => void) | null = null
  #gatheredMs = -Infinity
  #underWay = 0
  #waiting = 0
  #evidenceBytes = 0
  #isClosed = false

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#time = options.time ?? systemTime
    this.#random = options.random ?? Math.random
  }

  get isFull(): boolean {
    return this.#waiting >= maxWaiting
  }

  get waiting(): number {
    return this.#waiting
  }

  add(result: Result): void {
    this.#waiting += 1
    this.#gathered.push(this.#withRoom(result))
    if (this.#gathered.length >= maxResultsPerMessage) this.#gather()
    else this.#endGathering ??= this.#time.after(this.#pauseMs(), () => this.#gather())
  }

  /** After a while without messages it is only the rest of this turn of the event loop. */
  #pauseMs(): number {
    return Math.max(0, gatherMs - Math.abs(this.#time.nowMs() - this.#gatheredMs))
  }

  #withRoom(result: Result): Result {
    if (result.evidence === undefined && result.view === undefined) return result
    if (this.#evidenceBytes >= maxEvidenceWaitingBytes) return withoutEvidence(result)
    this.#evidenceBytes += mostBytesOf(result)
    return result
  }

  async close(deadlineMs: number): Promise<void> {
    this.#gather()
    const { nowMs, pause } = this.#time
    const until = nowMs() + deadlineMs
    while (this.#waiting > 0 && nowMs() < until) await pause(gatherMs)
    this.#isClosed = true
    for (const cancel of this.#retries) cancel()
  }

  #gather(): void {
    this.#endGathering?.()
    this.#endGathering = null
    if (this.#gathered.length === 0) return
    this.#gatheredMs = this.#time.nowMs()
    const message = { results: this.#gathered, retryMs: firstRetryMs, bornMs: this.#gatheredMs }
    this.#gathered = []
    this.#messages.add(message)
    this.#idle.push(message)
    this.#send()
  }

  #send(): void {
    while (this.#underWay < maxUnderWay) {
      const message = this.#idle.shift()
      if (message === undefined) return
      this.#underWay += 1
      void this.#deliver(message).finally(() => {
        this.#underWay -= 1
        this.#send()
      })
    }
  }

  async #deliver(message: Message): Promise<void> {
    const { bus, location, onDropped, onSent } = this.#options
    try {
      await bus.publishResults(location, message.results)
      onSent?.(message.results)
      this.#end(message)
    } catch {
      if (this.#time.nowMs() - message.bornMs < dropAfterMs && !this.#isClosed) return this.#retryLater(message)
      onDropped(message.results)
      this.#end(message)
    }
  }

  #retryLater(message: Message): void {
    this.#dropEvidence(message)
    const waitMs = message.retryMs * (0.5 + this.#random() / 2)
    const cancel = this.#time.after(waitMs, () => {
      this.#retries.delete(cancel)
      this.#idle.push(message)
      this.#send()
    })
    this.#retries.add(cancel)
    message.retryMs = Math.min(message.retryMs * 2, longestRetryMs)
  }

  /** A stream that is full, or fills because no engine takes from it, has to have room for the results themselves. */
  #dropEvidence(message: Message): void {
    const bytes = message.results.reduce((sum, result) => sum + mostBytesOf(result), 0)
    if (bytes === 0) return
    message.results = message.results.map(withoutEvidence)
    this.#evidenceBytes -= bytes
  }

  #end(message: Message): void {
    this.#messages.delete(message)
    this.#waiting -= message.results.length
    this.#dropEvidence(message)
  }
}

/** Of its evidence, or what was seen in short, whatever that has. */
function mostBytesOf({ evidence, view }: Result): number {
  const viewBytes = view === undefined ? 0 : maxViewBytes
  if (evidence === undefined) return viewBytes
  const picture = evidence.page?.picture ?? null
  return viewBytes + maxEvidenceBytes + (picture === null ? 0 : maxPictureLength)
}

function withoutEvidence(result: Result): Result {
  const { evidence: _evidence, view: _view, ...plain } = result
  return plain
}
