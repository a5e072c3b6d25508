import type { HttpAnswer, HttpOutcome } from '#net/http/http-request.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { FeedError, type FeedParts } from './feed.ts'

export type FeedRequest = {
  /** Appended to the root of the feed. */
  path: string
  /** The `etag` of what is stored already. */
  etag?: string | null
  /** Sent beside the usual headers; another origin does not get them. */
  headers?: Readonly<Record<string, string>>
  timeoutMs: number
  /** Limit of the answer in decoded bytes. */
  maxBytes: number
  /**
   * Makes the function that takes the body of one attempt in pieces and returns true for enough. An error that it
   * throws ends the reading.
   */
  taker: () => (piece: Uint8Array) => boolean
}

export type FeedAnswer = { etag: string | null }

const attempts = 4
const firstPauseMs = 6_000
/** A server that asks for a longer pause gets it from the next reading. */
const longestPauseMs = 120_000
const maxRedirects = 5

/**
 * Reads one address of a feed, again where its server is busy or breaks off. `missing` for 404, `unchanged` for 304.
 * Throws FeedError, and what the taker threw.
 */
export async function fetchFeed(parts: FeedParts, request: FeedRequest): Promise<FeedAnswer | 'unchanged' | 'missing'> {
  for (let attempt = 1; ; attempt += 1) {
    const { outcome, thrown } = await attemptFetch(parts, request)
    parts.signal.throwIfAborted()
    if (outcome.ok && isRead(outcome.answer)) {
      if (thrown !== null) throw thrown
      return readAnswer(outcome.answer)
    }
    const pauseMs = pauseAfter(outcome, attempt)
    const problem = problemOf(outcome, `${parts.root}${request.path}`)
    if (pauseMs === null || pauseMs > longestPauseMs || attempt === attempts) throw new FeedError(problem)
    await parts.wait(pauseMs, parts.signal)
  }
}

/** A taker that keeps the whole body, for small answers. */
export function keepBody(): { taker: FeedRequest['taker']; text: () => string } {
  let pieces: Uint8Array[] = []
  return {
    taker: () => {
      pieces = []
      return (piece) => {
        pieces.push(Uint8Array.from(piece))
        return false
      }
    },
    text: () => new TextDecoder().decode(Buffer.concat(pieces)),
  }
}

type Attempted = { outcome: HttpOutcome; thrown: unknown }

async function attemptFetch({ net, root, signal }: FeedParts, request: FeedRequest): Promise<Attempted> {
  const { path, etag, headers, timeoutMs, maxBytes } = request
  const take = request.taker()
  let thrown: unknown = null
  let seenBytes = 0
  const isEnough = (piece: Uint8Array): boolean => {
    try {
      seenBytes += piece.length
      if (seenBytes >= maxBytes) throw new FeedError(`${root}${path} answered with more than ${maxBytes} bytes.`)
      return take(piece)
    } catch (error) {
      thrown = error
      return true
    }
  }
  const asked = {
    url: new URL(`${root}${path}`),
    method: 'GET',
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip',
      'user-agent': 'Perigee',
      ...(etag ? { 'if-none-match': etag } : {}),
      ...headers,
    },
    body: null,
    maxRedirects,
    headersOnly: false,
    maxBodyBytes: 0,
    maxDecodedBytes: maxBytes,
    maxWireBytes: maxBytes,
    isEnough,
    timeoutMs,
  }
  try {
    const outcome = await net.http(asked, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    return { outcome, thrown }
  } catch (error) {
    if (error instanceof OwnTrouble) throw new FeedError(`${root}${path} could not be asked: ${error.message}.`)
    throw error
  }
}

function isRead({ status }: HttpAnswer): boolean {
  return status === 200 || status === 304 || status === 404
}

function readAnswer({ status, headers }: HttpAnswer): FeedAnswer | 'unchanged' | 'missing' {
  if (status === 304) return 'unchanged'
  return status === 404 ? 'missing' : { etag: headers['etag'] ?? null }
}

/** Null where another attempt is of no use. The NVD answers 403 to clients that ask too often. */
function pauseAfter(outcome: HttpOutcome, attempt: number): number | null {
  const patienceMs = firstPauseMs * 2 ** (attempt - 1)
  if (!outcome.ok) return patienceMs
  const { status, headers } = outcome.answer
  if (status !== 403 && status !== 408 && status !== 429 && status < 500) return null
  const wishSeconds = Number(headers['retry-after'] ?? 0)
  return Number.isFinite(wishSeconds) ? Math.max(patienceMs, wishSeconds * 1000) : patienceMs
}

function problemOf(outcome: HttpOutcome, address: string): string {
  const why = outcome.ok ? `answered with status ${outcome.answer.status}` : `failed: ${outcome.failure.message}`
  return `${address} ${why}.`
}
