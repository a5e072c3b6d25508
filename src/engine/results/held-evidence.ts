import type { NewEvidence } from '#store/incidents/evidence.ts'

export type HeldPiece = Omit<NewEvidence, 'incidentId'>

type Placed = { monitorId: string; location: string }

/** Pieces of at most 32 KB, which are 16 MB. */
const maxHeld = 512

/** Evidence of failures that opened no incident so far: of each monitor and location the newest. */
export class HeldEvidence<Piece extends Placed = HeldPiece> {
  /** By monitor and location, the longest held first. */
  readonly #held = new Map<string, Map<string, Piece>>()
  #count = 0

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** With no room left, the monitor goes whose evidence was held for the longest time. */
  hold(piece: Piece): void {
    const { monitorId, location } = piece
    this.drop(monitorId, location)
    const [oldest] = this.#held.keys()
    if (this.#count >= maxHeld && oldest !== undefined) this.take(oldest)
    const ofMonitor = this.#held.get(monitorId) ?? new Map<string, Piece>()
    this.#held.set(monitorId, ofMonitor)
    ofMonitor.set(location, piece)
    this.#count += 1
  }

  drop(monitorId: string, location: string): void {
    const ofMonitor = this.#held.get(monitorId)
    if (ofMonitor === undefined || !ofMonitor.delete(location)) return
    this.#count -= 1
    if (ofMonitor.size === 0) this.#held.delete(monitorId)
  }

  take(monitorId: string): Piece[] {
    const pieces = [...(this.#held.get(monitorId)?.values() ?? [])]
    this.#held.delete(monitorId)
    this.#count -= pieces.length
    return pieces
  }
}
