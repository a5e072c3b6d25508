import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2'
import { Duplex } from 'node:stream'
import { labelOf } from '#net/dial/reach.ts'
import type { Http2Answer, Http2Request } from './http2-request.ts'
import { breachOf, errorName } from './http2-errors.ts'

export type Http2Session = {
  receive: (bytes: Buffer) => void
  end: () => void
  /** Whether the whole answer has come; false as soon as nothing more will. */
  over: Promise<boolean>
  /** What is wrong with an answer that is over, as a sentence; null when nothing. */
  problem: () => string | null
  close: () => void
}

type Sent = Pick<Http2Request, 'isTls' | 'host' | 'port' | 'path' | 'headers' | 'body'>

/** An answer with more ends the request. */
const maxHeaders = 100
const maxHeaderBytes = 16 * 1024
/** In megabytes; the least that Node takes. */
const maxSessionMemory = 1

/** HTTP/2 over bytes that are handed in and out, so that addresses, deadlines and limits stay with the talk. */
export function openHttp2(sent: Sent, answer: Http2Answer, send: (bytes: Uint8Array) => void): Http2Session {
  const course = new Course()
  let isClosed = false
  const wire = new Duplex({
    read: () => {},
    write: (bytes: Buffer, _, done) => {
      if (!isClosed) send(bytes)
      done()
    },
  })
  wire.on('error', () => course.settle(false))
  const session = connect('http://target.invalid', {
    createConnection: () => wire,
    settings: { enablePush: false, maxHeaderListSize: maxHeaderBytes },
    maxHeaderListPairs: maxHeaders,
    maxSessionMemory,
  })
  attendSession(session, course)
  attendStream(request(session, sent), answer, course)
  return {
    receive: (bytes) => void wire.push(Buffer.from(bytes)),
    end: () => void wire.push(null),
    over: course.over,
    problem: () => course.problem(),
    close: () => {
      isClosed = true
      session.destroy()
      wire.destroy()
    },
  }
}

/** Ends once, by a whole answer or by a reason. */
class Course {
  readonly over: Promise<boolean>
  #reason: string | null = 'The server ended the request without a whole answer'
  readonly #resolve: (isWhole: boolean) => void
  #isSettled = false

  constructor() {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.over = promise
    this.#resolve = resolve
  }

  settle(isWhole: boolean, reason?: string): void {
    if (this.#isSettled) return
    this.#isSettled = true
    if (isWhole) this.#reason = null
    else if (reason !== undefined) this.#reason = reason
    this.#resolve(isWhole)
  }

  problem(): string | null {
    return this.#reason
  }
}

function attendSession(session: ClientHttp2Session, course: Course): void {
  session.on('error', (error: NodeJS.ErrnoException) => course.settle(false, breachOf(error)))
  session.on('goaway', (code: number) => {
    if (code !== 0) course.settle(false, `The server ended the connection with ${errorName(code)}`)
  })
  session.on('close', () => course.settle(false))
}

function request(session: ClientHttp2Session, { isTls, host, port, path, headers, body }: Sent): ClientHttp2Stream {
  const { host: authority = labelOf(host, port), ...others } = headers
  const stream = session.request({
    ...others,
    ':method': 'POST',
    ':path': path,
    ':scheme': isTls ? 'https' : 'http',
    ':authority': authority,
  })
  stream.end(body)
  return stream
}

function attendStream(stream: ClientHttp2Stream, answer: Http2Answer, course: Course): void {
  const pieces: Buffer[] = []
  stream.on('response', (headers) => {
    answer.status = headers[':status'] ?? null
    answer.headers = textsOf(headers)
  })
  stream.on('data', (piece: Buffer) => pieces.push(piece))
  stream.on('trailers', (trailers) => {
    answer.trailers = textsOf(trailers)
  })
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Too many headers are a reason of ours, with the code ENHANCE_YOUR_CALM, so that the text names nobody.
    const reset = stream.rstCode === 0 ? undefined : `The request was reset with ${errorName(stream.rstCode ?? 0)}`
    course.settle(false, breachOf(error) ?? reset)
  })
  stream.on('close', () => {
    answer.body = Buffer.concat(pieces)
    course.settle(stream.rstCode === 0 && stream.readableEnded && answer.status !== null)
  })
}

function textsOf(headers: IncomingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const first = Array.isArray(value) ? value[0] : value
    if (!name.startsWith(':') && typeof first === 'string') texts[name] = first
  }
  return texts
}
