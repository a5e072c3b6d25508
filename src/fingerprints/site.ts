import type { Net } from '#net/net.ts'
import type { HttpAnswer } from '#net/http/http-request.ts'
import { readRobots } from './robots.ts'

/** One website during a scan: a handful of requests, each of limited size, all within one deadline. */
export type Site = {
  /** Null where no answer came, or the requests are used up. Redirects are followed wherever they lead. */
  get: (url: URL, maxBytes: number) => Promise<Page | null>
  /** The same for an address that no page named, which is requested only where robots.txt allows it. */
  guess: (url: URL, maxBytes: number) => Promise<Page | null>
}

export type Page = { answer: HttpAnswer; text: string }

export type SiteOptions = {
  http: Net['http']
  /** The monitor's headers, which are sent only to its own origin. */
  headers: Readonly<Record<string, string>>
  origin: string
  signal: AbortSignal
  /** Number of requests after that for the first page. */
  maxRequests: number
}

const agent = 'Perigee'
const maxRedirects = 5
const maxRobotsBytes = 128 * 1024
const requestTimeoutMs = 10_000

export function openSite({ http, headers, origin, signal, maxRequests }: SiteOptions): Site {
  let left = maxRequests
  let robots: Promise<(url: URL) => boolean> | null = null
  const get = async (url: URL, maxBytes: number): Promise<Page | null> => {
    if (left === 0 || signal.aborted) return null
    left -= 1
    const outcome = await http(
      requestOf(url, { headers: url.origin === origin ? headers : {}, maxBytes }),
      deadline(signal),
    )
    return outcome.ok ? { answer: outcome.answer, text: textOf(outcome.answer) } : null
  }
  return {
    get,
    guess: async (url, maxBytes) => {
      robots ??= get(new URL('/robots.txt', url.origin), maxRobotsBytes).then((page) => rulesOf(page))
      return (await robots)(url) ? get(url, maxBytes) : null
    },
  }
}

export function requestOf(
  url: URL,
  { headers, maxBytes }: { headers: Readonly<Record<string, string>>; maxBytes: number },
): Parameters<Net['http']>[0] {
  const sent: Record<string, string> = { 'user-agent': 'Perigee/1 (+software scan)', accept: '*/*' }
  for (const name in headers) sent[name.toLowerCase()] = headers[name] ?? ''
  return {
    url,
    method: 'GET',
    headers: sent,
    body: null,
    maxRedirects,
    headersOnly: false,
    maxBodyBytes: maxBytes,
    maxWireBytes: maxBytes + 65_536,
    timeoutMs: requestTimeoutMs,
  }
}

export function deadline(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)])
}

/** Bytes that are not UTF-8 become replacement characters; names and versions are ASCII anyway. */
export function textOf({ body }: Pick<HttpAnswer, 'body'>): string {
  return Buffer.from(body).toString('utf8')
}

/** RFC 9309 2.3.1: without rules everything is allowed; while the server cannot deliver them, nothing is. */
function rulesOf(page: Page | null): (url: URL) => boolean {
  if (page === null || page.answer.status >= 500) return () => false
  if (page.answer.status !== 200) return () => true
  const allows = readRobots(page.text, agent)
  return ({ pathname, search }) => allows(pathname + search)
}
