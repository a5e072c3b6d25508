// The hops to a target, found by probes that live for one hop, for two, and so on, as by traceroute(8).
import { maxHops } from '#core/incidents/route.ts'
import type { AnswerType } from './route-packet.ts'
import type { Heard, ProbeWire } from './route-wire.ts'

export type TracedHop = {
  ttl: number
  /** The router that answered most probes; null where none did. */
  address: string | null
  sent: number
  received: number
  /** In fractions of milliseconds, in the order of the probes. */
  rttsMs: readonly number[]
}

export type TracedEnd =
  | { type: 'reached' | 'silent' | 'timed_out' | 'too_long' }
  /** `code` as the router told it. */
  | { type: 'unreachable'; code: number }
  /** The system did not send: the code of its error. */
  | { type: 'unsent'; error: string }

export type Traced = { hops: readonly TracedHop[]; end: TracedEnd }

export type Pacing = {
  /** Hops that are probed beside each other. */
  window: number
  /** Between two probes of one hop. Routers answer few probes in a row. */
  spacingMs: number
  /** How long an answer may take. */
  waitMs: number
  /** How often answers are looked for. The kernel stamps them, so that their times are exact. */
  lookMs: number
}

export const usualPacing: Pacing = { window: 10, spacingMs: 60, waitMs: 1_000, lookMs: 20 }
const probesPerHop = 3
/** After so many silent hops in a row nothing more is expected. */
export const maxSilent = 5

/** Ends by `signal` at the latest, with what is known then. */
export async function traceHops(wire: ProbeWire, pacing: Pacing, signal: AbortSignal): Promise<Traced> {
  return new HopTrace(wire, pacing, signal).run()
}

type Probe = { ttl: number; sentMs: number; heard: Heard | null }

class HopTrace {
  readonly #wire: ProbeWire
  readonly #pacing: Pacing
  readonly #signal: AbortSignal
  /** Their numbers are their places. */
  readonly #probes: Probe[] = []
  #unsent: string | null = null

  constructor(wire: ProbeWire, pacing: Pacing, signal: AbortSignal) {
    this.#wire = wire
    this.#pacing = pacing
    this.#signal = signal
  }

  async run(): Promise<Traced> {
    const { window } = this.#pacing
    for (let first = 1; first <= maxHops && !this.#signal.aborted; first += window) {
      const last = Math.min(first + window - 1, maxHops)
      await this.#probeWindow(first, last)
      if (this.#lastTtl() <= last || this.#silentAtEnd(last) >= maxSilent || this.#unsent !== null) break
    }
    return this.#outcome()
  }

  async #probeWindow(first: number, last: number): Promise<void> {
    const { spacingMs, waitMs } = this.#pacing
    for (let turn = 0; turn < probesPerHop && !this.#signal.aborted && this.#unsent === null; turn += 1) {
      for (let ttl = first; ttl <= Math.min(last, this.#lastTtl()); ttl += 1) this.#send(ttl)
      // A far router is not asked for hops beyond the target only because its answer takes longer than the spacing.
      if (turn < probesPerHop - 1) await this.#listen(spacingMs, false)
    }
    await this.#listen(waitMs, true)
  }

  #send(ttl: number): void {
    // An answer of this machine comes before the call that sends has ended.
    const sentMs = performance.now()
    const error = this.#wire.send(this.#probes.length, ttl)
    if (error === null) this.#probes.push({ ttl, sentMs, heard: null })
    else if (this.#probes.length === 0) this.#unsent = error
  }

  /** Takes what comes for this time, or until every probe up to the target has its answer. */
  async #listen(ms: number, endsEarly: boolean): Promise<void> {
    const until = performance.now() + ms
    for (;;) {
      for (const heard of this.#wire.receive()) this.#take(heard)
      const leftMs = until - performance.now()
      if (leftMs <= 0 || this.#signal.aborted || this.#unsent !== null || (endsEarly && this.#isAnswered())) return
      await untilDue(Math.min(this.#pacing.lookMs, leftMs), this.#signal)
    }
  }

  /** The first answer of a probe counts. */
  #take(heard: Heard): void {
    const probe = this.#probes[heard.probe]
    if (probe !== undefined) probe.heard ??= heard
  }

  #isAnswered(): boolean {
    const last = this.#lastTtl()
    return this.#probes.every(({ ttl, heard }) => heard !== null || ttl > last)
  }

  /** The hop at which the route ends; infinite as long as that is not known. */
  #lastTtl(): number {
    return this.#probes.reduce((least, { ttl, heard }) => (isEnd(heard) ? Math.min(least, ttl) : least), Infinity)
  }

  #silentAtEnd(last: number): number {
    const heard = this.#probes.filter((probe) => probe.heard !== null && probe.ttl <= last)
    return last - heard.reduce((greatest, { ttl }) => Math.max(greatest, ttl), 0)
  }

  #outcome(): Traced {
    const probed = this.#probes.reduce((greatest, { ttl }) => Math.max(greatest, ttl), 0)
    const last = Math.min(this.#lastTtl(), probed)
    const silent = this.#silentAtEnd(last)
    const shown = silent > maxSilent ? last - silent + maxSilent : last
    const hops = Array.from({ length: shown }, (_, index) => this.#hopOf(index + 1))
    return { hops, end: this.#endAt(last, silent) }
  }

  #endAt(last: number, silent: number): TracedEnd {
    if (this.#unsent !== null) return { type: 'unsent', error: this.#unsent }
    const ends = this.#probes.flatMap(({ ttl, heard }) => (ttl === last && isEnd(heard) && heard ? [heard] : []))
    if (ends.some(({ type }) => type === 'reply')) return { type: 'reached' }
    const [unreachable] = ends
    if (unreachable !== undefined) return { type: 'unreachable', code: unreachable.code }
    if (this.#signal.aborted) return { type: 'timed_out' }
    return { type: silent >= maxSilent ? 'silent' : 'too_long' }
  }

  #hopOf(at: number): TracedHop {
    const probes = this.#probes.filter(({ ttl }) => ttl === at)
    const answered = probes.flatMap(({ sentMs, heard }) => (heard === null ? [] : [{ sentMs, heard }]))
    const rttsMs = answered.map(({ sentMs, heard }) => Math.max(0, heard.receivedMs - sentMs))
    const address = mostOf(answered.map(({ heard }) => heard.sender))
    return { ttl: at, address, sent: probes.length, received: answered.length, rttsMs }
  }
}

const ends: ReadonlySet<AnswerType> = new Set(['reply', 'unreachable'])

function isEnd(heard: Heard | null): boolean {
  return heard !== null && ends.has(heard.type)
}

/** The one that is there most often, of several the first; null where there is none. */
function mostOf(addresses: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1)
  let found: string | null = null
  for (const [address, count] of counts) if (found === null || count > (counts.get(found) ?? 0)) found = address
  return found
}

function untilDue(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}
