import { isIP } from 'node:net'
import { forbiddenAddress, forbiddenOwnPort } from '#core/monitors/forbidden-target.ts'
import type { SecureContext } from 'node:tls'
import { timeoutFailure } from './connect-failure.ts'
import type { Connection } from './connection.ts'
import { dial, interleave } from './dial.ts'
import type { Guard } from './guard.ts'
import type { NetFailure } from './net-failure.ts'
import type { ContextFor, OwnTls } from '#net/tls/own-tls.ts'
import type { Traffic } from '#net/ground/trace.ts'
import { addTime, type PhaseTimes } from './phase-times.ts'
import type { Sight } from '#net/ground/sight.ts'
import type { Family } from './lookup-cache.ts'
import { ofFamily, type Resolver, type ResolverFor } from './resolve.ts'

/** What all exchanges of one `Net` share. */
export type Parts = {
  guard: Guard
  resolver: Resolver
  readBuffer: Buffer
  tlsContext: () => SecureContext
  ownContext: (own: OwnTls) => ContextFor
  ownResolver: (server: string) => ResolverFor
  /** Is told how each connection went. */
  traffic: Traffic
}

export type Target = {
  /** Name or literal address, without brackets. */
  host: string
  port: number
  isTls: boolean
  /** As in `Resolver.resolve`. */
  isFresh: boolean
  timeoutMs: number | undefined
  /** The only version of IP that is used; default: both. */
  family?: Family | undefined
  /** Where what is seen is kept. Default: as the check says in whose course it is. */
  sight?: Sight | null
}

export type Reached = { ok: true; connection: Connection } | { ok: false; failure: NetFailure }

/**
 * Resolves a target once, refuses addresses that may not be dialled, and connects to one of the others. Adds to
 * `times`.
 */
export async function reach(
  parts: Parts,
  target: Target,
  { signal, times }: { signal: AbortSignal; times: PhaseTimes },
): Promise<Reached> {
  const { port } = target
  const label = labelOf(target.host, port)
  const { sight = parts.traffic.sight() } = target
  const located = await locate(parts, target, { signal, times })
  if (!located.ok && sight !== null) sight.failure = located.failure
  if (!located.ok) return located
  const startedAt = performance.now()
  const readBuffer = target.isTls ? null : parts.readBuffer
  const enter = parts.traffic.received
  const addresses = interleave(located.addresses)
  const tried = sight === null ? null : (sight.dialled = [])
  const dialled = await dial({ addresses, port, label, readBuffer, enter, tried }, signal)
  addTime(times, 'connectMs', performance.now() - startedAt)
  if (dialled.ok) {
    parts.traffic.connected(dialled.connection.address, port)
    return dialled
  }
  const { failure } = dialled
  if (failure !== 'aborted') tellFailure(parts.traffic, failure, located.addresses)
  const named = failure === 'aborted' ? timeoutFailure('connect', target.timeoutMs, label) : failure
  if (sight !== null) sight.failure = named
  return { ok: false, failure: named }
}

/** `addresses` has at least one address, and each may be dialled. */
export type Located = { ok: true; addresses: readonly string[] } | { ok: false; failure: NetFailure }

/**
 * Resolves a host once and leaves out addresses that may not be dialled. `port` is null for protocols without ports.
 * Adds to `times`.
 */
export async function locate(
  parts: Pick<Parts, 'guard' | 'resolver' | 'traffic'>,
  target: Pick<Target, 'host' | 'isFresh' | 'timeoutMs' | 'family'> & { port: number | null },
  { signal, times }: { signal: AbortSignal; times: PhaseTimes },
): Promise<Located> {
  const { host, port } = target
  if (port === 0) return refused('forbidden_port', `Port 0 of ${host} cannot be dialled`)
  const { guard, resolver, traffic } = parts
  const isNamed = isIP(host) === 0
  if (isNamed && resolver.own !== null) traffic.approached(resolver.own)
  const found = isNamed ? await look(resolver, target, { signal, times }) : literal(target, times)
  if (!Array.isArray(found)) {
    if (resolver.own === null) tellUnresolved(traffic, found)
    else tellOwnUnresolved(traffic, found)
    return { ok: false, failure: found }
  }
  const isOwnPort = (address: string): boolean => port !== null && guard.isOwnPort(address, port)
  const addresses = found.filter((address) => guard.isAllowed(address) && !isOwnPort(address))
  traffic.located(addresses, isNamed && resolver.own === null)
  if (addresses.length > 0) return { ok: true, addresses }
  if (found.some(guard.isAllowed)) return refused('forbidden_address', forbiddenOwnPort(labelOf(host, port ?? 0)))
  return refused('forbidden_address', forbiddenText(host, found[0], guard))
}

/** A refusal is the target's own word. A missing way is the word of this machine's kernel. */
export function tellFailure(traffic: Traffic, { code }: NetFailure, addresses: readonly string[]): void {
  if (code === 'connection_refused') traffic.refused()
  else if (code === 'connection_reset') traffic.heard()
  else if (code === 'network_unreachable') traffic.noRoute(addresses)
}

/** Whether the fault may be of the name servers, or of what lies between them and this machine. */
export function tellUnresolved(traffic: Traffic, { phase, code }: NetFailure): void {
  if (phase !== 'dns') return
  if (code === 'dns_unreachable') traffic.unresolved('unreachable')
  else if (code === 'timed_out' || code === 'dns_timed_out') traffic.unresolved('silent')
  else if (code === 'dns_server_failed' || code === 'dns_refused') traffic.unresolved('troubled')
  else if (code === 'dns_not_found' || code === 'dns_no_address') traffic.notFound()
}

/** A name server that the monitor names itself is a part of its target: its words are the target's. */
function tellOwnUnresolved(traffic: Traffic, { code }: NetFailure): void {
  if (code === 'dns_server_failed' || code === 'dns_refused') traffic.heard()
  else if (code === 'dns_not_found' || code === 'dns_no_address') {
    traffic.heard()
    traffic.notFound()
  }
}

/** `host:port` for texts, with brackets around IPv6. */
export function labelOf(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

async function look(
  resolver: Resolver,
  { host, isFresh, timeoutMs, family }: Pick<Target, 'host' | 'isFresh' | 'timeoutMs' | 'family'>,
  { signal, times }: { signal: AbortSignal; times: PhaseTimes },
): Promise<string[] | NetFailure> {
  const startedAt = performance.now()
  const resolution = await untilAborted(resolver.resolve(host, { isFresh, family }), signal)
  addTime(times, 'dnsMs', performance.now() - startedAt)
  if (resolution === 'aborted') return timeoutFailure('dns', timeoutMs, host)
  return resolution.ok ? [...resolution.addresses] : resolution.failure
}

/** A literal address needs no look-up, which counts as 0 ms. */
function literal({ host, family }: Pick<Target, 'host' | 'family'>, times: PhaseTimes): string[] | NetFailure {
  addTime(times, 'dnsMs', 0)
  const found = ofFamily(host, [host], family)
  return found.ok ? [...found.addresses] : found.failure
}

/** Stops waiting when the deadline has passed. The look-up itself goes on, because other checks may share it. */
export async function untilAborted<Found>(pending: Promise<Found>, signal: AbortSignal): Promise<Found | 'aborted'> {
  if (signal.aborted) return 'aborted'
  const { promise: aborted, resolve } = Promise.withResolvers<'aborted'>()
  const onAbort = (): void => resolve('aborted')
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([pending, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function forbiddenText(host: string, address: string | undefined, { hidesInternal }: Guard): string {
  if (address === undefined || address === host) return forbiddenAddress(host, host)
  return forbiddenAddress(host, hidesInternal ? null : address)
}

function refused(code: string, message: string): { ok: false; failure: NetFailure } {
  return { ok: false, failure: { phase: 'connect', code, message } }
}
