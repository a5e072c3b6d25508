import type { NetFailure } from './net-failure.ts'

/**
 * Sums up failed attempts to connect. Of several codes the most telling one is named, whatever the order in which the
 * addresses failed, so that equal outages have equal texts.
 */
export function connectFailure(codes: readonly string[], target: string): NetFailure {
  const known = telling.find(([code]) => codes.includes(code))
  const name = codes.toSorted()[0] ?? 'EUNKNOWN'
  if (known === undefined)
    return { phase: 'connect', code: 'connect_failed', message: `Connecting to ${target} failed (${name})` }
  const [, code, words] = known
  return { phase: 'connect', code, message: words(target) }
}

/** The failure of a connection that broke after it was made. `phase` is where the exchange stood. */
export function brokenFailure(error: NodeJS.ErrnoException, phase: NetFailure['phase'], target: string): NetFailure {
  const where = phase === 'transfer' ? 'while the answer was read' : 'before the answer came'
  const code = error.code ?? 'EUNKNOWN'
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return { phase, code: 'connection_reset', message: `The connection was reset by ${target} ${where}` }
  if (code === 'ETIMEDOUT')
    return { phase, code: 'connection_lost', message: `The connection to ${target} timed out ${where}` }
  return { phase, code: 'connection_broken', message: `The connection to ${target} broke ${where} (${code})` }
}

/** The text names the configured timeout and not the measured time, so that equal outages have equal texts. */
export function timeoutFailure(phase: NetFailure['phase'], timeoutMs: number | undefined, target: string): NetFailure {
  return lateFailure(phase, timeoutMs, doing(phase, target))
}

/** For a deadline that passed during an activity that `phase` does not name. */
export function lateFailure(phase: NetFailure['phase'], timeoutMs: number | undefined, activity: string): NetFailure {
  const after = timeoutMs === undefined ? '' : ` after ${timeoutMs} ms`
  return { phase, code: 'timed_out', message: `Timed out${after} while ${activity}` }
}

function doing(phase: NetFailure['phase'], target: string): string {
  switch (phase) {
    case 'dns':
      return `looking up the name of ${target}`
    case 'connect':
      return `connecting to ${target}`
    case 'tls':
      return `agreeing on TLS with ${target}`
    case 'request':
      return 'waiting for the answer'
    case 'transfer':
      return 'reading the answer'
  }
}

const telling: readonly [string, string, (target: string) => string][] = [
  ['ECONNREFUSED', 'connection_refused', (target) => `Connection refused by ${target}`],
  ['ECONNRESET', 'connection_reset', (target) => `The connection was reset by ${target} at once`],
  ['ETIMEDOUT', 'connection_timed_out', (target) => `Connecting to ${target} timed out: nothing answers there`],
  ['EHOSTUNREACH', 'host_unreachable', (target) => `No route to ${target} (host unreachable)`],
  ['ENETUNREACH', 'network_unreachable', (target) => `No route to ${target} (network unreachable)`],
  ['ENETDOWN', 'network_unreachable', (target) => `No route to ${target} (network down)`],
  ['EACCES', 'connection_forbidden', (target) => `This location's firewall forbids connections to ${target}`],
  ['EPERM', 'connection_forbidden', (target) => `This location's firewall forbids connections to ${target}`],
]
