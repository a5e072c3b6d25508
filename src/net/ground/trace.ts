import { AsyncLocalStorage } from 'node:async_hooks'

/** Names a check to the process that watches over the thread: see `WorkMarks`. */
export type Mark = { check: number; text: string }

/** What the network said to one check, by `performance.now()`. */
export type Trace = {
  /** Null where none watches. */
  mark: Mark | null
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
  /** What a target sent, or the outcome of asking it, is about to be worked on in the course of its check. */
  entered: () => void
  noRoute: (addresses: readonly string[]) => void
}

export function newTrace(mark: Mark | null = null): Trace {
  return {
    mark,
    startedMs: performance.now(),
    addresses: new Set(),
    heardMs: null,
    noRoute: null,
    unresolved: null,
  }
}

export type TrafficEvents = {
  /** An address accepted a connection, in the course of a check or not. */
  onConnected?: (address: string, port: number) => void
  /** The thread goes on with the check of this mark; null in the course of none that has one. */
  onEntered?: (mark: Mark | null) => void
}

export function createTraffic({ onConnected = ignore, onEntered = ignore }: TrafficEvents = {}): Traffic {
  const traces = new AsyncLocalStorage<Trace>()
  const heard = (): void => {
    const trace = traces.getStore()
    if (trace !== undefined) trace.heardMs = performance.now()
  }
  return {
    during: (trace, run) => {
      onEntered(trace.mark)
      return traces.run(trace, run)
    },
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
    entered: () => onEntered(traces.getStore()?.mark ?? null),
    noRoute: (addresses) => {
      const trace = traces.getStore()
      if (trace !== undefined) trace.noRoute = [...(trace.noRoute ?? []), ...new Set(addresses.map(familyOf))]
    },
  }
}

function ignore(): void {}

export function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4
}
