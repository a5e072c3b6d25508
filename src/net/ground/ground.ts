// Whether a failure may be blamed on its target: not while this machine has no network itself
// (docs/decisions/rounds-and-time.md, "The prober's own network").
import { type Ask, type Asks, createAsks } from './asks.ts'
import { type Destination, type Destinations, type Reach, reachOf } from './destinations.ts'
import type { Trace } from './trace.ts'

/**
 * `held`: references answered, so the failure is the target's. `lost`: this machine had no network meanwhile.
 * `unverified`: nothing else ever answered here, so there is nothing to tell the two apart by.
 */
export type Standing = 'held' | 'lost' | 'unverified'

export type Ground = {
  /** Keeps an eye on a check that runs; the returned function ends that. */
  watch: (trace: Trace) => () => void
  /** Of a check that failed just now. Takes as long as the references take to answer, 4 s at most. */
  standing: (trace: Trace) => Promise<Standing>
  /** Resolves when references answer again, or at `untilMs`; false then. */
  isBack: (trace: Trace, untilMs: number) => Promise<boolean>
  /** Whether references answer now. */
  answersNow: (trace: Trace) => boolean
  stop: () => void
}

export type GroundOptions = {
  destinations: Destinations
  /** Named by the operator, names or addresses: they count as answering whenever this machine has a network. */
  configured: readonly Destination[]
  /** Addresses that answer all over the Internet, and count once one of them has answered. Empty: none is asked. */
  roots: readonly Destination[]
  /** Resolves to whether it accepted or refused a connection, which is an answer too. */
  connect: (reference: Destination) => Promise<boolean>
  /** Whether any name server answers anything. */
  resolverAnswers: () => Promise<boolean>
}

/** A check that heard nothing for so long is doubted, and references are asked so often. */
const askEveryMs = 1_000
/** References that are silent for so long during a check have no network between them and this machine. */
const lostAfterMs = 3_000
const standingMs = 4_000
const lookEveryMs = 50
const maxReferences = 8
/** The first of the references has so long before the others are asked beside it. */
const headStartMs = 300
/** How often the root name servers are asked while all is well, and hardly anything else has answered. */
const rootsEveryMs = 600_000
const enoughNetworks = 3

export function createGround(options: GroundOptions): Ground {
  return new WatchedGround(options)
}

class WatchedGround implements Ground {
  readonly #options: GroundOptions
  readonly #asks: Asks
  /** In the order in which their checks began. */
  readonly #watched = new Set<Trace>()
  readonly #timer: NodeJS.Timeout
  #waiting: Record<Reach, number> = { machine: 0, private: 0, public: 0 }
  #lastAsks: Partial<Record<Reach, Ask>> = {}
  #haveRootsAnswered = false
  #rootsAskedMs = -Infinity

  constructor(options: GroundOptions) {
    this.#options = options
    this.#asks = createAsks()
    this.#timer = setInterval(() => this.#tick(), askEveryMs)
    this.#timer.unref()
  }

  watch(trace: Trace): () => void {
    this.#watched.add(trace)
    return () => this.#watched.delete(trace)
  }

  async standing(trace: Trace): Promise<Standing> {
    const { destinations, resolverAnswers } = this.#options
    if (trace.isUnresolved) return (await resolverAnswers()) ? 'held' : 'lost'
    const reach = reachOfTrace(trace)
    const endMs = performance.now()
    const hasJustSpoken = trace.heardMs !== null && endMs - trace.heardMs < askEveryMs
    if (reach === 'machine' || hasJustSpoken) return 'held'
    if ([...trace.noRoute].some((family) => destinations.hasWorked(family, reach))) return 'lost'
    return this.#whileAsking(reach, () => this.#heard(trace, { reach, endMs }))
  }

  async isBack(trace: Trace, untilMs: number): Promise<boolean> {
    const reach = reachOfTrace(trace)
    const sinceMs = performance.now()
    const isThere = async (): Promise<boolean> =>
      trace.isUnresolved
        ? this.#options.resolverAnswers()
        : this.#asks.since(sinceMs, reach, trace.addresses).isAnswered
    return this.#whileAsking(reach, async () => {
      while (performance.now() < untilMs) {
        if (await isThere()) return true
        await this.#look()
      }
      return false
    })
  }

  answersNow(trace: Trace): boolean {
    const sinceMs = performance.now() - 2 * askEveryMs
    return this.#asks.since(sinceMs, reachOfTrace(trace), trace.addresses).isAnswered
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Until the references of this reach have said enough. */
  async #heard(trace: Trace, { reach, endMs }: { reach: Reach; endMs: number }): Promise<Standing> {
    const untilMs = endMs + standingMs
    for (;;) {
      const during = this.#asks.since(trace.startedMs, reach, trace.addresses)
      if (during.silentMs >= lostAfterMs) return 'lost'
      const atEnd = this.#asks.since(endMs - askEveryMs, reach, trace.addresses)
      if (atEnd.isAnswered) return 'held'
      if (!during.isAsked && !this.#hasOthers(reach)) return 'unverified'
      if (performance.now() >= untilMs) return during.isAsked ? 'lost' : 'unverified'
      await this.#look()
    }
  }

  /** Whether anything may still turn out to be a reference, beside what accepted connections. */
  #hasOthers(reach: Reach): boolean {
    const { roots } = this.#options
    return this.#configured(reach).length > 0 || (reach === 'public' && roots.length > 0)
  }

  #configured(reach: Reach): Destination[] {
    return this.#options.configured.filter(({ host }) => reachOf(host) === reach)
  }

  async #whileAsking<T>(reach: Reach, work: () => Promise<T>): Promise<T> {
    this.#waiting[reach] += 1
    const last = this.#lastAsks[reach]
    if (last === undefined || performance.now() - last.atMs >= askEveryMs) this.#ask(reach)
    try {
      return await work()
    } finally {
      this.#waiting[reach] -= 1
    }
  }

  #look(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }

  #tick(): void {
    const doubted = new Set<Reach>()
    for (const reach of ['private', 'public'] as const) if (this.#waiting[reach] > 0) doubted.add(reach)
    const silentSinceMs = performance.now() - askEveryMs
    for (const trace of this.#watched) {
      if (trace.startedMs > silentSinceMs || doubted.size === 2) break
      if (trace.heardMs === null || trace.heardMs < silentSinceMs) doubted.add(reachOfTrace(trace))
    }
    doubted.delete('machine')
    for (const reach of doubted) this.#ask(reach)
    const { destinations } = this.#options
    const known = destinations.pick('public', enoughNetworks).length
    if (known > 0 && known < enoughNetworks && performance.now() - this.#rootsAskedMs > rootsEveryMs)
      this.#askRoots(null)
  }

  #ask(reach: Reach): void {
    const references = [...this.#configured(reach), ...this.#options.destinations.pick(reach, maxReferences)]
    const wasSilent = this.#lastAsks[reach]?.answers.size === 0
    const ask = this.#asks.begin(
      reach,
      references.map(({ host }) => host),
    )
    this.#lastAsks[reach] = ask
    const [first, ...others] = references
    if (first !== undefined) void this.#connect(first, ask)
    if (others.length > 0)
      setTimeout(() => {
        if (ask.answers.size === 0) for (const other of others) void this.#connect(other, ask)
      }, headStartMs).unref()
    if (reach === 'public' && (wasSilent || references.length < enoughNetworks)) this.#askRoots(ask)
  }

  /** They count as asked once one of them has ever answered: a network may filter what goes there. */
  #askRoots(ask: Ask | null): void {
    this.#rootsAskedMs = performance.now()
    for (const root of this.#options.roots) {
      if (this.#haveRootsAnswered) ask?.asked.add(root.host)
      void this.#askRoot(root, ask)
    }
  }

  async #askRoot(root: Destination, ask: Ask | null): Promise<void> {
    if (!(await this.#connect(root, ask))) return
    this.#haveRootsAnswered = true
    ask?.asked.add(root.host)
  }

  async #connect(reference: Destination, ask: Ask | null): Promise<boolean> {
    const isAnswered = await this.#options.connect(reference)
    if (isAnswered) ask?.answers.set(reference.host, performance.now())
    return isAnswered
  }
}

/** As far away as the farthest of its addresses. */
function reachOfTrace({ addresses }: Trace): Reach {
  const reaches = new Set([...addresses].map((address) => reachOf(address)))
  if (reaches.has('public')) return 'public'
  return reaches.has('private') ? 'private' : 'machine'
}
