import type { Assignment } from '#core/monitors/check.ts'
import type { Asked } from '#engine/locations/presence.ts'

export type Asking = { engine: string; nowMs: number; location: string; prober: string }

/** Which engine asked which locations for which rounds. */
export class AskedRounds {
  /** By monitor and round, then by engine, then by location. */
  readonly #rounds = new Map<string, Map<number, Map<string, Map<string, Asked>>>>()

  note({ engine, nowMs, location, prober }: Asking, list: readonly Assignment[]): void {
    for (const { monitorId, round } of list) {
      const rounds = kept(this.#rounds, monitorId, () => new Map())
      const engines = kept(rounds, round, () => new Map())
      kept(engines, engine, () => new Map()).set(location, { location, prober, askedMs: nowMs })
    }
  }

  roundsOf(monitorId: string): number[] {
    return [...(this.#rounds.get(monitorId)?.keys() ?? [])]
  }

  /** Whom an engine asked last, of each location. */
  askedBy(engine: string, { monitorId, round }: { monitorId: string; round: number }): Asked[] {
    return [...(this.#rounds.get(monitorId)?.get(round)?.get(engine)?.values() ?? [])]
  }

  /** The locations that each engine asked. */
  takingsOf(monitorId: string, round: number): string[][] {
    return Array.from(this.#rounds.get(monitorId)?.get(round)?.values() ?? [], (asked) => [...asked.keys()])
  }
}

function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
