import type { SecureContext } from 'node:tls'
import { createReadBuffer } from './connection.ts'
import { type AllowPrivate, createGuard } from './guard.ts'
import { fetchChain } from './http.ts'
import type { Net } from './net.ts'
import type { Parts } from './reach.ts'
import { createResolver } from './resolve.ts'
import { connectOnce } from './tcp.ts'
import { createTlsContext } from './tls.ts'

export type NetOptions = {
  allowPrivate: AllowPrivate
  /** host[:port] each, literal addresses; default: those of the machine. */
  dnsServers?: readonly string[]
}

/** Throws when an address range or a name server is not written as one. */
export function createNet(options: NetOptions): Net {
  let tlsContext: SecureContext | undefined
  const parts: Parts = {
    guard: createGuard(options.allowPrivate),
    resolver: createResolver(options.dnsServers === undefined ? {} : { servers: options.dnsServers }),
    readBuffer: createReadBuffer(),
    tlsContext: () => (tlsContext ??= createTlsContext()),
  }
  return {
    http: (request, signal) => fetchChain(parts, request, signal),
    tcp: (request, signal) => connectOnce(parts, request, signal),
  }
}
