// What locations saw in short, on its way from results to the table (docs/evidence.md, "Why locations disagree"). All of
// it is bounded and may be lost, like evidence.
import { type View, viewOf } from '#core/incidents/view.ts'
import type { Result } from '#core/results/result.ts'
import type { Watched } from '#engine/rounds/watched.ts'
import type { NewView } from '#store/incidents/views.ts'
import type { Time } from '#time/time.ts'
import type { Arrival } from './draft-rounds.ts'
import { HeldEvidence } from './held-evidence.ts'

export type ViewKeeperOptions = {
  time: Pick<Time, 'after'>
  keep: (list: readonly NewView[]) => Promise<void>
  onLost: (details: { count: number; error?: string }) => void
}

/** Views of 2 KB at most. */
const maxWaiting = 2_000
/** Sealing more at once would hold the thread up. */
const writtenAtOnce = 100
const closeMs = 2_000
/** An incident has what was seen so long before the result that opened it, beside two rounds. */
const beforeIncidentMs = 60_000

export class ViewKeeper {
  readonly #options: ViewKeeperOptions
  /** Of monitors without an incident: what was told when the locations were asked last. */
  readonly #held = new HeldEvidence<NewView>()
  /** By what a row is found by, so that no list has two of one row. */
  readonly #waiting = new Map<string, NewView>()
  #writing: Promise<void> | null = null

  constructor(options: ViewKeeperOptions) {
    this.#options = options
  }

  /** To be called when the results are committed and memory has followed. */
  note(arrivals: readonly Arrival[]): void {
    // Hardly ever is there anything to do, and this runs for every result.
    if (this.#held.isEmpty && arrivals.every(({ result }) => !isTelling(result))) return
    for (const arrival of arrivals) this.#take(arrival)
    for (const { watched, result } of arrivals) this.#release(watched, result)
    this.#dropSurplus()
    if (this.#waiting.size > 0) this.#writing ??= this.#write()
  }

  /** Resolves when what waits is written, or when its time is over. Never rejects. */
  async close(): Promise<void> {
    if (this.#writing === null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#options.time.after(closeMs, resolve)
    await Promise.race([this.#writing, promise])
    cancel()
  }

  /** Of a failure the evidence tells as much, and the incident has that by itself. */
  #take({ watched, result }: Arrival): void {
    const view = seenOf(watched, result)
    if (view === null) return
    const { location, round, version } = result
    const told = { monitorId: watched.id, incidentId: null, location, round, version, view }
    this.#queue(told)
    if (result.view !== undefined) this.#held.hold(told)
  }

  #release({ id, incidentId, intervalMs }: Watched, { round }: Result): void {
    if (incidentId === null) return
    const oldest = round - (2 * intervalMs + beforeIncidentMs) * 1000
    for (const told of this.#held.take(id)) if (told.round >= oldest) this.#queue({ ...told, incidentId })
  }

  /** The newest counts, and of an incident the first. */
  #queue(told: NewView): void {
    const { monitorId, incidentId, location, view } = told
    const key = incidentId === null ? `${monitorId} ${location} ${view.status === 'down'}` : `${incidentId} ${location}`
    if (incidentId !== null && this.#waiting.has(key)) return
    this.#waiting.set(key, told)
  }

  #dropSurplus(): void {
    const surplus = this.#waiting.size - maxWaiting
    if (surplus <= 0) return
    for (const key of [...this.#waiting.keys()].slice(0, surplus)) this.#waiting.delete(key)
    this.#options.onLost({ count: surplus })
  }

  async #write(): Promise<void> {
    while (this.#waiting.size > 0) {
      const list = [...this.#waiting].slice(0, writtenAtOnce)
      for (const [key] of list) this.#waiting.delete(key)
      try {
        await this.#options.keep(list.map(([, told]) => told))
      } catch (error) {
        this.#options.onLost({ count: list.length, error: String(error) })
      }
    }
    this.#writing = null
  }
}

function isTelling({ view, evidence }: Result): boolean {
  return view !== undefined || evidence !== undefined
}

/** Null where there is nothing to compare, and of a check of another version. */
function seenOf({ version, source, locations }: Watched, result: Result): View | null {
  const { verdict, view, evidence } = result
  if (verdict === null || result.version !== version) return null
  if (source.type !== 'probed' || locations.length < 2) return null
  if (view !== undefined) return { ...view, status: verdict.status }
  return evidence === undefined ? null : viewOf(verdict, evidence)
}
