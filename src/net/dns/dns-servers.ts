import { Resolver } from 'node:dns'
import { isIP } from 'node:net'
import { parseHostPort } from '#core/language/host-port.ts'
import { forbiddenAddress, forbiddenOwnPort } from '#core/monitors/forbidden-target.ts'
import type { Guard } from '#net/dial/guard.ts'
import { labelOf } from '#net/dial/reach.ts'

/** `address` is always literal. */
export type DnsServer = { address: string; port: number }

const usualPort = 53
/** How long the machine's own list is used before it is read again. */
const freshMs = 60_000

/**
 * The name servers to ask: the configured ones, or those of the machine, which change with its network. Throws when a
 * configured one is no literal address.
 */
export function openDnsServers(
  configured: readonly string[] | undefined,
  now: () => number,
): () => readonly DnsServer[] {
  if (configured !== undefined && configured.length > 0) {
    const servers = configured.map(parseDnsServer)
    return () => servers
  }
  let known: { servers: readonly DnsServer[]; readAt: number } | null = null
  return () => {
    if (known === null || now() - known.readAt > freshMs) known = { servers: machineServers(), readAt: now() }
    return known.servers
  }
}

/** Throws where it is no literal address, with or without a port. */
export function parseDnsServer(text: string): DnsServer {
  const server = parseServer(text)
  if (server === null) throw new RangeError(`"${text}" is not the address of a name server`)
  return server
}

/** Why a name server that a monitor names may not be asked, as a sentence; null where it may. */
export function forbiddenServer({ address, port }: DnsServer, guard: Guard): string | null {
  if (!guard.isAllowed(address)) return forbiddenAddress(address, address)
  return guard.isOwnPort(address, port) ? forbiddenOwnPort(labelOf(address, port)) : null
}

function machineServers(): DnsServer[] {
  return new Resolver()
    .getServers()
    .map(parseServer)
    .filter((server) => server !== null)
}

function parseServer(text: string): DnsServer | null {
  if (isIP(text) !== 0) return { address: text, port: usualPort }
  const server = parseHostPort(text)
  if (server === null || isIP(server.host) === 0) return null
  return { address: server.host, port: server.port ?? usualPort }
}
