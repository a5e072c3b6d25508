import type { JsMsg } from '@nats-io/jetstream'
import { ClosedConnectionError } from '@nats-io/transport-node'
import type { ResultHandler } from './bus.ts'
import type { BusLog } from './nats-options.ts'
import { partitionOfSubject, resultsOf } from './nats-results.ts'
import { seldom } from './pace.ts'

/** While the handler has this many results, further messages wait undecoded. */
const maxResultsAtHandler = 20_000
/** The broker waits 5 s for an acknowledgement, and longer when told that the handler is at it. */
const progressMs = 2_000
/** A handler that takes longer counts as dead: the broker delivers the message again. */
const handlerMs = 60_000
/**
 * Pause after a refusal, doubled up to the longest. A round waits ten seconds beyond the timeout of its check, so the
 * next try must come well within that time.
 */
const firstRetryMs = 250
const longestRetryMs = 2_000

type Taken = { message: JsMsg; partition: number; takenMs: number }

/** Messages that were taken from the stream and are not acknowledged: waiting for the handler, or with it. */
export class MessagesInHand {
  readonly #waiting: Taken[] = []
  readonly #handled = new Set<Taken>()
  readonly #isHeld: (partition: number) => boolean
  readonly #warnOfUnreadable: (details: Record<string, unknown>) => void
  readonly #timer: NodeJS.Timeout
  #handler: ResultHandler | null = null
  #atHandler = 0

  constructor(isHeld: (partition: number) => boolean, log: BusLog) {
    this.#isHeld = isHeld
    this.#warnOfUnreadable = seldom(log, 'Results of a location were refused.')
    this.#timer = setInterval(() => this.#showProgress(), progressMs)
  }

  set handler(handler: ResultHandler | null) {
    this.#handler = handler
    this.#handOut()
  }

  get handler(): ResultHandler | null {
    return this.#handler
  }

  take(message: JsMsg): void {
    this.#waiting.push({ message, partition: partitionOfSubject(message.subject), takenMs: performance.now() })
    this.#handOut()
  }

  /** Another engine takes what waits of partitions that are not held any more. */
  giveBack(): void {
    for (const taken of this.#waiting.splice(0))
      if (this.#isHeld(taken.partition)) this.#waiting.push(taken)
      else answer(() => taken.message.nak())
  }

  /** Whether the handler has nothing of this partition. */
  isSettled(partition: number): boolean {
    for (const taken of this.#handled) if (taken.partition === partition) return false
    return true
  }

  close(): void {
    clearInterval(this.#timer)
    this.#handler = null
  }

  #handOut(): void {
    while (this.#handler !== null && this.#atHandler < maxResultsAtHandler) {
      const taken = this.#waiting.shift()
      if (taken === undefined) return
      void this.#handle(taken, this.#handler)
    }
  }

  async #handle(taken: Taken, handler: ResultHandler): Promise<void> {
    const { message, partition } = taken
    const results = this.#read(message)
    if (results === null) return answer(() => message.term())
    this.#handled.add(taken)
    this.#atHandler += results.length
    try {
      await handler(results)
      answer(() => message.ack())
    } catch {
      const againMs = Math.min(firstRetryMs * 2 ** (message.info.deliveryCount - 1), longestRetryMs)
      answer(() => message.nak(this.#isHeld(partition) ? againMs : undefined))
    } finally {
      this.#handled.delete(taken)
      this.#atHandler -= results.length
      this.#handOut()
    }
  }

  /** Null for a message that no handler can ever read. */
  #read(message: JsMsg): ReturnType<typeof resultsOf> | null {
    try {
      return resultsOf(message.subject, message.data)
    } catch (error) {
      this.#warnOfUnreadable({ subject: message.subject, error: String(error) })
      return null
    }
  }

  #showProgress(): void {
    const nowMs = performance.now()
    for (const { message, takenMs } of [...this.#waiting, ...this.#handled])
      if (nowMs - takenMs > progressMs / 2 && nowMs - takenMs < handlerMs) answer(() => message.working())
  }
}

/** On a closed connection nothing can be answered: the broker delivers the message again. */
function answer(say: () => void): void {
  try {
    say()
  } catch (error) {
    if (!(error instanceof ClosedConnectionError)) throw error
  }
}
