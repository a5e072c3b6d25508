// Evidence on its way from a result to its incident (docs/evidence.md). All of it is bounded and may be lost: what does
// not fit, what the database refuses, and what a process has in memory when it ends.
import { failureKey } from '#core/incidents/evidence.ts'
import type { NewEvidence } from '#store/incidents/evidence.ts'
import type { Arrival } from './draft-rounds.ts'
import { HeldEvidence } from './held-evidence.ts'
import type { Time } from '#time/time.ts'

export type EvidenceKeeperOptions = {
  time: Pick<Time, 'after'>
  keep: (list: readonly NewEvidence[]) => Promise<void>
  onLost: (details: { count: number; error?: string }) => void
}

/** Pieces of 32 KB at most. */
const maxWaiting = 512
/** Sealing more at once would hold the thread up. */
const writtenAtOnce = 20
const closeMs = 2_000

export class EvidenceKeeper {
  readonly #options: EvidenceKeeperOptions
  readonly #held = new HeldEvidence()
  readonly #waiting: NewEvidence[] = []
  #writing: Promise<void> | null = null

  constructor(options: EvidenceKeeperOptions) {
    this.#options = options
  }

  /** To be called when the results are committed and memory has followed. */
  note(arrivals: readonly Arrival[]): void {
    // Hardly ever is there anything to do, and this runs for every result.
    if (this.#held.isEmpty && arrivals.every(({ result }) => result.evidence === undefined)) return
    for (const arrival of arrivals) this.#hold(arrival)
    for (const arrival of arrivals) this.#release(arrival)
    const surplus = this.#waiting.length - maxWaiting
    if (surplus > 0) {
      this.#waiting.splice(0, surplus)
      this.#options.onLost({ count: surplus })
    }
    if (this.#waiting.length > 0) this.#writing ??= this.#write()
  }

  /** Resolves when what waits is written, or when its time is over. Never rejects. */
  async close(): Promise<void> {
    if (this.#writing === null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#options.time.after(closeMs, resolve)
    await Promise.race([this.#writing, promise])
    cancel()
  }

  /** A location that got an answer has nothing to show of a later incident. */
  #hold({ watched, result }: Arrival): void {
    const { verdict, evidence, location, round, version } = result
    if (verdict === null || version !== watched.version) return
    if (verdict.status !== 'down') return this.#held.drop(watched.id, location)
    if (evidence === undefined) return
    // Each run that failed has a log of its own.
    const cause = evidence.log === null ? failureKey(verdict) : `call at ${round}`
    this.#held.hold({ monitorId: watched.id, location, round, cause, evidence })
  }

  #release({ watched: { id, incidentId } }: Arrival): void {
    if (incidentId === null) return
    for (const piece of this.#held.take(id)) this.#waiting.push({ ...piece, incidentId })
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const list = this.#waiting.splice(0, writtenAtOnce)
      try {
        await this.#options.keep(list)
      } catch (error) {
        this.#options.onLost({ count: list.length, error: String(error) })
      }
    }
    this.#writing = null
  }
}
