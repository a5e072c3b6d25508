// Routes to targets, looked for beside the checks of a thread (docs/evidence.md). What does not fit is not looked for.
import type { Route } from '#core/incidents/route.ts'
import type { Net } from '#net/net.ts'
import type { Time } from '#time/time.ts'
import { routeOf } from './route-of.ts'

export type WantedRoute = {
  address: string
  /** Whether it is looked for because a check failed: those come first. */
  isFailure: boolean
  /** Whether the check may reach private addresses that are not for others. */
  mayReachPrivate: boolean
}

/** `takenMs` is when it was begun, by the steady clock. */
export type FoundRoute = { route: Route; takenMs: number }

export type RouteTraces = {
  /** Several who want the same within five minutes get the same. Null where there is none, or no room. Never rejects. */
  find: (wanted: WantedRoute) => Promise<FoundRoute | null>
  stop: () => void
}

export type RouteTracesOptions = {
  net: Pick<Net, 'route'>
  privateNet: Pick<Net, 'route'> | null
  /** False for addresses that are kept from who reads the results. */
  isShown: (address: string) => boolean
  /** Told of trouble of this machine, and of bugs of ours. */
  onFailed: (error: unknown) => void
  time: Pick<Time, 'steadyMs' | 'after'>
}

const timeoutMs = 5_000
/** Results come first: their messages leave within this time. */
const startMs = 100
/** Routers answer few probes, and a mass outage is one of few routes. */
const maxAtOnce = 2
const maxWaiting = { failure: 64, up: 16 } as const
const sharedMs = 5 * 60_000
/** Of some 2 KB. */
const maxShared = 512

type Waiting = { wanted: WantedRoute; give: (found: FoundRoute | null) => void }
type Shared = { sinceMs: number; found: Promise<FoundRoute | null> }

export function createRouteTraces(options: RouteTracesOptions): RouteTraces {
  return new BoundedTraces(options)
}

class BoundedTraces implements RouteTraces {
  readonly #options: RouteTracesOptions
  readonly #waiting: { failure: Waiting[]; up: Waiting[] } = { failure: [], up: [] }
  /** By address and occasion, the oldest first. */
  readonly #shared = new Map<string, Shared>()
  readonly #end = new AbortController()
  #underWay = 0
  #cancelStart: (() => void) | null = null

  constructor(options: RouteTracesOptions) {
    this.#options = options
  }

  find(wanted: WantedRoute): Promise<FoundRoute | null> {
    const { isFailure, address } = wanted
    const nowMs = this.#options.time.steadyMs()
    const key = `${isFailure ? 'failure' : 'up'} ${address}`
    const known = this.#shared.get(key)
    if (known !== undefined && nowMs - known.sinceMs < sharedMs) return known.found
    const waiting = this.#waiting[isFailure ? 'failure' : 'up']
    const most = isFailure ? maxWaiting.failure : maxWaiting.up
    if (waiting.length >= most || this.#end.signal.aborted) return Promise.resolve(null)
    const { promise: found, resolve: give } = Promise.withResolvers<FoundRoute | null>()
    waiting.push({ wanted, give })
    this.#share(key, { sinceMs: nowMs, found })
    this.#cancelStart ??= this.#options.time.after(startMs, () => this.#start())
    return found
  }

  stop(): void {
    this.#cancelStart?.()
    this.#end.abort()
    for (const { give } of [...this.#waiting.failure.splice(0), ...this.#waiting.up.splice(0)]) give(null)
  }

  #share(key: string, shared: Shared): void {
    this.#shared.delete(key)
    const [oldest] = this.#shared.keys()
    if (this.#shared.size >= maxShared && oldest !== undefined) this.#shared.delete(oldest)
    this.#shared.set(key, shared)
    void this.#forgetFailed(key, shared)
  }

  /** What failed is tried again by the next who wants it. */
  async #forgetFailed(key: string, shared: Shared): Promise<void> {
    if ((await shared.found) === null && this.#shared.get(key) === shared) this.#shared.delete(key)
  }

  #start(): void {
    this.#cancelStart = null
    while (this.#underWay < maxAtOnce) {
      const next = this.#waiting.failure.shift() ?? this.#waiting.up.shift()
      if (next === undefined) return
      this.#underWay += 1
      void this.#run(next)
    }
  }

  async #run({ wanted, give }: Waiting): Promise<void> {
    const found = await this.#take(wanted)
    this.#underWay -= 1
    give(found)
    this.#start()
  }

  async #take({ address, mayReachPrivate }: WantedRoute): Promise<FoundRoute | null> {
    const { net, privateNet, isShown, onFailed, time } = this.#options
    const takenMs = time.steadyMs()
    try {
      const reaching = (mayReachPrivate ? privateNet : null) ?? net
      const route = routeOf(await reaching.route({ host: address, timeoutMs }, this.#end.signal), isShown)
      return route === null ? null : { route, takenMs }
    } catch (error) {
      onFailed(error)
      return null
    }
  }
}
