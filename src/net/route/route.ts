import { timeoutFailure } from '#net/dial/connect-failure.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { isOwnTrouble, OwnTrouble } from '#net/dial/own-trouble.ts'
import { noTimes } from '#net/dial/phase-times.ts'
import { locate, type Parts } from '#net/dial/reach.ts'
import { createTurns } from '#net/dial/turns.ts'
import type { Family } from '#net/ping/icmp-packet.ts'
import type { SocketKind } from '#net/ping/icmp-system.ts'
import { unreachableReason } from './route-packet.ts'
import { loadRouteSystem, type RouteSystem } from './route-system.ts'
import { openProbeWire } from './route-wire.ts'
import { type Pacing, type Traced, traceHops, type TracedHop, usualPacing } from './trace-hops.ts'

export type RouteRequest = {
  host: string
  /** Where the target listens: no route is looked for to a port of this service. Default: any. */
  port?: number
  /** The version of IP that is used. Default: that of the first address. */
  family?: Family
  /** For all of it, beside `signal`. */
  timeoutMs: number
}

export type RouteOutcome =
  | ({ type: 'traced'; address: string; hops: readonly TracedHop[] } & RouteEnd)
  /** Not possible on this machine; the reason is for people. */
  | { type: 'not_available'; address: string | null; reason: string }
  /** There is no address that may be dialled. */
  | { type: 'failed'; failure: NetFailure }

/** `reason` and `code` are those of a destination that is unreachable, else null. */
export type RouteEnd = {
  end: 'reached' | 'unreachable' | 'silent' | 'timed_out' | 'too_long'
  reason: string | null
  code: number | null
}

export type Router = (request: RouteRequest, signal: AbortSignal) => Promise<RouteOutcome>

export type RouterOptions = {
  /** The sockets to try, in this order. Default: both. */
  ways?: readonly SocketKind[]
  /** Rejects where this platform has no foreign function interface. Default: the real one. */
  loadSystem?: () => Promise<RouteSystem>
  pacing?: Pacing
}

/** They share the thread with checks, and routers answer few probes at a time. */
const maxAtOnce = 2

/** Looks for the routes to targets. Each has a socket of its own, which is closed with it. */
export function createRouter(
  parts: Pick<Parts, 'guard' | 'resolver' | 'traffic'>,
  { ways = ['datagram', 'raw'], loadSystem = loadWhereKnown, pacing = usualPacing }: RouterOptions = {},
): Router {
  const turns = createTurns(maxAtOnce)
  let loading: Promise<RouteSystem | null> | undefined
  return async ({ host, port, family, timeoutMs }, outerSignal) => {
    const signal = AbortSignal.any([outerSignal, AbortSignal.timeout(timeoutMs)])
    const leave = await turns(signal)
    if (leave === null) return { type: 'failed', failure: timeoutFailure('request', timeoutMs, host) }
    try {
      const asked = { host, port: port ?? null, isFresh: false, timeoutMs, family }
      const located = await locate(parts, asked, { signal, times: noTimes() })
      if (!located.ok) return { type: 'failed', failure: located.failure }
      const [address = host] = located.addresses
      loading ??= loadSystem().catch(() => null)
      return await routeTo(address, { system: await loading, ways, pacing, signal })
    } finally {
      leave()
    }
  }
}

/** The layout of what the system calls take and give is that of these systems alone. */
async function loadWhereKnown(): Promise<RouteSystem> {
  const isKnown = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
  if (!isKnown) throw new Error(`No error queue is known of ${process.platform} on ${process.arch}.`)
  return loadRouteSystem()
}

const notPossible = 'Routes are not possible at this location: the service knows them on Linux alone'
const notPermitted =
  'Routes are not permitted at this location: its operator has to set net.ipv4.ping_group_range so that it admits ' +
  "the service's group, or grant the service CAP_NET_RAW"

type Opening = { system: RouteSystem | null; ways: readonly SocketKind[]; pacing: Pacing; signal: AbortSignal }

async function routeTo(address: string, { system, ways, pacing, signal }: Opening): Promise<RouteOutcome> {
  const family = address.includes(':') ? 6 : 4
  if (system === null) return { type: 'not_available', address, reason: notPossible }
  for (const kind of ways) {
    const fd = system.open(family, kind)
    if (fd === 'EAFNOSUPPORT') return unreachableAt(address, [])
    if (typeof fd === 'string' && isOwnTrouble(fd)) throw new OwnTrouble(fd, new Error(`No ${kind} socket for ICMP.`))
    if (typeof fd === 'string') continue
    const wire = openProbeWire(system, { fd, kind, family, address })
    try {
      return outcomeOf(address, family, await traceHops(wire, pacing, signal))
    } finally {
      wire.close()
    }
  }
  return { type: 'not_available', address, reason: notPermitted }
}

/** The kernel itself knows no way. */
function unreachableAt(address: string, hops: readonly TracedHop[]): RouteOutcome {
  return { type: 'traced', address, hops, end: 'unreachable', reason: 'network_unreachable', code: null }
}

function outcomeOf(address: string, family: Family, { hops, end }: Traced): RouteOutcome {
  if (end.type !== 'unsent') {
    const told = { type: 'traced', address, hops, end: end.type } as const
    if (end.type !== 'unreachable') return { ...told, reason: null, code: null }
    return { ...told, reason: unreachableReason(family, end.code), code: end.code }
  }
  const { error } = end
  if (isOwnTrouble(error)) throw new OwnTrouble(error, new Error('No probe could be sent.'))
  if (unroutable.has(error)) return unreachableAt(address, hops)
  return { type: 'not_available', address, reason: `The system of this location refuses to send probes (${error})` }
}

const unroutable: ReadonlySet<string> = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN'])
