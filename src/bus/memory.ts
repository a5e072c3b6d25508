// The bus of one installation in one process: engine and API on the main thread, probers beside them, or behind links in
// threads of their own and in a process of their own.
import type { Bus, Change, Presence, ResultHandler, RouteHandler, Unsubscribe } from './bus.ts'
import { callSettledMs } from '#core/monitors/heartbeat.ts'
import {
  changeCodec,
  configurationsCodec,
  decodeResults,
  encodeAssignments,
  idsCodec,
  presenceCodec,
  takenRouteCodec,
} from './codec.ts'
import { handlerWaitMs, type Link, serveLink, type ToBus, type ToProber } from './link.ts'
import { addressOf, proberSide, type ProberWire, requireOneOf, trialAddressOf } from './prober-side.ts'
import { askTrial } from './trials.ts'
import { systemTime, type Time } from '#time/time.ts'

export type MemoryBus = Bus & {
  /**
   * Serves the probers on the other side of this link (`connectPort` or `connectLink` over there), which are of these
   * locations and may neither say nor ask anything of others.
   */
  attach: (link: Link<ToProber, ToBus>, locations: readonly string[]) => void
}

/** Results wait for the engine's commit: `publishResults` resolves with it, so what it promised is durable. */
export function createMemoryBus(time: Time = systemTime): MemoryBus {
  const places: Places = {
    results: new Place(time),
    configurations: new Place(time),
    presence: new Set(),
    routes: new Set(),
    listeners: new Map(),
    trials: new Map(),
  }
  const { results, configurations, presence, routes, listeners, trials } = places
  const changes = new Set<(change: Change) => void>()
  const listenTo = (trialId: string, handler: (bytes: Uint8Array) => void): Unsubscribe => {
    trials.set(trialId, handler)
    return () => trials.delete(trialId)
  }
  return {
    ...proberSide(wireOf(places, null)),
    attach: (link, locations) => serveLink(link, wireOf(places, new Set(locations))),
    assign: (location, prober, list) => listeners.get(addressOf(location, prober))?.(encodeAssignments(list)),
    tryCheck: (location, prober, trial) => {
      const ask = (bytes: Uint8Array): void => listeners.get(trialAddressOf(location, prober))?.(bytes)
      return askTrial({ ask, listen: listenTo, time }, trial)
    },
    onResults: (handler) => results.take(handler),
    holdPartitions: async () => {},
    releasePartitions: async () => {},
    hasHeard: async () => true,
    isConnected: () => true,
    // Nothing waits on this bus, but a call reaches it only after its monitor was looked up.
    delays: { presenceMs: 0, resultMs: 0, callMs: callSettledMs },
    readBacklog: async () => [],
    onConfigurationRequest: (handler) =>
      configurations.take(async (location, bytes) =>
        configurationsCodec.encode(await handler(location, idsCodec.decode(bytes))),
      ),
    // Locations of this process would sign what they are told by the operator whose word they are to confirm.
    onCountersigning: () => () => {},
    onRoutes: (handler) => {
      routes.add(handler)
      return () => routes.delete(handler)
    },
    onPresence: (handler) => subscribe(presence, handler),
    announceChange: (change) => tellAll(changes, changeCodec.decode(changeCodec.encode(change))),
    onChange: (handler) => subscribe(changes, handler),
    close: async () => {
      results.close()
      configurations.close()
    },
  }
}

type Places = {
  results: Place<ResultHandler>
  configurations: Place<(location: string, bytes: Uint8Array) => Promise<Uint8Array>>
  presence: Set<(presence: Presence) => void>
  /** The first one hears of them. */
  routes: Set<RouteHandler>
  listeners: Map<string, (bytes: Uint8Array) => void>
  trials: Map<string, (bytes: Uint8Array) => void>
}

/** What probers of these locations may send and hear; null for all locations of the installation. */
function wireOf(places: Places, locations: ReadonlySet<string> | null): ProberWire {
  const { results, configurations, presence, routes, listeners, trials } = places
  return {
    announce: (bytes) => {
      const message = presenceCodec.decode(bytes)
      requireOneOf(locations, message.location)
      tellAll(presence, message)
    },
    tellRoute: (location, bytes) => {
      requireOneOf(locations, location)
      const [handler] = routes
      const taken = takenRouteCodec.decode(bytes)
      handler?.(location, taken)
    },
    publish: async (bytes) => {
      const handler = await results.taken()
      const list = decodeResults(bytes)
      for (const { location } of list) requireOneOf(locations, location)
      await handler(list)
    },
    request: async (location, bytes) => {
      requireOneOf(locations, location)
      return (await configurations.taken())(location, bytes)
    },
    listen: (address, handler) => {
      listeners.set(address, handler)
      return () => listeners.delete(address)
    },
    answer: (trialId, bytes) => trials.get(trialId)?.(bytes),
  }
}

/** One handler at most; callers wait for it a bounded time, so that a start in any order loses nothing. */
class Place<Handler> {
  readonly #time: Pick<Time, 'after'>
  #handler: Handler | null = null
  #isClosed = false
  #waiting = new Set<() => void>()

  constructor(time: Pick<Time, 'after'>) {
    this.#time = time
  }

  take(handler: Handler): Unsubscribe {
    this.#handler = handler
    for (const wake of this.#waiting) wake()
    return () => {
      if (this.#handler === handler) this.#handler = null
    }
  }

  close(): void {
    this.#isClosed = true
    for (const wake of this.#waiting) wake()
  }

  async taken(): Promise<Handler> {
    if (this.#handler === null && !this.#isClosed) await this.#wait()
    if (this.#handler === null) throw new Error('No engine takes messages from this bus.')
    return this.#handler
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel()
        this.#waiting.delete(wake)
        resolve()
      }
      const cancel = this.#time.after(handlerWaitMs, wake)
      this.#waiting.add(wake)
    })
  }
}

function subscribe<T>(handlers: Set<(value: T) => void>, handler: (value: T) => void): Unsubscribe {
  handlers.add(handler)
  return () => handlers.delete(handler)
}

function tellAll<T>(handlers: Set<(value: T) => void>, value: T): void {
  for (const handler of handlers) handler(value)
}
