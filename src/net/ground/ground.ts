// Whether a failure may be blamed on its target: not while this machine has no network itself
// (docs/decisions/rounds-and-time.md, "The prober's own network").
import { type Ask, type Asks, createAsks, type Subject } from './asks.ts'
import { type Destination, type Destinations, reachOf } from './destinations.ts'
import type { Trace } from './trace.ts'

/**
 * `held`: references answered, so the failure is the target's. `lost`: this machine had no network meanwhile.
 * `unverified`: nothing else ever answered here, so there is nothing to tell the two apart by.
 */
export type Standing = 'held' | 'lost' | 'unverified'

export type Ground = {
  /** Keeps an eye on a check that runs, until `unwatch`. */
  watch: (trace: Trace) => void
  unwatch: (trace: Trace) => void
  /** Of a check that failed just now. Takes as long as the references take to answer, 4 s at most. */
  standing: (trace: Trace) => Promise<Standing>
  /** Resolves when references answer again, or at `untilMs`; false then. */
  isBack: (trace: Trace, untilMs: number) => Promise<boolean>
  /** Whether references answer now. */
  answersNow: (trace: Trace) => boolean
  /** For how long this machine has had no network, or no name server, as its checks see it; null while it has both. */
  lostForMs: () => number | null
  stop: () => void
}

export type GroundOptions = {
  destinations: Destinations
  /** Named by the operator, names or addresses: they count as answering whenever this machine has a network. */
  configured: readonly Destination[]
  /** Addresses that answer all over the Internet, and count once one of them has answered. Empty: none is asked. */
  roots: readonly Destination[]
  /** The same for private networks; more than one may be of one host. */
  gateways: () => readonly Destination[]
  /** Resolves to whether it accepted or refused a connection, which is an answer too. */
  connect: (reference: Destination) => Promise<boolean>
  /** Whether any name server answers anything. */
  resolverAnswers: () => Promise<boolean>
}

/** A check that heard nothing for so long is doubted, and references are asked so often. */
const askEveryMs = 1_000
/** References that are silent for so long during a check have no network between them and this machine. */
const lostAfterMs = 3_000
/**
 * A shorter silence that ended is enough to doubt a check: connections are tried again after ever longer pauses
 * (RFC 6298), so a check may hear nothing for seconds after its network is back.
 */
const lostBrieflyMs = 1_000
const standingMs = 4_000
const lookEveryMs = 50
const maxReferences = 8
/** The first of the references has so long before the others are asked beside it. */
const headStartMs = 300
/** How often the last resort is asked while all is well, and hardly anything else has answered. */
const lastlyEveryMs = 600_000
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
  #waiting: Record<Subject, number> = { private: 0, public: 0, names: 0 }
  #lastAsks: Partial<Record<Subject, Ask>> = {}
  /** Since when a check of each sort told nothing because the references were silent. */
  readonly #lost = new Map<Subject, number>()
  /** Subjects whose last resort has ever answered. */
  readonly #haveAnswered = new Set<Subject>()
  readonly #lastlyAskedMs = new Map<Subject, number>()

  constructor(options: GroundOptions) {
    this.#options = options
    this.#asks = createAsks()
    this.#timer = setInterval(() => this.#tick(), askEveryMs)
    this.#timer.unref()
  }

  watch(trace: Trace): void {
    this.#watched.add(trace)
  }

  unwatch(trace: Trace): void {
    this.#watched.delete(trace)
    if (this.#lost.size === 0) return
    const subject = trace.heardMs === null ? null : subjectOf(trace)
    if (subject !== null) this.#lost.delete(subject)
    if (trace.addresses.size > 0 && trace.unresolved === null) this.#lost.delete('names')
  }

  async standing(trace: Trace): Promise<Standing> {
    const subject = failedAt(trace)
    const standing = await this.#standingOf(trace, subject)
    if (subject === null) return standing
    if (standing === 'held') this.#lost.delete(subject)
    if (standing === 'lost' && !this.#lost.has(subject)) this.#lost.set(subject, trace.startedMs)
    return standing
  }

  async #standingOf(trace: Trace, subject: Subject | null): Promise<Standing> {
    const endMs = performance.now()
    const hasJustSpoken = trace.heardMs !== null && endMs - trace.heardMs < askEveryMs
    if (subject === null || hasJustSpoken) return 'held'
    if (trace.unresolved === 'unreachable') return 'lost'
    const { destinations } = this.#options
    if (subject !== 'names' && trace.noRoute?.some((family) => destinations.hasWorked(family, subject)) === true)
      return 'lost'
    return this.#whileAsking(subject, () => this.#heard(trace, { subject, endMs }))
  }

  async isBack(trace: Trace, untilMs: number): Promise<boolean> {
    const subject = failedAt(trace)
    if (subject === null) return true
    const sinceMs = performance.now()
    return this.#whileAsking(subject, async () => {
      while (performance.now() < untilMs) {
        if (this.#asks.since(sinceMs, subject, trace.addresses).isAnswered) return true
        await this.#look()
      }
      return false
    })
  }

  answersNow(trace: Trace): boolean {
    const subject = failedAt(trace)
    const sinceMs = performance.now() - 2 * askEveryMs
    return subject === null || this.#asks.since(sinceMs, subject, trace.addresses).isAnswered
  }

  lostForMs(): number | null {
    return this.#lost.size === 0 ? null : performance.now() - Math.min(...this.#lost.values())
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Until the references of this subject have said enough. */
  async #heard(trace: Trace, { subject, endMs }: { subject: Subject; endMs: number }): Promise<Standing> {
    const untilMs = endMs + standingMs
    for (;;) {
      const during = this.#asks.since(trace.startedMs, subject, trace.addresses)
      if (during.silentMs >= lostAfterMs || during.brokenSilenceMs >= lostBrieflyMs) return 'lost'
      const atEnd = this.#asks.since(endMs - askEveryMs, subject, trace.addresses)
      if (atEnd.isAnswered) return 'held'
      const isAsked = during.isAsked || atEnd.isAsked
      if (!isAsked && !this.#hasOthers(subject)) return 'unverified'
      if (performance.now() >= untilMs) return isAsked ? 'lost' : 'unverified'
      await this.#look()
    }
  }

  /** Whether anything may still turn out to be a reference, beside what accepted connections. */
  #hasOthers(subject: Subject): boolean {
    return this.#configured(subject).length > 0 || this.#lastResort(subject).length > 0
  }

  /** The references that are asked where hardly any other is known. */
  #lastResort(subject: Subject): readonly Destination[] {
    switch (subject) {
      case 'public':
        return this.#options.roots
      case 'private':
        return this.#options.gateways()
      case 'names':
        return []
    }
  }

  #configured(subject: Subject): Destination[] {
    return this.#options.configured.filter(({ host }) => reachOf(host) === subject)
  }

  async #whileAsking<T>(subject: Subject, work: () => Promise<T>): Promise<T> {
    this.#waiting[subject] += 1
    const last = this.#lastAsks[subject]
    if (last === undefined || performance.now() - last.atMs >= askEveryMs) this.#ask(subject)
    try {
      return await work()
    } finally {
      this.#waiting[subject] -= 1
    }
  }

  #look(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }

  #tick(): void {
    this.#lookForReturn()
    const doubted = new Set(subjects.filter((subject) => this.#waiting[subject] > 0 || this.#lost.has(subject)))
    const silentSinceMs = performance.now() - askEveryMs
    for (const trace of this.#watched) {
      if (trace.startedMs > silentSinceMs || doubted.size === subjects.length) break
      const subject = subjectOf(trace)
      if (subject !== null && (trace.heardMs === null || trace.heardMs < silentSinceMs)) doubted.add(subject)
    }
    for (const subject of doubted) this.#ask(subject)
    for (const subject of ['public', 'private'] as const) {
      const known = this.#options.destinations.pick(subject, enoughNetworks).length
      const askedMs = this.#lastlyAskedMs.get(subject) ?? -Infinity
      if (known > 0 && known < enoughNetworks && performance.now() - askedMs > lastlyEveryMs)
        this.#askLastly(subject, null)
    }
  }

  /** A network that was lost is asked for until it is back, also while no check is made. */
  #lookForReturn(): void {
    const sinceMs = performance.now() - 2 * askEveryMs
    for (const subject of this.#lost.keys())
      if (this.#asks.since(sinceMs, subject, nobody).isAnswered) this.#lost.delete(subject)
  }

  #ask(subject: Subject): void {
    if (subject === 'names') return void this.#askResolver()
    const references = [...this.#configured(subject), ...this.#options.destinations.pick(subject, maxReferences)]
    const wasSilent = this.#lastAsks[subject]?.answers.size === 0
    const ask = this.#begin(
      subject,
      references.map(({ host }) => host),
    )
    const [first, ...others] = references
    if (first !== undefined) void this.#connect(first, ask)
    if (others.length > 0)
      setTimeout(() => {
        if (ask.answers.size === 0) for (const other of others) void this.#connect(other, ask)
      }, headStartMs).unref()
    if (wasSilent || references.length < enoughNetworks) this.#askLastly(subject, ask)
  }

  #begin(subject: Subject, asked: readonly string[]): Ask {
    const ask = this.#asks.begin(subject, asked)
    this.#lastAsks[subject] = ask
    return ask
  }

  async #askResolver(): Promise<void> {
    const ask = this.#begin('names', [nameServers])
    if (await this.#options.resolverAnswers()) ask.answers.set(nameServers, performance.now())
  }

  /** The last resort counts as asked once any of it has ever answered: a network may filter what goes there. */
  #askLastly(subject: Subject, ask: Ask | null): void {
    this.#lastlyAskedMs.set(subject, performance.now())
    for (const reference of this.#lastResort(subject)) {
      if (this.#haveAnswered.has(subject)) ask?.asked.add(reference.host)
      void this.#askOfLast(subject, reference, ask)
    }
  }

  async #askOfLast(subject: Subject, reference: Destination, ask: Ask | null): Promise<void> {
    if (!(await this.#connect(reference, ask))) return
    this.#haveAnswered.add(subject)
    ask?.asked.add(reference.host)
  }

  async #connect(reference: Destination, ask: Ask | null): Promise<boolean> {
    const isAnswered = await this.#options.connect(reference)
    if (isAnswered) ask?.answers.set(reference.host, performance.now())
    return isAnswered
  }
}

const nobody: ReadonlySet<string> = new Set()
const subjects: readonly Subject[] = ['private', 'public', 'names']
/** All of them together are one reference. */
const nameServers = 'name servers'

/** What a check waits for: its names, or its target, as far away as the farthest of its addresses. */
function subjectOf({ addresses }: Trace): Subject | null {
  if (addresses.size === 0) return 'names'
  const reaches = new Set([...addresses].map((address) => reachOf(address)))
  if (reaches.has('public')) return 'public'
  return reaches.has('private') ? 'private' : null
}

/** The same of a check that failed. Null where it needs no network: this machine answered, or a name server did. */
function failedAt(trace: Trace): Subject | null {
  if (trace.unresolved !== null) return 'names'
  return trace.addresses.size === 0 ? null : subjectOf(trace)
}
