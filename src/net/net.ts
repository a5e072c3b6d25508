import type { OutsideServices } from '#core/outside-services.ts'
import type { Phases } from '#core/result.ts'
import type { DnsOutcome, DnsRequest } from './dns.ts'
import type { DialogueOutcome, DialogueRequest } from './dialogue.ts'
import type { Git } from './git.ts'
import type { PingOutcome, PingRequest } from './ping.ts'
import type { ServiceOutcome, ServiceRequest } from './service.ts'
import type { TcpExchangeOutcome, TcpExchangeRequest } from './tcp-exchange.ts'
import type { TlsProbeOutcome, TlsProbeRequest } from './tls-probe.ts'
import type { UdpOutcome, UdpRequest } from './udp.ts'
import type { WhoisOutcome, WhoisRequest } from './whois.ts'

/** Why an exchange failed, in words a person understands (decisions.md A28), with a stable code and the phase. */
export type NetFailure = {
  code: string
  phase: 'dns' | 'connect' | 'tls' | 'request' | 'transfer'
  message: string
}

export type PeerCertificate = {
  subject: string
  issuer: string
  names: string[]
  /** ISO 8601. */
  notBefore: string
  notAfter: string
  serial: string
  fingerprint256: string
}

export type TlsSession = { protocol: string; cipher: string; certificate: PeerCertificate | null }

/** One HTTP exchange, or with `maxRedirects` above 0 a chain of them; one connection each, never reused. */
export type HttpRequest = {
  url: URL
  method: string
  /** Lower-case names. Framing (length, transfer coding, connection) is the exchange's own, whatever stands here. */
  headers: Record<string, string>
  body: string | null
  maxRedirects: number
  /** Ends the exchange once the answer's headers are read. */
  headersOnly: boolean
  /** Bytes of the body kept, after decoding. */
  maxBodyBytes: number
  /**
   * Decoded bytes that are looked at, of which the first `maxBodyBytes` are kept; as many as those by default.
   * With 0 nobody looks: the body is read to its end undecoded, because a broken transfer is a failure too.
   */
  maxDecodedBytes?: number
  /** Bytes accepted from the wire for one answer. */
  maxWireBytes: number
  /** Called with each decoded piece, which is only valid during the call; true ends the reading early. */
  isEnough?: (piece: Uint8Array, headers: Readonly<Record<string, string>>) => boolean
  /** What the text of a time-out names; `signal` is what ends the exchange. */
  timeoutMs?: number
  /** Sent to and kept from every answer of the chain, redirects included. */
  cookies?: CookieJar
}

/** Cookies that outlive an exchange, kept and sent as browsers do (RFC 6265). */
export type CookieJar = {
  /** Keeps what an answer of `url` sets: the values of its set-cookie headers, joined by newlines. */
  keep: (url: URL, setCookies: string) => void
  /** What the header `cookie` of a request to `url` holds; null for nothing. */
  headerFor: (url: URL) => string | null
}

export type Redirect = { status: number; url: string }

export type HttpAnswer = {
  status: number
  /** Lower-case names; repeated ones are joined by ", ", except set-cookie, joined by newlines. */
  headers: Record<string, string>
  body: Uint8Array
  /** A limit of decoded or wire bytes ended the reading before the body's end. */
  isTruncated: boolean
  finalUrl: string
  /** The answers that were followed: their status and where they led. */
  redirects: Redirect[]
  address: string
  tls: TlsSession | null
}

export type HttpOutcome = {
  /** From the start to the end of the body (or of the headers), redirects included; whole milliseconds. */
  latencyMs: number
  /** Summed over all exchanges of the chain. */
  phases: Phases
} & (
  | { ok: true; answer: HttpAnswer }
  | {
      ok: false
      failure: NetFailure
      redirects: Redirect[]
      /** Of an answer that began and then broke off. */
      status: number | null
    }
)

export type TcpRequest = {
  host: string
  port: number
  /** Reads until this text has come, the peer closes or the deadline passes; null connects only. */
  expectedText: string | null
  maxBytes: number
  /** What the text of a time-out names; `signal` is what ends the exchange. */
  timeoutMs?: number
}

export type TcpOutcome = { latencyMs: number; phases: Phases } & (
  | { ok: true; address: string; received: string; hasExpectedText: boolean }
  | { ok: false; failure: NetFailure }
)

/**
 * The only door to addresses that users choose. Every call resolves a name once, refuses addresses the
 * configuration does not allow, dials only what it checked, and ends by `signal`. What a target does is a value;
 * only trouble of this machine's own (no sockets, no free port) is thrown, as `OwnTrouble`.
 */
export type Net = {
  services: OutsideServices
  http: (request: HttpRequest, signal: AbortSignal) => Promise<HttpOutcome>
  cookieJar: () => Promise<CookieJar>
  tcp: (request: TcpRequest, signal: AbortSignal) => Promise<TcpOutcome>
  dns: (request: DnsRequest, signal: AbortSignal) => Promise<DnsOutcome>
  tls: (request: TlsProbeRequest, signal: AbortSignal) => Promise<TlsProbeOutcome>
  whois: (request: WhoisRequest, signal: AbortSignal) => Promise<WhoisOutcome>
  dialogue: (request: DialogueRequest, signal: AbortSignal) => Promise<DialogueOutcome>
  tcpExchange: (request: TcpExchangeRequest, signal: AbortSignal) => Promise<TcpExchangeOutcome>
  findService: (request: ServiceRequest, signal: AbortSignal) => Promise<ServiceOutcome>
  ping: (request: PingRequest, signal: AbortSignal) => Promise<PingOutcome>
  udp: (request: UdpRequest, signal: AbortSignal) => Promise<UdpOutcome>
  git: Git
}
