import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { Duplex } from 'node:stream'
import { attend, type Connection } from '#net/dial/connection.ts'
import {
  type Carrier,
  type Exchange,
  type Exchanged,
  failReading,
  type Reading,
  readAnswer,
  reads,
  takeHead,
  takePiece,
} from '#net/http/answer-reading.ts'
import { sentHeaders } from '#net/http/http-message.ts'
import { addHeader, emptyHeaders, ResponseError } from '#net/http/http-parser.ts'
import type { Message } from '#net/http/http-request.ts'
import { FrameWalk } from './frame-walk.ts'
import { breachOf, errorName } from './http2-errors.ts'

/** As for HTTP/1.1, which has one limit for all heads of an answer together. */
const maxHeadBytes = 64 * 1024
const maxHeaders = 1_000
/** The answer's own, interim ones (1xx), trailers, and what did not fit into the frames of each. */
const maxHeadFrames = 32
/** Settings, windows, pings, and what is unknown. */
const maxOtherFrames = 1_000
/** Counted for each frame beside its bytes, so that a server that sends small ones cannot cost seconds of CPU. */
const frameBytes = 128
/** What a server may send before it is told that more is wanted: as much as keeps a far one busy. */
const windowBytes = 1024 * 1024
/** In megabytes; the window is not part of it. */
const maxSessionMemory = 1

/** An exchange by HTTP/2 (RFC 9113) over a connection whose TLS agreed to it. */
export function exchangeByHttp2(exchange: Exchange, signal: AbortSignal): Promise<Exchanged> {
  return readAnswer(exchange, signal, (reading) => {
    const wire = wireOf(exchange.connection)
    const session = connect('https://target.invalid', {
      createConnection: () => wire,
      settings: { enablePush: false, initialWindowSize: windowBytes, maxHeaderListSize: maxHeadBytes },
      maxHeaderListPairs: maxHeaders,
      maxSessionMemory,
    })
    session.once('connect', () => session.setLocalWindowSize(windowBytes))
    const course = courseOf(reading, wire)
    listen(course)
    attendSession(session, course)
    const stream = request(session, exchange.message)
    attendStream(stream, course)
    return carrierOf(stream, session, wire)
  })
}

type Course = {
  reading: Reading
  walk: FrameWalk
  wire: Duplex
  bodyBytes: number
  wireBytes: number
  /** The server said that it goes away. */
  hasLeft: boolean
  isWhole: boolean
}

function courseOf(reading: Reading, wire: Duplex): Course {
  return { reading, walk: new FrameWalk(), wire, bodyBytes: 0, wireBytes: 0, hasLeft: false, isWhole: false }
}

/** Hands out what is to be sent; what comes is pushed into it once it was counted. */
function wireOf({ socket }: Connection): Duplex {
  return new Duplex({
    read: ignore,
    write: (bytes: Buffer, _, done) => {
      if (!socket.destroyed) socket.write(bytes)
      done()
    },
  })
}

function carrierOf(stream: ClientHttp2Stream, session: ClientHttp2Session, wire: Duplex): Carrier {
  return {
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    close: () => {
      session.destroy()
      wire.destroy()
    },
  }
}

function listen(course: Course): void {
  const { reading, wire } = course
  wire.on('error', (error) => failReading(reading, error))
  attend(reading.exchange.connection, {
    onData: (bytes) => reads(reading, () => receive(course, bytes)),
    // What was pushed before is worked on first.
    onEnd: () => void wire.push(null),
    onError: (error) => failReading(reading, error),
  })
}

/** Over TLS the bytes are nobody else's, so they need not be copied. */
function receive(course: Course, bytes: Buffer): void {
  const { reading, walk, wire } = course
  course.wireBytes += bytes.length
  walk.take(bytes)
  const fault = faultOf(walk)
  if (fault !== null) throw fault
  wire.push(bytes)
  if (course.wireBytes + walk.counts.frames * frameBytes <= reading.exchange.request.maxWireBytes) return
  if (reading.sink === null) throw tooLarge()
  reading.sink.end(true)
}

function faultOf({ foreign, counts }: FrameWalk): ResponseError | null {
  if (foreign !== null)
    return new ResponseError(
      'invalid_response',
      `The server agreed to HTTP/2 and does not speak it: it begins with ${JSON.stringify(printable(foreign))}`,
    )
  if (counts.headBytes > maxHeadBytes || counts.headFrames > maxHeadFrames) return tooLarge()
  if (counts.otherFrames <= maxOtherFrames) return null
  return new ResponseError('invalid_response', `The server sends more than ${maxOtherFrames} frames beside its answer`)
}

function printable(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[^ -~]/g, '?')
    .trim()
}

function tooLarge(): ResponseError {
  return new ResponseError('response_too_large', 'The headers of the answer are larger than 64 KiB')
}

function attendSession(session: ClientHttp2Session, course: Course): void {
  const { reading } = course
  session.on('error', (error: NodeJS.ErrnoException) => failReading(reading, breach(error)))
  session.on('goaway', (code: number) => {
    course.hasLeft = true
    if (code !== 0) failReading(reading, refused(`The server ended the connection with ${errorName(code)}`))
  })
  session.on('close', () => failReading(reading, closed(course)))
}

function breach(error: NodeJS.ErrnoException): ResponseError {
  const text = breachOf(error) ?? `The server breaks the protocol of HTTP/2 (${error.code ?? 'unknown'})`
  return new ResponseError('invalid_response', text)
}

function refused(message: string): ResponseError {
  return new ResponseError('request_refused', message)
}

/** Of a connection that ended before the answer was whole. */
function closed({ reading: { head }, bodyBytes }: Course): ResponseError {
  if (head === null) return new ResponseError('connection_closed', 'The server closed the connection without an answer')
  const length = Number(head.headers['content-length'])
  const lacking = length > bodyBytes ? `: ${length - bodyBytes} of ${length} bytes are missing` : ''
  return new ResponseError('answer_cut_short', `The answer was cut short${lacking}`)
}

function request(session: ClientHttp2Session, message: Message): ClientHttp2Stream {
  const { url, method, headers, body } = message
  const fields: Record<string, string> = {}
  for (const [name, value] of sentHeaders(message)) if (!connectionHeaders.has(name)) fields[name] = value.trim()
  const stream = session.request(
    {
      ...fields,
      ':method': method,
      ':path': `${url.pathname}${url.search}`,
      ':scheme': 'https',
      ':authority': headers['host'] ?? url.host,
    },
    { endStream: body === null },
  )
  if (body !== null) stream.end(body)
  return stream
}

/** Beside those that no message of ours has (RFC 9113 8.2.2). */
const connectionHeaders = new Set(['http2-settings'])

function attendStream(stream: ClientHttp2Stream, course: Course): void {
  const { reading } = course
  stream.on('response', ({ ':status': status = 0 }, _, fields) =>
    reads(reading, () => {
      const head = { status, headers: headersOf(fields) }
      // Node tells the headers a turn later than it would tell the body.
      if (takeHead(reading, head, { version: '2', statusLine: `HTTP/2 ${status}` })) attendBody(stream, course)
    }),
  )
  stream.on('error', (error: NodeJS.ErrnoException) => failReading(reading, resetOf(error, stream, course)))
  stream.on('close', () => {
    if (!course.isWhole) failReading(reading, resetOf(null, stream, course))
  })
}

function attendBody(stream: ClientHttp2Stream, course: Course): void {
  const { reading, walk } = course
  stream.on('data', (piece: Buffer) =>
    reads(reading, () => {
      course.bodyBytes += piece.length
      takePiece(reading, piece)
    }),
  )
  stream.on('end', () => {
    // A stream that is reset ends as well.
    if (stream.rstCode !== 0 || !walk.counts.hasEnded) return
    course.isWhole = true
    reads(reading, () => reading.sink?.end(false))
  })
}

/** Names and values by turns, pseudo-headers among them. */
function headersOf(fields: readonly string[]): Record<string, string> {
  const headers = emptyHeaders()
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name = '', value = ''] = [fields[at], fields[at + 1]]
    if (!name.startsWith(':')) addHeader(headers, name, value)
  }
  return headers
}

/** Why a request was reset: by the server, by our own limits, or because the server breaks the protocol. */
function resetOf(error: NodeJS.ErrnoException | null, { rstCode }: ClientHttp2Stream, course: Course): ResponseError {
  const { reading, walk, hasLeft } = course
  if (error?.code === 'ERR_HTTP2_ERROR') return breach(error)
  const name = errorName(rstCode)
  if (walk.counts.hasReset)
    return reading.head === null
      ? refused(`The request was reset with ${name}`)
      : new ResponseError('answer_cut_short', `The answer was cut short: it was reset with ${name}`)
  if (hasLeft) return refused('The server ended the connection without taking the request')
  if (name === 'ENHANCE_YOUR_CALM') return tooLarge()
  return rstCode === 0 || name === 'CANCEL'
    ? closed(course)
    : new ResponseError('invalid_response', `The server breaks the protocol of HTTP/2 (${name})`)
}

function ignore(): void {}
