// What reading an answer is by each version of HTTP: its head, its body, its deadline and its one ending.
import { brokenFailure } from '#net/dial/connect-failure.ts'
import { type Connection, discard } from '#net/dial/connection.ts'
import { type BodyOutcome, type BodySink, createBodySink } from './http-body.ts'
import { ResponseError, type ResponseHead } from './http-parser.ts'
import type { HttpRequest, HttpVersion, Message } from './http-request.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { keepPiece, type Sight } from '#net/ground/sight.ts'
import { handshakeFailure } from '#net/tls/tls-failure.ts'

export type Exchange = {
  connection: Connection
  message: Message
  /** The message as bytes of HTTP/1.1, as `writeHead` returns it. */
  head: string
  /** Has the limits and wishes about the body. */
  request: HttpRequest
  /** `host:port` for texts. */
  label: string
  /** Null where what is seen is not kept. */
  sight: Sight | null
  /** Returns true to end the exchange after the headers, when no more of the answer is wanted. */
  endsAtHead: (head: ResponseHead) => boolean
}

/** Times are those of `performance.now()`; null where the answer did not get that far. */
export type Exchanged = { head: ResponseHead | null; headAt: number | null } & (
  | { ok: true; head: ResponseHead; headAt: number; version: HttpVersion; body: Uint8Array; isTruncated: boolean }
  | { ok: false; failure: NetFailure | 'aborted' }
)

/** Sends one request over a fresh connection, reads its answer and closes the connection. Rejects only on a bug. */
export type Exchanger = (exchange: Exchange, signal: AbortSignal) => Promise<Exchanged>

/** What carries an answer. */
export type Carrier = { pause: () => void; resume: () => void; close: () => void }

export type Reading = {
  exchange: Exchange
  carrier: Carrier
  head: ResponseHead | null
  headAt: number | null
  version: HttpVersion
  sink: BodySink | null
  /** Ends the body when it has been waited for long enough. */
  patience: NodeJS.Timeout | undefined
  isSettled: boolean
  /** Ends the exchange once, with its outcome or with a bug. */
  settle: (outcome: Exchanged | Error) => void
}

/** `begin` sends the request, and hands what comes to the functions below. */
export function readAnswer(
  exchange: Exchange,
  signal: AbortSignal,
  begin: (reading: Reading) => Carrier,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const reading: Reading = {
      exchange,
      carrier: { pause: ignore, resume: ignore, close: ignore },
      head: null,
      headAt: null,
      version: '1.1',
      sink: null,
      patience: undefined,
      isSettled: false,
      settle: (outcome) => {
        if (reading.isSettled) return
        reading.isSettled = true
        clearTimeout(reading.patience)
        signal.removeEventListener('abort', onAbort)
        reading.sink?.discard()
        reading.carrier.close()
        discard(exchange.connection)
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      },
    }
    const onAbort = (): void => failReading(reading, 'aborted')
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    reading.carrier = begin(reading)
  })
}

/** Works on what came. A faulty answer becomes the outcome and a bug rejects, instead of escaping into the event loop. */
export function reads(reading: Reading, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (error instanceof ResponseError) failReading(reading, error)
    else reading.settle(error instanceof Error ? error : new Error('An exchange broke off.', { cause: error }))
  }
}

const nothing = new Uint8Array(0)

/** Returns whether the body is wanted. */
export function takeHead(
  reading: Reading,
  head: ResponseHead,
  { version, statusLine }: { version: HttpVersion; statusLine: string },
): boolean {
  const { exchange } = reading
  reading.head = head
  reading.headAt = performance.now()
  reading.version = version
  if (exchange.sight !== null) keepHead(exchange.sight, head, { statusLine, url: exchange.message.url.href })
  if (exchange.endsAtHead(head)) {
    onBodyDone(reading, { ok: true, body: nothing, isTruncated: false })
    return false
  }
  reading.sink = createBodySink(exchange.request, head.headers, {
    onReady: () => reading.carrier.resume(),
    done: (outcome) => onBodyDone(reading, outcome),
  })
  const { bodyPatienceMs } = exchange.request
  if (bodyPatienceMs !== undefined) reading.patience = setTimeout(() => reading.sink?.end(true), bodyPatienceMs)
  return true
}

function keepHead(
  sight: Sight,
  { status, headers }: ResponseHead,
  { statusLine, url }: { statusLine: string; url: string },
): void {
  const hasBody = sight.keepsBodies && sight.mayFail(status)
  sight.answer = { url, statusLine, headers, pieces: [], hasBody, bytes: 0, isCut: false }
}

/** The piece is only valid during the call. Returns whether more is wanted. */
export function takePiece(reading: Reading, piece: Buffer): boolean {
  const { sight } = reading.exchange
  if (sight !== null && sight.answer?.hasBody === true) keepPiece(sight.answer, piece)
  const isReady = reading.sink?.write(piece) ?? true
  if (!isReady) reading.carrier.pause()
  return !reading.isSettled
}

function onBodyDone(reading: Reading, outcome: BodyOutcome): void {
  const { head, headAt, version } = reading
  if (!outcome.ok && !isBodyOptional(reading)) reading.settle({ ok: false, failure: outcome.failure, head, headAt })
  else if (head !== null && headAt !== null) {
    const { body, isTruncated } = outcome.ok ? outcome : { body: nothing, isTruncated: true }
    reading.settle({ ok: true, head, headAt, version, body, isTruncated })
  }
}

function isBodyOptional({ exchange }: Reading): boolean {
  return exchange.request.bodyPatienceMs !== undefined
}

export function failReading(reading: Reading, reason: Error | 'aborted'): void {
  if (reading.sink !== null && isBodyOptional(reading)) return reading.sink.end(true)
  const { head, headAt, exchange } = reading
  const phase = headAt === null ? 'request' : 'transfer'
  reading.settle({ ok: false, failure: nameFailure(reason, phase, exchange.label), head, headAt })
}

function nameFailure(
  reason: NodeJS.ErrnoException | ResponseError | 'aborted',
  phase: NetFailure['phase'],
  label: string,
): NetFailure | 'aborted' {
  if (reason === 'aborted') return reason
  if (reason instanceof ResponseError) return { phase, code: reason.code, message: reason.message }
  // With TLS 1.3 a server's refusal comes after the client's side of the handshake is done.
  if (reason.code?.startsWith('ERR_SSL_') === true) return handshakeFailure(reason, label)
  return brokenFailure(reason, phase, label)
}

function ignore(): void {}
