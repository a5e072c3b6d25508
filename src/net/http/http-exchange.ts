import { brokenFailure } from '#net/dial/connect-failure.ts'
import { attend, type Connection, discard } from '#net/dial/connection.ts'
import { type BodyOutcome, type BodySink, createBodySink } from './http-body.ts'
import {
  createResponseParser,
  feed,
  finish,
  ResponseError,
  type ResponseHead,
  type ResponseParser,
} from './http-parser.ts'
import type { HttpRequest } from './http-request.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { keepPiece, type Sight } from '#net/ground/sight.ts'
import { handshakeFailure } from '#net/tls/tls-failure.ts'

export type Exchange = {
  connection: Connection
  url: URL
  method: string
  /** As `writeHead` returns it. */
  head: string
  body: string | Uint8Array | null
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
  | { ok: true; head: ResponseHead; headAt: number; body: Uint8Array; isTruncated: boolean }
  | { ok: false; failure: NetFailure | 'aborted' }
)

/** Sends one request over a fresh connection, reads its answer and closes the connection. Rejects only on a bug. */
export function exchangeOnce(exchange: Exchange, signal: AbortSignal): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const reading: Reading = {
      exchange,
      parser: createResponseParser(exchange.method, {
        onHead: (head) => onHead(reading, head),
        onBody: (piece) => onBody(reading, piece),
      }),
      head: null,
      headAt: null,
      sink: null,
      patience: undefined,
      wireBytes: 0,
      isSettled: false,
      settle: (outcome) => {
        if (reading.isSettled) return
        reading.isSettled = true
        clearTimeout(reading.patience)
        signal.removeEventListener('abort', onAbort)
        reading.sink?.discard()
        discard(exchange.connection)
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      },
    }
    const onAbort = (): void => fail(reading, 'aborted')
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    listen(reading)
    send(exchange)
  })
}

const nothing = new Uint8Array(0)

type Reading = {
  exchange: Exchange
  parser: ResponseParser
  head: ResponseHead | null
  headAt: number | null
  sink: BodySink | null
  /** Ends the body when it has been waited for long enough. */
  patience: NodeJS.Timeout | undefined
  wireBytes: number
  isSettled: boolean
  /** Ends the exchange once, with its outcome or with a bug. */
  settle: (outcome: Exchanged | Error) => void
}

function listen(reading: Reading): void {
  attend(reading.exchange.connection, {
    onData: (bytes) => {
      try {
        read(reading, bytes)
      } catch (error) {
        failBy(reading, error)
      }
    },
    onEnd: () => {
      try {
        onEnd(reading)
      } catch (error) {
        failBy(reading, error)
      }
    },
    onError: (error) => fail(reading, error),
  })
}

function send({ connection: { socket }, head, body }: Exchange): void {
  if (body === null) {
    socket.write(head, 'latin1')
    return
  }
  socket.cork()
  socket.write(head, 'latin1')
  socket.write(body, 'utf8')
  socket.uncork()
}

/** A faulty answer becomes the outcome and a bug rejects, instead of escaping into the event loop. */
function failBy(reading: Reading, error: unknown): void {
  if (error instanceof ResponseError) fail(reading, error)
  else reading.settle(error instanceof Error ? error : new Error('An exchange broke off.', { cause: error }))
}

/** Counted for each chunk beside its bytes, so that a server that sends single bytes cannot cost seconds of CPU. */
const chunkBytes = 64

function read(reading: Reading, bytes: Buffer): void {
  const { parser, exchange } = reading
  reading.wireBytes += bytes.length
  if (feed(parser, bytes)) reading.sink?.end(false)
  else if (reading.wireBytes + parser.chunks * chunkBytes > exchange.request.maxWireBytes) reading.sink?.end(true)
}

function onHead(reading: Reading, head: ResponseHead): boolean {
  const { exchange } = reading
  reading.head = head
  reading.headAt = performance.now()
  if (exchange.sight !== null) keepHead(reading, head)
  if (exchange.endsAtHead(head)) {
    onBodyDone(reading, { ok: true, body: nothing, isTruncated: false })
    return false
  }
  reading.sink = createBodySink(exchange.request, head.headers, {
    onReady: () => exchange.connection.socket.resume(),
    done: (outcome) => onBodyDone(reading, outcome),
  })
  const { bodyPatienceMs } = exchange.request
  if (bodyPatienceMs !== undefined) reading.patience = setTimeout(() => reading.sink?.end(true), bodyPatienceMs)
  return true
}

function keepHead({ parser, exchange }: Reading, { status, headers }: ResponseHead): void {
  const { sight, url } = exchange
  if (sight === null) return
  const hasBody = sight.keepsBodies && sight.mayFail(status)
  const { statusLine } = parser
  sight.answer = { url: url.href, statusLine, headers, pieces: [], hasBody, bytes: 0, isCut: false }
}

function onBody(reading: Reading, piece: Buffer): boolean {
  const { sight } = reading.exchange
  if (sight !== null && sight.answer?.hasBody === true) keepPiece(sight.answer, piece)
  const isReady = reading.sink?.write(piece) ?? true
  if (!isReady) reading.exchange.connection.socket.pause()
  return !reading.isSettled
}

function onEnd(reading: Reading): void {
  finish(reading.parser)
  reading.sink?.end(false)
}

function onBodyDone(reading: Reading, outcome: BodyOutcome): void {
  const { head, headAt } = reading
  if (!outcome.ok && !isBodyOptional(reading)) reading.settle({ ok: false, failure: outcome.failure, head, headAt })
  else if (head !== null && headAt !== null) {
    const { body, isTruncated } = outcome.ok ? outcome : { body: nothing, isTruncated: true }
    reading.settle({ ok: true, head, headAt, body, isTruncated })
  }
}

function isBodyOptional({ exchange }: Reading): boolean {
  return exchange.request.bodyPatienceMs !== undefined
}

function fail(reading: Reading, reason: Error | 'aborted'): void {
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
