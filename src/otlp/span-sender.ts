import type { OtlpReceiver } from '#core/results/otlp.ts'
import type { Time } from '#time/time.ts'
import { postOtlp } from './post.ts'
import type { Span } from './span.ts'
import { createTeller, type Teller, type TellerLog } from './teller.ts'
import { traceRequestOf } from './trace-request.ts'

/** `dropped`: there was no room, or the receiver took nothing in time. */
export type SpanOutcome = 'taken' | 'refused' | 'dropped'

export type SpanSender = {
  /** Takes a span at once, and drops it where too many wait. */
  add: (span: Span) => void
  /** Sends what is left, in three seconds at most, and drops the rest. Never rejects. */
  close: () => Promise<void>
}

export type SpanSenderOptions = {
  receiver: OtlpReceiver
  /** What sends: attributes of the resource. */
  resource: Span['attributes']
  /** Told what became of spans, for metrics. */
  onEnded: (outcome: SpanOutcome, spans: number) => void
  log: TellerLog
  time: Pick<Time, 'nowMs' | 'steadyMs' | 'after'>
  /** From 0 to 1. */
  random: () => number
}

/** Some 2 MB. */
const maxWaiting = 4_096
const spansAtOnce = 512
/** A first span waits this long for others to share its request. */
const gatherMs = 2_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** The newest spans are of more use than those of a minute ago. */
const giveUpMs = 60_000
const closeMs = 3_000

/** Spans are worth less than what they are about: sending holds nothing up, and what is too much is dropped. */
export function createSpanSender(options: SpanSenderOptions): SpanSender {
  return new WaitingSpans(options)
}

class WaitingSpans implements SpanSender {
  readonly #options: SpanSenderOptions
  readonly #tell: Teller
  readonly #waiting: Span[] = []
  /** Aborts what is under way when closing takes too long. */
  readonly #end = new AbortController()
  #pushing: Promise<void> | null = null
  #endGathering: (() => void) | null = null
  #endPause: (() => void) | null = null
  #isClosing = false

  constructor(options: SpanSenderOptions) {
    this.#options = options
    this.#tell = createTeller(options.log, 'Traces could not be pushed to PERIGEE_OTLP_ENDPOINT.')
  }

  add(span: Span): void {
    if (this.#isClosing || this.#waiting.length >= maxWaiting) return this.#options.onEnded('dropped', 1)
    this.#waiting.push(span)
    this.#pushOrGather()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const cancel = this.#options.time.after(closeMs, () => this.#end.abort())
    this.#endPause?.()
    while (this.#waiting.length > 0 || this.#pushing !== null) await this.#push()
    this.#endGathering?.()
    cancel()
  }

  #pushOrGather(): void {
    if (this.#waiting.length >= spansAtOnce) void this.#push()
    else if (this.#pushing === null && this.#waiting.length > 0)
      this.#endGathering ??= this.#options.time.after(gatherMs, () => void this.#push())
  }

  /** One request is under way at a time. */
  #push(): Promise<void> {
    this.#endGathering?.()
    this.#endGathering = null
    this.#pushing ??= this.#pushFirst().finally(() => {
      this.#pushing = null
      if (!this.#isClosing) this.#pushOrGather()
    })
    return this.#pushing
  }

  async #pushFirst(): Promise<void> {
    const spans = this.#waiting.splice(0, spansAtOnce)
    const { time, random, onEnded } = this.#options
    const untilMs = time.steadyMs() + giveUpMs
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const afterMs = await this.#try(spans)
      if (afterMs === 'ended') return
      const waitMs = afterMs ?? pauseMs * (0.5 + random() / 2)
      if (this.#isClosing || time.steadyMs() + waitMs > untilMs) return onEnded('dropped', spans.length)
      await this.#pause(waitMs)
    }
  }

  /** After how many milliseconds to try again, null for as long as usual, or that nothing is left to do. */
  async #try(spans: readonly Span[]): Promise<number | null | 'ended'> {
    const { receiver, resource, time, onEnded } = this.#options
    const now = new Date(time.nowMs())
    const outcome = await postOtlp(traceRequestOf(spans, resource), { receiver, now, signal: this.#end.signal })
    this.#tell(outcome.problem)
    switch (outcome.type) {
      case 'again':
        return outcome.afterMs
      case 'refused':
        onEnded('refused', spans.length)
        return 'ended'
      case 'taken': {
        const refused = Math.min(outcome.rejected, spans.length)
        if (refused > 0) onEnded('refused', refused)
        onEnded('taken', spans.length - refused)
        return 'ended'
      }
    }
  }

  /** Ends at once when everything is to end. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.time.after(ms, () => this.#endPause?.())
      this.#endPause = () => {
        cancel()
        this.#endPause = null
        resolve()
      }
    })
  }
}
