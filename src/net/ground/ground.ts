// Whether a failure may be blamed on its target: not while this machine has no network itself
// (docs/decisions/rounds-and-time.md, "The prober's own network").
import type { Said, Subject } from './asks.ts'
import { type Destinations, farthestOf } from './destinations.ts'
import { createReferences, type ReferenceOptions, type References } from './references.ts'
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

export type GroundOptions = ReferenceOptions & { destinations: Destinations }

/** A check that heard nothing for so long is doubted, and references are asked so often. */
const askEveryMs = 1_000
/** References that are silent for so long during a check have no network between them and this machine. */
const lostAfterMs = 3_000
/**
 * A shorter silence that ended is enough to doubt a check: connections are tried again after ever longer pauses
 * (RFC 6298), so a check may hear nothing for seconds after its network is back.
 */
const lostBrieflyMs = 1_000
/**
 * Name servers may say at once that they have trouble, and their network may come back a moment later: then the one ask
 * that was made meanwhile is late. One dead reference makes half of that.
 */
const troubledSlowMs = 600
/** For them references are asked more often than for others, and not more often than that. */
const troubledEveryMs = 100
/**
 * Name servers may try for a second or two before they say so, and their network may come back just before they do. An
 * ask that began while they tried notices; so references are asked that often while a look-up lasts.
 */
const namesEveryMs = 500
/** Most look-ups are over by then. */
const slowLookUpMs = 250
const standingMs = 4_000
const lookEveryMs = 50
/** Name servers remember that they could not find out a name, for some seconds at least (RFC 9520). */
const rememberedTroubleMs = 30_000

/**
 * Silences count from `sinceMs` on, and an answer if it is one to what was asked since `answerSinceMs`. With `slowMs`, no
 * ask may have waited for so long. The check ended at `endMs`.
 */
type Listening = { subject: Subject; sinceMs: number; endMs: number; slowMs?: number; answerSinceMs?: number }

export function createGround(options: GroundOptions): Ground {
  return new WatchedGround(options)
}

class WatchedGround implements Ground {
  readonly #destinations: Destinations
  readonly #references: References
  /** In the order in which their checks began. */
  readonly #watched = new Set<Trace>()
  readonly #timers: NodeJS.Timeout[]
  /** Checks that failed and wait for the word of references. */
  readonly #waiting: Record<Subject, Set<Trace>> = { private: new Set(), public: new Set(), names: new Set() }
  /** Since when a check of each sort told nothing because the references were silent. */
  readonly #lost = new Map<Subject, number>()
  /** For whom the references were silent, of checks that were lost. */
  readonly #lostAt = new WeakMap<Trace, Subject>()
  #usesNames = false
  #hasFoundName = false

  constructor(options: GroundOptions) {
    this.#destinations = options.destinations
    this.#references = createReferences(options)
    this.#timers = [setInterval(() => this.#tick(), askEveryMs), setInterval(() => this.#tickNames(), namesEveryMs)]
    for (const timer of this.#timers) timer.unref()
  }

  watch(trace: Trace): void {
    this.#watched.add(trace)
  }

  unwatch(trace: Trace): void {
    this.#watched.delete(trace)
    if (trace.isNamed) {
      this.#usesNames = true
      this.#hasFoundName ||= trace.unresolved === null
    }
    if (this.#lost.size === 0) return
    const subject = trace.heardMs === null ? null : subjectOf(trace)
    if (subject !== null) this.#lost.delete(subject)
    if (trace.isNamed && trace.unresolved === null) this.#lost.delete('names')
  }

  async standing(trace: Trace): Promise<Standing> {
    const subject = failedAt(trace)
    if (subject === null) return 'held'
    const endMs = performance.now()
    const hasJustSpoken = trace.heardMs !== null && endMs - trace.heardMs < askEveryMs
    if (hasJustSpoken) {
      this.#lost.delete(subject)
      return 'held'
    }
    if (subject === 'names') return this.#standingOfName(trace, endMs)
    const hasLostRoute = trace.noRoute?.some((family) => this.#destinations.hasWorked(family, subject)) === true
    const standing = hasLostRoute ? 'lost' : await this.#heard(trace, { subject, sinceMs: trace.startedMs, endMs })
    return this.#note(trace, { subject, standing })
  }

  async isBack(trace: Trace, untilMs: number): Promise<boolean> {
    const subject = this.#lostAt.get(trace) ?? failedAt(trace)
    if (subject === null) return true
    const sinceMs = performance.now()
    return this.#whileAsking(trace, subject, async () => {
      while (performance.now() < untilMs) {
        if (this.#said(trace, { subject, sinceMs }).isAnswered) return true
        await look()
      }
      return false
    })
  }

  answersNow(trace: Trace): boolean {
    const subject = this.#lostAt.get(trace) ?? failedAt(trace)
    return subject === null || this.#said(trace, { subject, sinceMs: performance.now() - 2 * askEveryMs }).isAnswered
  }

  lostForMs(): number | null {
    return this.#lost.size === 0 ? null : performance.now() - Math.min(...this.#lost.values())
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /**
   * Name servers that answer no question of ours may filter it; those that answer may do so from their memory, with no
   * network behind them. So public references have a word, too.
   */
  async #standingOfName(trace: Trace, endMs: number): Promise<Standing> {
    if (trace.unresolved === 'unreachable') return this.#note(trace, { subject: 'names', standing: 'lost' })
    const sinceMs = trace.startedMs
    const before = trace.unresolved === 'troubled' ? this.#beforeTrouble(trace, endMs) : { sinceMs }
    const [names, outside] = await Promise.all([
      this.#heard(trace, { subject: 'names', sinceMs, endMs }),
      this.#heard(trace, { subject: 'public', ...before, endMs }),
    ])
    if (names === 'lost' && this.#canNamesSpeak(trace)) return this.#note(trace, { subject: 'names', standing: names })
    if (outside === 'lost') return this.#note(trace, { subject: 'public', standing: outside })
    return this.#note(trace, { subject: 'names', standing: names === 'held' ? names : outside })
  }

  /** Name servers that found a name, and never those of the root, filter that question. Silent ones are of no use. */
  #canNamesSpeak({ unresolved }: Trace): boolean {
    return this.#references.haveNamesAnswered() || (unresolved === 'silent' && !this.#hasFoundName)
  }

  /** Trouble may be told at once, so what references said before the check is of no use, but for their silences. */
  #beforeTrouble({ startedMs }: Trace, endMs: number): Pick<Listening, 'sinceMs' | 'slowMs' | 'answerSinceMs'> {
    const askedMs = this.#references.askedMs('public', 'at once')
    if (askedMs < startedMs && askedMs < endMs - troubledEveryMs) this.#references.ask('public', nobody, 'at once')
    const answerSinceMs = Math.max(startedMs, endMs - askEveryMs)
    return { sinceMs: startedMs - rememberedTroubleMs, slowMs: troubledSlowMs, answerSinceMs }
  }

  #note(trace: Trace, { subject, standing }: { subject: Subject; standing: Standing }): Standing {
    if (standing === 'held') this.#lost.delete(subject)
    if (standing !== 'lost') return standing
    this.#lostAt.set(trace, subject)
    if (!this.#lost.has(subject)) this.#lost.set(subject, trace.startedMs)
    return standing
  }

  /** Waits until the references of this subject have said enough. */
  #heard(
    trace: Trace,
    { subject, sinceMs, endMs, slowMs = Infinity, answerSinceMs = endMs - askEveryMs }: Listening,
  ): Promise<Standing> {
    return this.#whileAsking(trace, subject, async () => {
      for (;;) {
        const during = this.#said(trace, { subject, sinceMs })
        if (during.silentMs >= lostAfterMs || during.brokenSilenceMs >= lostBrieflyMs) return 'lost'
        if (during.slowestMs >= slowMs) return 'lost'
        const atEnd = this.#said(trace, { subject, sinceMs: answerSinceMs })
        if (atEnd.isAnswered && (slowMs === Infinity || !atEnd.isPending)) return 'held'
        const isAsked = during.isAsked || atEnd.isAsked
        if (!isAsked && !this.#references.hasOthers(subject)) return 'unverified'
        if (performance.now() >= endMs + standingMs) return isAsked ? 'lost' : 'unverified'
        await look()
      }
    })
  }

  #said({ addresses }: Trace, { subject, sinceMs }: { subject: Subject; sinceMs: number }): Said {
    return this.#references.since(sinceMs, subject, addresses)
  }

  async #whileAsking<T>(trace: Trace, subject: Subject, work: () => Promise<T>): Promise<T> {
    this.#waiting[subject].add(trace)
    const isAsked = performance.now() - this.#references.askedMs(subject) < askEveryMs
    if (!isAsked) this.#references.ask(subject, trace.addresses)
    try {
      return await work()
    } finally {
      this.#waiting[subject].delete(trace)
    }
  }

  #tick(): void {
    this.#lookForReturn()
    const doubted = new Set(this.#lost.keys())
    const avoided = new Set<string>()
    const silentSinceMs = performance.now() - askEveryMs
    const doubt = (trace: Trace, subject: Subject): void => {
      doubted.add(subject)
      for (const address of trace.addresses) avoided.add(address)
    }
    for (const subject of subjects) for (const trace of this.#waiting[subject]) doubt(trace, subject)
    for (const trace of this.#watched) {
      if (trace.startedMs > silentSinceMs) break
      if (trace.heardMs !== null && trace.heardMs >= silentSinceMs) continue
      const subject = subjectOf(trace)
      if (subject !== null) doubt(trace, subject)
      if (subject === 'names') doubted.add('public')
    }
    // Name servers may be about to say that they have trouble, which is judged by who answers at once.
    const manner = doubted.has('names') ? 'at once' : 'in turn'
    for (const subject of doubted) this.#references.ask(subject, avoided, subject === 'public' ? manner : 'in turn')
    this.#references.learn(this.#usesNames)
  }

  #tickNames(): void {
    const nowMs = performance.now()
    if (nowMs - this.#references.askedMs('public', 'at once') < troubledEveryMs) return
    for (const { startedMs, addresses } of this.#watched) {
      if (startedMs > nowMs - slowLookUpMs) return
      if (addresses.size === 0) return this.#references.ask('public', nobody, 'at once')
    }
  }

  /** A network that was lost is asked for until it is back, also while no check is made. */
  #lookForReturn(): void {
    const sinceMs = performance.now() - 2 * askEveryMs
    for (const subject of this.#lost.keys())
      if (this.#references.since(sinceMs, subject, nobody).isAnswered) this.#lost.delete(subject)
  }
}

const nobody: ReadonlySet<string> = new Set()
const subjects: readonly Subject[] = ['private', 'public', 'names']

function look(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lookEveryMs))
}

/** What a check waits for: its names, or its target, as far away as the farthest of its addresses. */
function subjectOf({ addresses }: Trace): Subject | null {
  if (addresses.size === 0) return 'names'
  const reach = farthestOf(addresses)
  return reach === 'machine' ? null : reach
}

/** The same of a check that failed. Null where it needs no network: this machine answered, or a name server did. */
function failedAt(trace: Trace): Subject | null {
  if (trace.unresolved !== null) return 'names'
  return trace.addresses.size === 0 ? null : subjectOf(trace)
}
