import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Result } from '#core/results/result.ts'
import { isCalled, type ModelDatabase } from './model-database.ts'
import type { Process, VirtualTime } from './virtual-time.ts'

type Sent = { result: Result; process: Process; sentMs: number; isDurable: boolean }

/** What probers gave to the bus. Some of it is sent twice, and checked twice where an engine asked again. */
export class SentResults {
  readonly #virtual: Pick<VirtualTime, 'nowMs'>
  readonly #sent = new Map<string, Sent[]>()

  constructor(virtual: Pick<VirtualTime, 'nowMs'>) {
    this.#virtual = virtual
  }

  note(process: Process, results: readonly Result[]): void {
    const sentMs = this.#virtual.nowMs
    for (const result of results) {
      const same = this.#of(result)
      if (!same.some((each) => each.result === result)) same.push({ result, process, sentMs, isDurable: false })
    }
  }

  /** The broker has them. */
  kept(results: readonly Result[]): void {
    for (const result of results) for (const each of this.#of(result)) if (each.result === result) each.isDurable = true
  }

  /** A location that could not tell sends a result without verdict, which is heard and stored nowhere. */
  hasToldNothing(monitorId: string, round: number, location: string): boolean {
    return this.#sent.get(keyOf(monitorId, round, location))?.some(({ result }) => result.verdict === null) ?? false
  }

  #of({ monitorId, round, location }: Result): Sent[] {
    const key = keyOf(monitorId, round, location)
    const same = this.#sent.get(key) ?? []
    this.#sent.set(key, same)
    return same
  }

  /**
   * In the end, everything is stored that the broker had or that a prober still holds, and as it was sent, but for what
   * was set aside and what left later than so long ago. A call that could not be published is turned away, and not held.
   */
  assertStored(database: ModelDatabase, onTheirWayMs: number): void {
    const lastMs = this.#virtual.nowMs - onTheirWayMs
    const names = new Map(Array.from(database.locations, ([code, id]) => [id, code]))
    const called = new Set([...database.monitors.values()].filter(isCalled).map(({ id }) => id))
    const stored = new Set<string>()
    for (const [monitorKey, results] of database.results)
      for (const { round, locationId, verdict } of results.values()) {
        const monitor = database.monitors.get(monitorKey) ?? assert.fail('A monitor is gone.')
        const key = keyOf(monitor.id, round, names.get(locationId) ?? '')
        stored.add(key)
        // What is stored of calls, and of deadlines that passed without one, is looked at as it is stored.
        if (isCalled(monitor)) continue
        const isAsSent = this.#sent.get(key)?.some(({ result }) => isDeepStrictEqual(result.verdict, verdict)) ?? false
        assert.ok(isAsSent, `Stored and not sent: ${key} ${JSON.stringify(verdict)}`)
      }
    for (const { result } of database.rejected) stored.add(keyOf(result.monitorId, result.round, result.location))
    for (const [key, sent] of this.#sent) {
      const isExpected = sent.some(({ result, process, sentMs, isDurable }) => {
        const isHeld = !process.isDead && !called.has(result.monitorId)
        return result.verdict !== null && sentMs < lastMs && (isDurable || isHeld)
      })
      assert.ok(!isExpected || stored.has(key), `Sent and not stored: ${key}`)
    }
  }
}

function keyOf(monitorId: string, round: number, location: string): string {
  return `${monitorId}/${round}/${location}`
}
