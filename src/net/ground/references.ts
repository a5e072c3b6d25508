// Who is asked whether this machine has a network, and who of them has ever answered.
import { isIP } from 'node:net'
import { type Ask, createAsks, type IsOwn, type Said, type Subject } from './asks.ts'
import { type Destination, type Destinations, farthestOf, reachOf } from './destinations.ts'

export type ReferenceOptions = {
  destinations: Pick<Destinations, 'pick'>
  /** Named by the operator, names or addresses. Each counts once it has answered, since a setting may be mistyped. */
  configured: readonly Destination[]
  /** Addresses that answer all over the Internet, and count once one of them has answered. Empty: none is asked. */
  roots: readonly Destination[]
  /** The same for private networks; more than one may be of one host. */
  gateways: () => readonly Destination[]
  /**
   * Resolves to the addresses to which a reference led, if it accepted or refused a connection, which is an answer too;
   * else to null.
   */
  connect: (reference: Destination) => Promise<readonly string[] | null>
  /** Whether any name server knows those of the root, which it may have from its memory. */
  resolverAnswers: () => Promise<boolean>
}

export type References = {
  /** Asks once, at destinations of checks other than those in doubt, which have the addresses `avoided`. */
  ask: (subject: Subject, avoided: ReadonlySet<string>, manner?: Manner) => void
  /** When references for this subject were asked for the last time, in this manner or a stricter one; -Infinity before. */
  askedMs: (subject: Subject, manner?: Manner) => number
  /** As `Asks.since`, of references that lead to none of the addresses `own`. */
  since: (sinceMs: number, subject: Subject, own: ReadonlySet<string>) => Said
  /** Whether anything may still turn out to be a reference, beside what accepted connections. */
  hasOthers: (subject: Subject) => boolean
  /** Whether name servers have ever known those of the root: some filter such questions. */
  haveNamesAnswered: () => boolean
  /** Asks those now and then, while all is well, of which it has to be known later whether they ever answered. */
  learn: (usesNames: boolean) => void
}

/**
 * At once: none has a head start. A network that comes back within one would look as if the first reference were dead
 * and the others had answered all the time.
 */
export type Manner = 'in turn' | 'at once'

const maxReferences = 8
/** The first of the references has so long before the others are asked beside it. */
const headStartMs = 300
/** How often the last resort is asked while all is well, and hardly anything else has answered. */
const lastlyEveryMs = 600_000
/** How often those are asked, while all is well, that never answered. */
const learnEveryMs = 60_000
const enoughNetworks = 3
/** All of them together are one reference. */
const nameServers = 'name servers'

export function createReferences(options: ReferenceOptions): References {
  return new AskedReferences(options)
}

class AskedReferences implements References {
  readonly #options: ReferenceOptions
  readonly #asks = createAsks()
  readonly #lastAsks: Partial<Record<Subject, Ask>> = {}
  readonly #atOnceMs = new Map<Subject, number>()
  /** The addresses to which configured references led when they answered. */
  readonly #led = new Map<Destination, readonly string[]>()
  /** Subjects whose last resort has ever answered; of names, the name servers. */
  readonly #haveAnswered = new Set<Subject>()
  readonly #lastlyAskedMs = new Map<Subject, number>()
  #learntMs = -Infinity

  constructor(options: ReferenceOptions) {
    this.#options = options
  }

  ask(subject: Subject, avoided: ReadonlySet<string>, manner: Manner = 'in turn'): void {
    if (subject === 'names') return void this.#askResolver()
    const { proven, unproven } = this.#configuredFor(subject)
    const picked = this.#options.destinations.pick(subject, maxReferences, avoided)
    const references = [...proven, ...picked]
    const wasSilent = this.#lastAsks[subject]?.answers.size === 0
    const ask = this.#begin(subject, references.map(nameOf))
    if (manner === 'at once') this.#atOnceMs.set(subject, ask.atMs)
    const ahead = manner === 'at once' ? references.length : 1
    const others = references.slice(ahead)
    for (const reference of references.slice(0, ahead)) void this.#connect(reference, ask)
    if (others.length > 0)
      setTimeout(() => {
        if (ask.answers.size === 0) for (const other of others) void this.#connect(other, ask)
      }, headStartMs).unref()
    for (const reference of unproven) void this.#connect(reference, ask)
    if (wasSilent || references.length < enoughNetworks) this.#askLastly(subject, ask)
  }

  askedMs(subject: Subject, manner: Manner = 'in turn'): number {
    const askedMs = manner === 'at once' ? this.#atOnceMs.get(subject) : this.#lastAsks[subject]?.atMs
    return askedMs ?? -Infinity
  }

  since(sinceMs: number, subject: Subject, own: ReadonlySet<string>): Said {
    return this.#asks.since(sinceMs, subject, this.#owning(own))
  }

  hasOthers(subject: Subject): boolean {
    const { proven, unproven } = this.#configuredFor(subject)
    return proven.length + unproven.length + this.#lastResort(subject).length > 0
  }

  haveNamesAnswered(): boolean {
    return this.#haveAnswered.has('names')
  }

  learn(usesNames: boolean): void {
    const nowMs = performance.now()
    for (const subject of ['public', 'private'] as const) {
      const known = this.#options.destinations.pick(subject, enoughNetworks).length
      const askedMs = this.#lastlyAskedMs.get(subject) ?? -Infinity
      if (known > 0 && known < enoughNetworks && nowMs - askedMs > lastlyEveryMs) this.#askLastly(subject, null)
    }
    if (nowMs - this.#learntMs < learnEveryMs) return
    const unproven = this.#options.configured.filter((each) => !this.#led.has(each))
    const asksNames = usesNames && !this.haveNamesAnswered()
    if (unproven.length === 0 && !asksNames) return
    this.#learntMs = nowMs
    for (const reference of unproven) void this.#connect(reference, null)
    if (asksNames) void this.#askResolver()
  }

  /** Those of the operator that speak for this subject, and those that never answered and may turn out to. */
  #configuredFor(subject: Subject): { proven: Destination[]; unproven: Destination[] } {
    const { configured } = this.#options
    const proven = configured.filter((each) => farthestOf(this.#led.get(each) ?? []) === subject)
    const isOpen = (each: Destination): boolean =>
      !this.#led.has(each) && subject !== 'names' && (isIP(each.host) === 0 || reachOf(each.host) === subject)
    return { proven, unproven: configured.filter(isOpen) }
  }

  /** A name leads to a target if any of its addresses is the target's. */
  #owning(own: ReadonlySet<string>): IsOwn {
    if (this.#led.size === 0) return (reference) => own.has(reference)
    const names = new Set<string>()
    for (const [reference, addresses] of this.#led)
      if (addresses.some((address) => own.has(address))) names.add(nameOf(reference))
    return (reference) => own.has(reference) || names.has(reference)
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

  #begin(subject: Subject, asked: readonly string[]): Ask {
    const ask = this.#asks.begin(subject, asked)
    this.#lastAsks[subject] = ask
    return ask
  }

  async #askResolver(): Promise<void> {
    const ask = this.#begin('names', [nameServers])
    if (!(await this.#options.resolverAnswers())) return
    this.#haveAnswered.add('names')
    ask.answers.set(nameServers, performance.now())
  }

  /** The last resort counts as asked once any of it has ever answered: a network may filter what goes there. */
  #askLastly(subject: Subject, ask: Ask | null): void {
    this.#lastlyAskedMs.set(subject, performance.now())
    for (const reference of this.#lastResort(subject)) {
      if (this.#haveAnswered.has(subject)) ask?.asked.add(nameOf(reference))
      void this.#askOfLast(subject, reference, ask)
    }
  }

  async #askOfLast(subject: Subject, reference: Destination, ask: Ask | null): Promise<void> {
    if ((await this.#connect(reference, ask)) === null) return
    this.#haveAnswered.add(subject)
  }

  /** Its answer is one for those whom it can speak for. */
  async #connect(reference: Destination, ask: Ask | null): Promise<readonly string[] | null> {
    const addresses = await this.#options.connect(reference)
    if (addresses === null) return null
    const isConfigured = this.#options.configured.includes(reference)
    if (isConfigured) this.#led.set(reference, addresses)
    if (ask === null || (isConfigured && farthestOf(addresses) !== ask.subject)) return addresses
    ask.asked.add(nameOf(reference))
    ask.answers.set(nameOf(reference), performance.now())
    return addresses
  }
}

/** Two ports of one host are one reference. */
function nameOf({ host }: Destination): string {
  return host
}
