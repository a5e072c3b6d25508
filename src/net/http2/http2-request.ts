import type { TalkOutcome, TalkRequest } from '#net/tcp/talk.ts'

/** One POST by HTTP/2 (RFC 9113), without a redirect and without a proxy. */
export type Http2Request = Pick<TalkRequest, 'host' | 'port' | 'tls' | 'timeoutMs' | 'maxBytes'> & {
  /** Without TLS, HTTP/2 begins at once (RFC 9113 3.3), and nothing is said to a public address. */
  isTls: boolean
  path: string
  /** Names in lower case, without those that belong to the connection. `host` is sent as `:authority`. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export type Http2Answer = {
  /** Null until the headers have come. */
  status: number | null
  /** Names in lower case; of a repeated header the first value. */
  headers: Readonly<Record<string, string>>
  body: Buffer
  trailers: Readonly<Record<string, string>>
}

/** `answer` has what came, as far as it came. */
export type Http2Outcome = { outcome: TalkOutcome; answer: Http2Answer }
