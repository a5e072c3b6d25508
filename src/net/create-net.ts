import type { SecureContext } from 'node:tls'
import { type OutsideServices, publicServices } from '#core/monitors/outside-services.ts'
import type { Browse, BrowserMeans } from '#net/browser/browse.ts'
import { createReadBuffer } from '#net/dial/connection.ts'
import { askDns } from '#net/dns/dns.ts'
import { openDnsServers } from '#net/dns/dns-servers.ts'
import { rootAnchors } from '#net/dns/root-anchors.ts'
import { converse } from '#net/tcp/dialogue.ts'
import { createGit } from '#net/git/git.ts'
import { type AllowPrivate, createGuard, type GuardOptions } from '#net/dial/guard.ts'
import { fetchChain } from '#net/http/http.ts'
import type { HttpOutcome, HttpRequest } from '#net/http/http-request.ts'
import { createTraffic, type Traffic } from '#net/ground/trace.ts'
import { entering } from './entering.ts'
import type { Net } from './net.ts'
import { createPinger } from '#net/ping/ping.ts'
import { createOwnResolvers } from '#net/dial/own-resolvers.ts'
import type { Parts } from '#net/dial/reach.ts'
import { createResolver } from '#net/dial/resolve.ts'
import type { Router } from '#net/route/route.ts'
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
  /** Default: those of the public root. */
  rootAnchors?: readonly string[]
  /** Name or path of the program; default: git. */
  git?: string
  /** Path of Chromium; default: the one that is found. */
  chromium?: string
  /** Whether visits may run scripts of their monitors. Default: false. */
  runsScripts?: boolean
  /** Whether checks take up TLS sessions again where their monitors do not say. Default: false. */
  resumesTls?: boolean
  /** Is told what is dialled and what answers. */
  traffic?: Traffic
}

/** Throws when an address range or a name server is not written as one. */
export function createNet(options: NetOptions): Net {
  let tlsContext: SecureContext | undefined
  const readBuffer = createReadBuffer()
  const dnsServers = openDnsServers(options.dnsServers, () => performance.now())
  const guard = createGuard(options.allowPrivate, options)
  const parts: Parts = {
    guard,
    resolver: createResolver(options.dnsServers === undefined ? {} : { servers: options.dnsServers }),
    readBuffer,
    tlsContext: () => (tlsContext ??= createTlsContext()),
    ownContext: createOwnContexts(),
    ownResolver: createOwnResolvers(guard),
    traffic: options.traffic ?? createTraffic(),
  }
  const net: Net = {
    services: options.services ?? publicServices,
    rootAnchors: options.rootAnchors ?? rootAnchors,
    resumesTls: options.resumesTls ?? false,
    http: (request, signal) =>
      request.http2 === true ? fetchByEither(parts, request, signal) : fetchChain(parts, request, signal),
    // The first request loads Node's module for HTTP/2.
    http2: async (request, signal) =>
      (await import('#net/http2/http2-exchange.ts')).exchangeHttp2(parts, request, signal),
    // The first run that needs cookies loads the module with its list of public suffixes (10 MB).
    cookieJar: async () => (await import('#net/http/cookie-jar.ts')).createCookieJar(),
    conceal: (secret) => void parts.traffic.sight()?.secrets.push(secret),
    tcp: (request, signal) => connectOnce(parts, request, signal),
    dns: (request, signal) =>
      askDns({ servers: dnsServers, guard, readBuffer, traffic: parts.traffic }, request, signal),
    tls: (request, signal) => probeTls(parts, request, signal),
    whois: (request, signal) => askWhois(parts, request, signal),
    dialogue: (request, signal) => converse(parts, request, signal),
    talk: (request, signal) => talk(parts, request, signal),
    tcpExchange: (request, signal) => exchangeBytes(parts, request, signal),
    findService: (request, signal) => findService(parts, request, signal),
    ping: createPinger(parts),
    route: lazyRouter(parts),
    udp: (request, signal) => exchangeDatagrams(parts, request, signal),
    browse: lazyBrowser(parts, { chromium: options.chromium ?? null, runsScripts: options.runsScripts ?? false }),
    git: createGit(parts, options.git ?? 'git'),
  }
  return options.traffic === undefined ? net : entering(net, options.traffic.entered)
}

/** The first request that offers HTTP/2 loads Node's module for it, before it dials. */
async function fetchByEither(parts: Parts, request: HttpRequest, signal: AbortSignal): Promise<HttpOutcome> {
  const { exchangeByHttp2 } = await import('#net/http2/web-exchange.ts')
  return fetchChain({ ...parts, exchangeByHttp2 }, request, signal)
}

/** The first route loads what looks for it. */
function lazyRouter(parts: Parts): Router {
  let loading: Promise<Router> | undefined
  return async (request, signal) => {
    loading ??= import('#net/route/route.ts').then(({ createRouter }) => createRouter(parts))
    return (await loading)(request, signal)
  }
}

/** The first visit loads what runs a browser. */
function lazyBrowser(parts: Parts, means: BrowserMeans): Net['browse'] {
  let loading: Promise<Browse> | undefined
  return async (request, signal) => {
    loading ??= import('#net/browser/browse.ts').then(({ createBrowser }) => createBrowser(means))
    return (await loading)(parts, request, signal)
  }
}
