import { TLSSocket } from 'node:tls'
import { portOf } from '#core/language/host-port.ts'
import { timeoutFailure } from '#net/dial/connect-failure.ts'
import { type Connection, discard } from '#net/dial/connection.ts'
import { guardAfter, withoutBrackets } from '#net/dial/guard.ts'
import type { Exchanger } from './answer-reading.ts'
import { exchangeOnce } from './http-exchange.ts'
import { writeHead } from './http-message.ts'
import type { ResponseHead } from './http-parser.ts'
import type {
  CookieJar,
  HttpAnswer,
  HttpOutcome,
  HttpRequest,
  HttpVersion,
  Message,
  Redirect,
  SignIn,
} from './http-request.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { addTime, noTimes, type PhaseTimes, wholeMs } from '#net/dial/phase-times.ts'
import { labelOf, type Parts, reach } from '#net/dial/reach.ts'
import type { Sight } from '#net/ground/sight.ts'
import { signInFailure } from '#net/proxy/proxy.ts'
import { isForwarded, reachThrough } from '#net/proxy/reach-through.ts'
import { endlessFailure, followRedirect, isRedirect } from './redirects.ts'
import { secure, type TlsSession } from '#net/tls/tls.ts'

/** One check over HTTP: the exchange and those to which answers redirect, each over a connection of its own. */
export async function fetchChain(parts: WebParts, request: HttpRequest, signal: AbortSignal): Promise<HttpOutcome> {
  const sight = parts.traffic.sight()
  const chain: Chain = { parts, request, signal, times: noTimes(), redirects: [], cameFrom: null, sight }
  const startedAt = performance.now()
  const ending = await followChain(chain)
  return { latencyMs: Math.round(performance.now() - startedAt), phases: wholeMs(chain.times), ...ending }
}

/** `exchangeByHttp2` speaks HTTP/2 for requests that offer it. */
export type WebParts = Parts & { exchangeByHttp2?: Exchanger }

type Chain = {
  parts: WebParts
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
    const step = await exchangeSigned(chain, withCookies(message, request.cookies))
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

type Step = {
  head: ResponseHead
  version: HttpVersion
  body: Uint8Array
  isTruncated: boolean
  address: string
  tls: TlsSession | null
}

/** A challenge is answered twice at most; a server that goes on asking is believed. */
const mostAnswers = 2

async function exchangeSigned(chain: Chain, message: Message): Promise<({ ok: true } & Step) | Failed> {
  const { signIn } = chain.request
  if (signIn === undefined) return exchange(chain, message)
  let added = signIn.headersFor(message)
  for (let answers = 0; ; answers += 1) {
    const sent = added === null ? message : { ...message, headers: { ...message.headers, ...added } }
    const asked: { answer: ReturnType<SignIn['answerTo']> } = { answer: null }
    const step = await exchange(chain, sent, ({ status, headers }) => {
      if (status === 401 && answers < mostAnswers)
        asked.answer = signIn.answerTo(message, headers['www-authenticate'] ?? '')
      return asked.answer !== null
    })
    const next = step.ok && asked.answer !== null ? await asked.answer() : null
    if (next === null) return step
    added = next
  }
}

/** `isEnough` ends an exchange of which no more is wanted than the head. */
async function exchange(
  chain: Chain,
  message: Message,
  isEnough: (head: ResponseHead) => boolean = () => false,
): Promise<({ ok: true } & Step) | Failed> {
  const { parts, request, signal, times, sight } = chain
  const place = placeOf(message.url)
  const forwarding = request.proxy !== undefined && isForwarded(request.proxy, place.isTls) ? request.proxy : null
  const head = writeHead(message, forwarding)
  const opened = await open(chain, place)
  if (!opened.ok) return failed(chain, opened.failure, null)
  const { connection, session, speak } = opened
  const sentAt = performance.now()
  const endsAtHead = (answer: ResponseHead): boolean =>
    request.headersOnly || (request.maxRedirects > 0 && isRedirect(answer)) || isEnough(answer)
  const ending = speak({ connection, message, head, request, label: place.label, sight, endsAtHead }, signal)
  if (parts.exchangeByHttp2 !== undefined) connection.socket.resume()
  const ended = await ending
  const endedAt = performance.now()
  addTime(times, 'ttfbMs', (ended.headAt ?? endedAt) - sentAt)
  if (ended.headAt !== null && !request.headersOnly) addTime(times, 'transferMs', endedAt - ended.headAt)
  if (ended.ok && forwarding !== null && ended.head.status === 407)
    return failed(chain, signInFailure(forwarding, '407'), null)
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

type Opened =
  | { ok: true; connection: Connection; session: TlsSession | null; speak: Exchanger }
  | { ok: false; failure: NetFailure }

/** Names of ALPN (RFC 9113 3.1). */
const byHttp2 = 'h2'
const protocols = ['http/1.1']

/** Which addresses may be dialled now, and who looks up names. */
function wayOf({ parts, request, cameFrom }: Chain): { ok: true; way: Parts } | { ok: false; failure: NetFailure } {
  const { resolver, proxy } = request
  const guard = proxy === undefined ? guardAfter(parts.guard, cameFrom) : parts.guard
  if (resolver === undefined) return { ok: true, way: { ...parts, guard } }
  const own = parts.ownResolver(resolver)
  return own.ok ? { ok: true, way: { ...parts, guard, resolver: own.resolver } } : own
}

/** Connects, and starts TLS where the URL asks for it. Only the first look-up of a chain is fresh. */
async function open(chain: Chain, place: Place): Promise<Opened> {
  const { parts, request, signal, times, redirects, sight } = chain
  const { timeoutMs, family, proxy, resumption } = request
  const found = wayOf(chain)
  if (!found.ok) return found
  const target = { ...place, isFresh: redirects.length === 0, timeoutMs, family, sight }
  const reached =
    proxy === undefined
      ? await reach(found.way, target, { signal, times })
      : await reachThrough(found.way, { target, proxy, isLed: redirects.length > 0 }, { signal, times })
  if (!reached.ok) return reached
  if (!place.isTls) return { ok: true, connection: reached.connection, session: null, speak: exchangeOnce }
  const startedAt = performance.now()
  const own = request.tls?.host === place.host ? request.tls : null
  const chosen = own === null ? { ok: true as const, context: parts.tlsContext() } : parts.ownContext(own)
  if (!chosen.ok) {
    discard(reached.connection)
    return chosen
  }
  const { exchangeByHttp2 } = parts
  // A server of HTTP/2 speaks first.
  const offer =
    exchangeByHttp2 === undefined ? { protocols } : { protocols: [byHttp2, ...protocols], isHeld: true as const }
  const shaken = { ...place, context: chosen.context, acceptsAny: own?.acceptsAny, ...offer, resumption, sight }
  const secured = await secure(reached.connection, shaken, signal)
  addTime(times, 'tlsMs', performance.now() - startedAt)
  if (!secured.ok) return { ok: false, failure: orTimeout(secured.failure, 'tls', { request, place }) }
  const { socket } = secured.connection
  const isHttp2 = socket instanceof TLSSocket && socket.alpnProtocol === byHttp2
  return { ...secured, speak: isHttp2 && exchangeByHttp2 !== undefined ? exchangeByHttp2 : exchangeOnce }
}

function answered(step: Step, url: URL, redirects: Redirect[]): Ending {
  const { head, version, body, isTruncated, address, tls } = step
  const { status, headers } = head
  const finalUrl = url.href
  return { ok: true, answer: { status, version, headers, body, isTruncated, finalUrl, redirects, address, tls } }
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
