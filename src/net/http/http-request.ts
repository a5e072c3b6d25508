import type { Phases } from '#core/results/result.ts'
import type { Family } from '#net/dial/lookup-cache.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import type { Proxy } from '#net/proxy/proxy.ts'
import type { OwnTls } from '#net/tls/own-tls.ts'
import type { Resumption, TlsSession } from '#net/tls/tls.ts'

/** One HTTP exchange, or a chain of them with `maxRedirects` above 0; each has a connection of its own. */
export type HttpRequest = {
  url: URL
  method: string
  /** Lower-case names. The exchange sets length, transfer coding and connection itself, whatever stands here. */
  headers: Record<string, string>
  body: string | Uint8Array | null
  maxRedirects: number
  /** Ends the exchange once the headers of the answer are read. */
  headersOnly: boolean
  /** Number of decoded bytes of the body that are kept. */
  maxBodyBytes: number
  /**
   * Number of decoded bytes that `isEnough` sees; default: `maxBodyBytes`, which are kept. With 0 the body is read to
   * its end undecoded, because a broken transfer is a failure too.
   */
  maxDecodedBytes?: number
  /**
   * Milliseconds to wait for the body after the headers, for callers whom the headers may tell enough: when the time is
   * over, or the body breaks off, the answer has the part that came. Without it a broken body is a failure.
   */
  bodyPatienceMs?: number
  /** Number of bytes accepted from the wire for one answer. */
  maxWireBytes: number
  /** Called with each decoded piece, which is only valid during the call; true ends the reading early. */
  isEnough?: (piece: Uint8Array, headers: Readonly<Record<string, string>>) => boolean
  /** The text of a time-out names this time; `signal` ends the exchange. */
  timeoutMs?: number
  /** The only version of IP that is used; default: both, IPv6 first. */
  family?: Family | undefined
  /**
   * Whether servers may choose HTTP/2 within TLS (ALPN, RFC 7301); default: all are spoken with by HTTP/1.1. Without TLS
   * there is nobody to choose, and it stays with HTTP/1.1.
   */
  http2?: boolean | undefined
  /** How TLS is spoken with one host of the chain; default: with all as usual. */
  tls?: OwnTls | undefined
  /** TLS sessions that are taken up again; default: each handshake is a full one. */
  resumption?: Resumption | undefined
  /** By which all servers of the chain are reached; default: without one. */
  proxy?: Proxy | undefined
  /** The name server that looks up names, host[:port] with a literal address; default: those of this location. */
  resolver?: string | undefined
  /** Holds the cookies of the whole chain, redirects included. */
  cookies?: CookieJar
  /** Signs in to the servers of the chain; default: with what `headers` say. */
  signIn?: SignIn
}

/** What is sent to a server, before the exchange adds how it is framed. */
export type Message = Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body'>

/** Headers in lower-case names. */
export type SignIn = {
  /** What a message is sent with beside its own headers; null: as it is. */
  headersFor: (message: Message) => Record<string, string> | null
  /**
   * Of a message that was answered with 401 and this www-authenticate: makes what it is sent with once more; null where
   * that would change nothing. What it makes is null where it cannot be made.
   */
  answerTo: (message: Message, challenge: string) => (() => Promise<Record<string, string> | null>) | null
  /** Why the last 401 was not answered any more, to follow a colon; null where there was none. */
  refusal: () => string | null
}

/** Cookies that outlive an exchange, kept and sent as browsers do (RFC 6265). */
export type CookieJar = {
  /** Keeps the cookies of an answer from `url`: the values of its set-cookie headers, joined by newlines. */
  keep: (url: URL, setCookies: string) => void
  /** The value of the header `cookie` for a request to `url`; null without cookies. */
  headerFor: (url: URL) => string | null
}

/** By which version an answer came. */
export type HttpVersion = '1.0' | '1.1' | '2'

export type Redirect = { status: number; url: string }

export type HttpAnswer = {
  status: number
  version: HttpVersion
  /** Lower-case names; repeated headers are joined by ", ", set-cookie by newlines. */
  headers: Record<string, string>
  body: Uint8Array
  /** Whether a limit of decoded or wire bytes ended the reading before the body's end. */
  isTruncated: boolean
  finalUrl: string
  /** The redirects that were followed: the status of each, and where it led. */
  redirects: Redirect[]
  address: string
  tls: TlsSession | null
}

export type HttpOutcome = {
  /** From the start to the end of the body (or of the headers), redirects included, in whole milliseconds. */
  latencyMs: number
  /** Summed over all exchanges of the chain. */
  phases: Phases
} & (
  | { ok: true; answer: HttpAnswer }
  | {
      ok: false
      failure: NetFailure
      redirects: Redirect[]
      /** The status of an answer that began and then broke off. */
      status: number | null
    }
)
