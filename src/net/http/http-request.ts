import type { Phases } from '#core/results/result.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import type { TlsSession } from '#net/tls/tls.ts'

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
  /**
   * Milliseconds that the body is waited for after the headers, for callers whom the headers may tell enough: when they
   * are over, or when the body breaks off, the answer has what came of it. Without them a broken body is a failure.
   */
  bodyPatienceMs?: number
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
