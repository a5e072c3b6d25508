import { AsyncLocalStorage } from 'node:async_hooks'
import { keepLocated, type Sight } from './sight.ts'

/** Names a check to the process that watches over the thread: see `WorkMarks`. */
export type Mark = {
  check: number
  text: string
  /** What the check took of the processor so far, in milliseconds: see `WorkMarks`. */
  tookMs: number
}

/** What the network said to one check, by `performance.now()`. */
export type Trace = {
  /** Null where none watches. */
  mark: Mark | null
  /** The share key of its workspace, "" where it has none. Null: what it reaches is no reference for other checks. */
  share: string | null
  startedMs: number
  /** The addresses to which the names of the check led, and those it dialled. */
  addresses: Set<string>
  /** The address that first accepted a connection of the check, or answered it; null until one did. */
  reachedAt: string | null
  /** When its target said something for the last time: it accepted, refused or answered. Null until it did. */
  heardMs: number | null
  /** The kernel knew no way to addresses of these families. Null: it never said so. */
  noRoute: (4 | 6)[] | null
  /** How the last look-up of the check failed, unless the name servers' answer was that there is no such name. */
  unresolved: Unresolved | null
  /** Whether the check had to look up a name. */
  isNamed: boolean
  /** The last word to the check was one that waiting cannot change: a refusal, say, or that the name does not exist. */
  isConclusive: boolean
  /** Null where what the check sees is not kept. */
  readonly sight: Sight | null
}

/** No name server answered, or none could be reached, or those that answered had trouble (SERVFAIL, REFUSED). */
export type Unresolved = 'silent' | 'unreachable' | 'troubled'

/** Told by the code that dials, of the check in whose course it dials. */
export type Traffic = {
  /** Runs a check. What is dialled in its course, and by no other, is written to its trace. */
  during: <T>(trace: Trace, run: () => Promise<T>) => Promise<T>
  /** `isNamed` where a look-up led to the addresses. */
  located: (addresses: readonly string[], isNamed: boolean) => void
  /** What the check depends on before its target, such as a name server of its own, is asked at this address. */
  approached: (address: string) => void
  unresolved: (how: Unresolved) => void
  /** Name servers said that there is no such name, or that it has no address. */
  notFound: () => void
  connected: (address: string, port: number) => void
  /** An answer came, from that address where it is the first thing that is heard of it. */
  heard: (address?: string) => void
  refused: () => void
  /** What a target sent is about to be worked on; conclusive where nothing that it could send later matters. */
  received: (isConclusive?: true) => void
  /** The outcome of asking a target is about to be worked on in the course of its check. */
  entered: () => void
  noRoute: (addresses: readonly string[]) => void
  /** As in `Trace`, of the check in whose course this is asked. */
  isConclusive: () => boolean
  sight: () => Sight | null
}

export function newTrace(mark: Mark | null = null, share: string | null = null, sight: Sight | null = null): Trace {
  return {
    mark,
    share,
    startedMs: performance.now(),
    addresses: new Set(),
    reachedAt: null,
    heardMs: null,
    noRoute: null,
    unresolved: null,
    isNamed: false,
    isConclusive: false,
    sight,
  }
}

export type TrafficEvents = {
  /** An address accepted a connection in the course of a check with this share. */
  onConnected?: (address: string, port: number, share: string) => void
  /** The thread goes on with the check of this mark; null in the course of none that has one. */
  onEntered?: (mark: Mark | null) => void
}

export function createTraffic({ onConnected = ignore, onEntered = ignore }: TrafficEvents = {}): Traffic {
  const traces = new AsyncLocalStorage<Trace>()
  return {
    during: (trace, run) => {
      onEntered(trace.mark)
      return traces.run(trace, run)
    },
    located: (addresses, isNamed) => {
      const trace = traces.getStore()
      if (trace === undefined) return
      for (const address of addresses) trace.addresses.add(address)
      if (trace.sight !== null) keepLocated(trace.sight, addresses)
      trace.unresolved = null
      trace.isConclusive = false
      if (isNamed) trace.isNamed = true
    },
    approached: (address) => void traces.getStore()?.addresses.add(address),
    unresolved: (how) => {
      const trace = traces.getStore()
      if (trace === undefined) return
      trace.unresolved = how
      trace.isNamed = true
      trace.isConclusive = false
    },
    connected: (address, port) => {
      const trace = traces.getStore()
      if (trace === undefined) return
      trace.heardMs = performance.now()
      trace.reachedAt ??= address
      if (trace.share !== null) onConnected(address, port, trace.share)
    },
    heard: (address) => {
      const trace = traces.getStore()
      hear(trace)
      if (trace !== undefined && address !== undefined) trace.reachedAt ??= address
    },
    notFound: () => conclude(traces.getStore()),
    refused: () => {
      const trace = traces.getStore()
      hear(trace)
      conclude(trace)
    },
    received: (isConclusive) => {
      const trace = traces.getStore()
      hear(trace)
      if (isConclusive === true) conclude(trace)
      onEntered(trace?.mark ?? null)
    },
    entered: () => onEntered(traces.getStore()?.mark ?? null),
    noRoute: (addresses) => {
      const trace = traces.getStore()
      if (trace !== undefined) trace.noRoute = [...(trace.noRoute ?? []), ...new Set(addresses.map(familyOf))]
    },
    isConclusive: () => traces.getStore()?.isConclusive ?? false,
    sight: () => traces.getStore()?.sight ?? null,
  }
}

function hear(trace: Trace | undefined): void {
  if (trace !== undefined) trace.heardMs = performance.now()
}

function conclude(trace: Trace | undefined): void {
  if (trace !== undefined) trace.isConclusive = true
}

function ignore(): void {}

export function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4
}
