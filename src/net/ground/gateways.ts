import { readFileSync } from 'node:fs'
import type { Destination } from './destinations.ts'

/** Names, and the pages on which a router is set up: most have one of them, and refuse the others. */
const ports = [53, 80, 443]

/** A route of proc(5) that is up, leads through a gateway and has no destination of its own. */
const defaultRoute = /^\S+\t00000000\t([\dA-F]{8})\t([\dA-F]{4})\t/

const throughGateway = 0x2
const readEveryMs = 10_000

/** Where this machine sends what is not of its own networks, over IPv4: the nearest of what a private network has. */
export function readGateways(path = '/proc/net/route'): Destination[] {
  const hosts = new Set(linesOf(path).flatMap((line) => gatewayOf(line) ?? []))
  return [...hosts].flatMap((host) => ports.map((port) => ({ host, port })))
}

/** The same, read anew every ten seconds: each of thousands of checks that wait may ask. */
export function gatewayReader(read = readGateways, now = (): number => performance.now()): () => Destination[] {
  let known: Destination[] = []
  let readMs = -Infinity
  return () => {
    if (now() - readMs < readEveryMs) return known
    known = read()
    readMs = now()
    return known
  }
}

/** Only Linux tells its routes in a file. */
function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}

/** Addresses stand there as the machine has them in its memory, which is little-endian. */
function gatewayOf(line: string): string | null {
  const [, address = '', flags = '0'] = defaultRoute.exec(line) ?? []
  if (address === '' || (Number.parseInt(flags, 16) & throughGateway) === 0) return null
  return Array.from(Buffer.from(address, 'hex')).toReversed().join('.')
}
