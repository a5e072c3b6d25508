import type { SecureContext } from 'node:tls'
import { type OutsideServices, publicServices } from '#core/monitors/outside-services.ts'
import { createReadBuffer } from '#net/dial/connection.ts'
import { askDns } from '#net/dns/dns.ts'
import { openDnsServers } from '#net/dns/dns-servers.ts'
import { converse } from '#net/tcp/dialogue.ts'
import { createGit } from '#net/git/git.ts'
import { type AllowPrivate, createGuard, type GuardOptions } from '#net/dial/guard.ts'
import { fetchChain } from '#net/http/http.ts'
import { createTraffic, type Traffic } from '#net/ground/trace.ts'
import { entering } from './entering.ts'
import type { Net } from './net.ts'
import { createPinger } from '#net/ping/ping.ts'
import type { Parts } from '#net/dial/reach.ts'
import { createResolver } from '#net/dial/resolve.ts'
import { findService } from '#net/dns/find-service.ts'
import { talk } from '#net/tcp/talk.ts'
import { connectOnce } from '#net/tcp/tcp.ts'
import { exchangeBytes } from '#net/tcp/tcp-exchange.ts'
import { createOwnContexts } from '#net/tls/own-tls.ts'
import { probeTls } from '#net/tls/tls-probe.ts'
import { createTlsContext } from '#net/tls/tls.ts'
import { exchangeDatagrams } from '#net/dial/udp.ts'
import { askWhois } from '#net/tcp/whois.ts'

export type NetOptions = GuardOptions & {
  allowPrivate: AllowPrivate
  /** Each is host[:port] with a literal address; default: the name servers of the machine. */
  dnsServers?: readonly string[]
  /** Default: the public services. */
  services?: OutsideServices
  /** Name or path of the program; default: git. */
  git?: string
  /** Is told what is dialled and what answers. */
  traffic?: Traffic
}

/** Throws when an address range or a name server is not written as one. */
export function createNet(options: NetOptions): Net {
  let tlsContext: SecureContext | undefined
  const readBuffer = createReadBuffer()
  const dnsServers = openDnsServers(options.dnsServers, () => performance.now())
  const parts: Parts = {
    guard: createGuard(options.allowPrivate, options),
    resolver: createResolver(options.dnsServers === undefined ? {} : { servers: options.dnsServers }),
    readBuffer,
    tlsContext: () => (tlsContext ??= createTlsContext()),
    ownContext: createOwnContexts(),
    traffic: options.traffic ?? createTraffic(),
  }
  const net: Net = {
    services: options.services ?? publicServices,
    http: (request, signal) => fetchChain(parts, request, signal),
    // The first run that needs cookies loads the module with its list of public suffixes (10 MB).
    cookieJar: async () => (await import('#net/http/cookie-jar.ts')).createCookieJar(),
    tcp: (request, signal) => connectOnce(parts, request, signal),
    dns: (request, signal) => askDns({ servers: dnsServers, readBuffer, traffic: parts.traffic }, request, signal),
    tls: (request, signal) => probeTls(parts, request, signal),
    whois: (request, signal) => askWhois(parts, request, signal),
    dialogue: (request, signal) => converse(parts, request, signal),
    talk: (request, signal) => talk(parts, request, signal),
    tcpExchange: (request, signal) => exchangeBytes(parts, request, signal),
    findService: (request, signal) => findService(parts, request, signal),
    ping: createPinger(parts),
    udp: (request, signal) => exchangeDatagrams(parts, request, signal),
    git: createGit(parts, options.git ?? 'git'),
  }
  return options.traffic === undefined ? net : entering(net, options.traffic.entered)
}
