import { portOf } from '#core/language/host-port.ts'
import { timeoutFailure } from '#net/dial/connect-failure.ts'
import { type Connection, discard } from '#net/dial/connection.ts'
import { guardAfter, withoutBrackets } from '#net/dial/guard.ts'
import { exchangeOnce } from './http-exchange.ts'
import { type Message, writeHead } from './http-message.ts'
import type { ResponseHead } from './http-parser.ts'
import type { CookieJar, HttpAnswer, HttpOutcome, HttpRequest, Redirect } from './http-request.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { addTime, noTimes, type PhaseTimes, wholeMs } from '#net/dial/phase-times.ts'
import { labelOf, type Parts, reach } from '#net/dial/reach.ts'
import type { Sight } from '#net/ground/sight.ts'
import { endlessFailure, followRedirect, isRedirect } from './redirects.ts'
import { secure, type TlsSession } from '#net/tls/tls.ts'

/** One check over HTTP: the exchange and those to which answers redirect, each over a connection of its own. */
export async function fetchChain(parts: Parts, request: HttpRequest, signal: AbortSignal): Promise<HttpOutcome> {
  const sight = parts.traffic.sight()
  const chain: Chain = { parts, request, signal, times: noTimes(), redirects: [], cameFrom: null, sight }
  const startedAt = performance.now()
  const ending = await followChain(chain)
  return { latencyMs: Math.round(performance.now() - startedAt), phases: wholeMs(chain.times), ...ending }
}

type Chain = {
  parts: Parts
  request: HttpRequest
  signal: AbortSignal
  times: PhaseTimes
  redirects: Redirect[]
  /** The address that answered last; null before any did. */
  cameFrom: string | null
  sight: Sight | null
}

type Failed = { ok: false; failure: NetFailure; redirects: Redirect[]; status: number | null }
type Ending = { ok: true; answer: HttpAnswer } | Failed

async function followChain(chain: Chain): Promise<Ending> {
  const { request, redirects } = chain
  let message: Message = request
  const visited = new Set<string>()
  for (;;) {
    const step = await exchange(chain, withCookies(message, request.cookies))
    if (!step.ok) return step
    const { head } = step
    chain.cameFrom = step.address
    request.cookies?.keep(message.url, head.headers['set-cookie'] ?? '')
    if (request.maxRedirects === 0 || !isRedirect(head)) return answered(step, message.url, redirects)
    visited.add(message.url.href)
    const next = followRedirect(message, head)
    if (!next.ok) return failed(chain, next.failure, head.status)
    redirects.push({ status: head.status, url: next.message.url.href })
    // With cookies a server may redirect to the same address again and then answer otherwise.
    const isRepeated =
      request.cookies === undefined && visited.has(next.message.url.href) && next.message.method === message.method
    if (isRepeated || redirects.length > request.maxRedirects)
      return failed(chain, endlessFailure(next.message.url, visited, request.maxRedirects), head.status)
    message = next.message
  }
}

/** The cookies of the jar are added to those that the customer sends. */
function withCookies(message: Message, cookies: CookieJar | undefined): Message {
  const kept = cookies?.headerFor(message.url) ?? null
  if (kept === null) return message
  const own = message.headers['cookie']
  return { ...message, headers: { ...message.headers, cookie: own === undefined ? kept : `${own}; ${kept}` } }
}

type Step = { head: ResponseHead; body: Uint8Array; isTruncated: boolean; address: string; tls: TlsSession | null }

async function exchange(chain: Chain, message: Message): Promise<({ ok: true } & Step) | Failed> {
  const { request, signal, times, sight } = chain
  const { url, method, body } = message
  const head = writeHead(message)
  const place = placeOf(message.url)
  const opened = await open(chain, place)
  if (!opened.ok) return failed(chain, opened.failure, null)
  const { connection, session } = opened
  const sentAt = performance.now()
  const endsAtHead = (answer: ResponseHead): boolean =>
    request.headersOnly || (request.maxRedirects > 0 && isRedirect(answer))
  const sent = { connection, url, method, head, body, request, label: place.label, sight, endsAtHead }
  const ended = await exchangeOnce(sent, signal)
  const endedAt = performance.now()
  addTime(times, 'ttfbMs', (ended.headAt ?? endedAt) - sentAt)
  if (ended.headAt !== null && !request.headersOnly) addTime(times, 'transferMs', endedAt - ended.headAt)
  if (ended.ok) return { ...ended, address: connection.address, tls: session }
  const phase = ended.headAt === null ? 'request' : 'transfer'
  return failed(chain, orTimeout(ended.failure, phase, { request, place }), ended.head?.status ?? null)
}

/** The host and port of a URL. `label` is `host:port` for texts. */
type Place = { host: string; port: number; isTls: boolean; label: string }

function placeOf(url: URL): Place {
  const host = withoutBrackets(url.hostname)
  const isTls = url.protocol === 'https:'
  const port = portOf(url)
  return { host, port, isTls, label: labelOf(host, port) }
}

type Opened = { ok: true; connection: Connection; session: TlsSession | null } | { ok: false; failure: NetFailure }

const protocols = ['http/1.1']

/** Connects, and starts TLS where the URL asks for it. Only the first look-up of a chain is fresh. */
async function open(chain: Chain, place: Place): Promise<Opened> {
  const { parts, request, signal, times, redirects, sight } = chain
  const isFresh = redirects.length === 0
  const way = { ...parts, guard: guardAfter(parts.guard, chain.cameFrom) }
  const reached = await reach(
    way,
    { ...place, isFresh, timeoutMs: request.timeoutMs, family: request.family, sight },
    { signal, times },
  )
  if (!reached.ok) return reached
  if (!place.isTls) return { ok: true, connection: reached.connection, session: null }
  const startedAt = performance.now()
  const own = request.tls?.host === place.host ? request.tls : null
  const chosen = own === null ? { ok: true as const, context: parts.tlsContext() } : parts.ownContext(own)
  if (!chosen.ok) {
    discard(reached.connection)
    return chosen
  }
  const target = { ...place, context: chosen.context, acceptsAny: own?.acceptsAny, protocols, sight }
  const secured = await secure(reached.connection, target, signal)
  addTime(times, 'tlsMs', performance.now() - startedAt)
  return secured.ok ? secured : { ok: false, failure: orTimeout(secured.failure, 'tls', { request, place }) }
}

function answered(step: Step, url: URL, redirects: Redirect[]): Ending {
  const { head, body, isTruncated, address, tls } = step
  const { status, headers } = head
  return { ok: true, answer: { status, headers, body, isTruncated, finalUrl: url.href, redirects, address, tls } }
}

function failed({ redirects, sight }: Chain, failure: NetFailure, status: number | null): Failed {
  if (sight !== null) sight.failure = failure
  return { ok: false, failure, redirects, status }
}

function orTimeout(
  failure: NetFailure | 'aborted',
  phase: NetFailure['phase'],
  { request, place }: { request: HttpRequest; place: Place },
): NetFailure {
  return failure === 'aborted' ? timeoutFailure(phase, request.timeoutMs, place.label) : failure
}
