import { Heap, type Timed } from '#core/language/heap.ts'
import type { Time } from '#time/time.ts'

type Event = Timed & { readonly work: () => void }

/** Time that passes only from one event to the next. Events of the same moment come in an order that is always the same. */
export class VirtualTime {
  readonly #events = new Heap<Event>()
  #nowMs = 0
  #isStopped = false

  get nowMs(): number {
    return this.#nowMs
  }

  /** Returns a function that takes the event back. */
  after(ms: number, work: () => void): () => void {
    const event = { dueMs: this.#nowMs + Math.max(0, ms), heapIndex: -1, work }
    this.#events.place(event)
    return () => this.#events.remove(event)
  }

  /** No event comes any more. */
  stop(): void {
    this.#isStopped = true
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Whatever an event sets going without a timer is done before the next one. */
  async runUntil(endMs: number): Promise<void> {
    for (let next = this.#events.peek(); next !== undefined && next.dueMs <= endMs; next = this.#events.peek()) {
      this.#events.remove(next)
      this.#nowMs = next.dueMs
      next.work()
      await allSettled()
      if (this.#isStopped) return
    }
    this.#nowMs = endMs
  }
}

/** Node runs all microtasks before the next turn of its event loop. */
function allSettled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The clock of the database, by which all processes correct theirs. It jumps when it is set. */
export class Clock {
  readonly startedMs: number
  /** Since when, in virtual time, it has been ahead by how much. */
  readonly #settings: { sinceMs: number; aheadMs: number }[] = [{ sinceMs: -Infinity, aheadMs: 0 }]

  constructor(startedMs: number) {
    this.startedMs = startedMs
  }

  get aheadMs(): number {
    return this.#settings.at(-1)?.aheadMs ?? 0
  }

  get jumps(): number {
    return this.#settings.length - 1
  }

  get hasJumped(): boolean {
    return this.jumps > 0
  }

  hasJumpedSince(sinceMs: number): boolean {
    return this.#settings.some((setting) => setting.sinceMs >= sinceMs)
  }

  jump(byMs: number, nowMs: number): void {
    this.#settings.push({ sinceMs: nowMs, aheadMs: this.aheadMs + byMs })
  }

  /** The moments of virtual time, up to `knownMs`, at which it may have been this time by the clock of some process. */
  momentsOf(timeMs: number, knownMs: number): number[] {
    const moments = this.#settings.map(({ aheadMs }) => timeMs - this.startedMs - aheadMs)
    return moments.filter((momentMs) => momentMs <= knownMs)
  }
}

/** A process knows of a jump of the database's clock after this time at the latest. */
export const followMs = 10_000

/** A process of the installation. Once it is killed, nothing that it began goes on. */
export class Process {
  readonly name: string
  readonly time: Time
  readonly #virtual: VirtualTime
  readonly #clock: Clock
  readonly #deaths = new Set<() => void>()
  #isDead = false
  #stalledUntilMs = -Infinity
  #aheadMs: number

  constructor(name: string, virtual: VirtualTime, clock: Clock) {
    this.name = name
    this.#virtual = virtual
    this.#clock = clock
    this.#aheadMs = clock.aheadMs
    this.time = this.#makeTime()
  }

  get isDead(): boolean {
    return this.#isDead
  }

  kill(): void {
    this.#isDead = true
    for (const work of this.#deaths) work()
    this.#deaths.clear()
  }

  /** It stands still for so long; then all comes at once. */
  stall(ms: number): void {
    this.#stalledUntilMs = this.#virtual.nowMs + ms
  }

  /** Returns a function that takes it back. */
  onDeath(work: () => void): () => void {
    this.#deaths.add(work)
    return () => this.#deaths.delete(work)
  }

  /** Does work of this process, once it turns again; never, if it is dead by then. */
  run(work: () => void): void {
    if (this.#isDead) return
    const leftMs = this.#stalledUntilMs - this.#virtual.nowMs
    if (leftMs > 0) this.#virtual.after(leftMs, () => this.run(work))
    else work()
  }

  /** Looks at the clock of the database again. */
  followClock(): void {
    this.#aheadMs = this.#clock.aheadMs
  }

  #makeTime(): Time {
    const after: Time['after'] = (ms, work) => this.#virtual.after(ms, () => this.run(work))
    return {
      // Whole milliseconds, as store/database/clock has them: rounds are named by them.
      nowMs: () => Math.floor(this.#clock.startedMs + this.#aheadMs + this.#virtual.nowMs),
      steadyMs: () => this.#virtual.nowMs,
      after,
      every: (ms, work) => {
        let cancel = after(ms, turn)
        function turn(): void {
          cancel = after(ms, turn)
          work()
        }
        return () => cancel()
      },
      soon: (work) => after(0, work),
      pause: (ms) => new Promise((resolve) => after(ms, resolve)),
    }
  }
}
