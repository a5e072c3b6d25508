import type { BrowserOutcome, BrowserRequest } from '#net/browser/browse.ts'
import type { OutsideServices } from '#core/monitors/outside-services.ts'
import type { DnsOutcome, DnsRequest } from '#net/dns/dns.ts'
import type { DialogueOutcome, DialogueRequest } from '#net/tcp/dialogue.ts'
import type { Http2Outcome, Http2Request } from '#net/http2/http2-request.ts'
import type { Git } from '#net/git/git.ts'
import type { CookieJar, HttpOutcome, HttpRequest } from '#net/http/http-request.ts'
import type { PingOutcome, PingRequest } from '#net/ping/ping.ts'
import type { RouteOutcome, RouteRequest } from '#net/route/route.ts'
import type { ServiceOutcome, ServiceRequest } from '#net/dns/find-service.ts'
import type { TalkOutcome, TalkRequest } from '#net/tcp/talk.ts'
import type { TcpOutcome, TcpRequest } from '#net/tcp/tcp.ts'
import type { TcpExchangeOutcome, TcpExchangeRequest } from '#net/tcp/tcp-exchange.ts'
import type { TlsProbeOutcome, TlsProbeRequest } from '#net/tls/tls-probe.ts'
import type { UdpOutcome, UdpRequest } from '#net/dial/udp.ts'
import type { WhoisOutcome, WhoisRequest } from '#net/tcp/whois.ts'

/**
 * The only code that dials addresses that users choose. Every call resolves a name once, refuses addresses that the
 * configuration does not allow, dials only checked addresses, and ends by `signal`. What a target does is a value; only
 * trouble of this machine itself (no sockets, no free port) is thrown, as `OwnTrouble`.
 */
export type Net = {
  services: OutsideServices
  /** The digests of the keys of the DNS root that signatures are judged by, each written as a DS record. */
  rootAnchors: readonly string[]
  /** Whether checks take up TLS sessions again where their monitors do not say. */
  resumesTls: boolean
  http: (request: HttpRequest, signal: AbortSignal) => Promise<HttpOutcome>
  http2: (request: Http2Request, signal: AbortSignal) => Promise<Http2Outcome>
  cookieJar: () => Promise<CookieJar>
  /** What a check learned that may stand in nothing that is kept of its failure. */
  conceal: (secret: string) => void
  tcp: (request: TcpRequest, signal: AbortSignal) => Promise<TcpOutcome>
  dns: (request: DnsRequest, signal: AbortSignal) => Promise<DnsOutcome>
  tls: (request: TlsProbeRequest, signal: AbortSignal) => Promise<TlsProbeOutcome>
  whois: (request: WhoisRequest, signal: AbortSignal) => Promise<WhoisOutcome>
  dialogue: (request: DialogueRequest, signal: AbortSignal) => Promise<DialogueOutcome>
  talk: (request: TalkRequest, signal: AbortSignal) => Promise<TalkOutcome>
  tcpExchange: (request: TcpExchangeRequest, signal: AbortSignal) => Promise<TcpExchangeOutcome>
  findService: (request: ServiceRequest, signal: AbortSignal) => Promise<ServiceOutcome>
  ping: (request: PingRequest, signal: AbortSignal) => Promise<PingOutcome>
  /** Which routers lie between this machine and a target. */
  route: (request: RouteRequest, signal: AbortSignal) => Promise<RouteOutcome>
  udp: (request: UdpRequest, signal: AbortSignal) => Promise<UdpOutcome>
  browse: (request: BrowserRequest, signal: AbortSignal) => Promise<BrowserOutcome>
  git: Git
}
