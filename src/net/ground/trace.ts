import { AsyncLocalStorage } from 'node:async_hooks'

/** What the network said to one check, by `performance.now()`. */
export type Trace = {
  startedMs: number
  /** The addresses to which the names of the check led, and those it dialled. */
  addresses: Set<string>
  /** When its target said something for the last time: it accepted, refused or answered. Null until it did. */
  heardMs: number | null
  /** The kernel knew no way to addresses of these families. Null: it never said so. */
  noRoute: (4 | 6)[] | null
  /** No name server answered a look-up of the check: all were silent, or none could be reached. Null: none was asked. */
  unresolved: Unresolved | null
}

export type Unresolved = 'silent' | 'unreachable'

/** Told by the code that dials, of the check in whose course it dials. */
export type Traffic = {
  /** Runs a check. What is dialled in its course, and by no other, is written to its trace. */
  during: <T>(trace: Trace, run: () => Promise<T>) => Promise<T>
  located: (addresses: readonly string[]) => void
  unresolved: (how: Unresolved) => void
  connected: (address: string, port: number) => void
  heard: () => void
  noRoute: (addresses: readonly string[]) => void
}

export function newTrace(): Trace {
  return {
    startedMs: performance.now(),
    addresses: new Set(),
    heardMs: null,
    noRoute: null,
    unresolved: null,
  }
}

/** `onConnected` is told of every address that accepted a connection, in the course of a check or not. */
export function createTraffic(onConnected: (address: string, port: number) => void = () => {}): Traffic {
  const traces = new AsyncLocalStorage<Trace>()
  const heard = (): void => {
    const trace = traces.getStore()
    if (trace !== undefined) trace.heardMs = performance.now()
  }
  return {
    during: (trace, run) => traces.run(trace, run),
    located: (addresses) => {
      const trace = traces.getStore()
      if (trace !== undefined) for (const address of addresses) trace.addresses.add(address)
    },
    unresolved: (how) => {
      const trace = traces.getStore()
      if (trace !== undefined) trace.unresolved = how
    },
    connected: (address, port) => {
      heard()
      onConnected(address, port)
    },
    heard,
    noRoute: (addresses) => {
      const trace = traces.getStore()
      if (trace !== undefined) trace.noRoute = [...(trace.noRoute ?? []), ...new Set(addresses.map(familyOf))]
    },
  }
}

export function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4
}
