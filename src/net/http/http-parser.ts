/** Head of a final answer. Names are lower-case; repeated ones are joined as in `HttpAnswer.headers`. */
export type ResponseHead = { status: number; headers: Record<string, string> }

/** Called with what the bytes hold. Returning false ends the parsing: the caller has seen enough. */
export type ResponseHandler = {
  onHead: (head: ResponseHead) => boolean
  /** A part of the body without its transfer coding: a view on the fed bytes, valid only during the call. */
  onBody: (piece: Buffer) => boolean
}

/** A fault of an answer; the message is a sentence. */
export class ResponseError extends Error {
  readonly code:
    | 'invalid_response'
    | 'response_too_large'
    | 'connection_closed'
    | 'answer_cut_short'
    | 'request_refused'

  constructor(code: ResponseError['code'], message: string) {
    super(message)
    this.name = 'ResponseError'
    this.code = code
  }
}

type State =
  | 'status'
  | 'header'
  | 'counted_body'
  | 'open_body'
  | 'chunk_size'
  | 'chunk_data'
  | 'chunk_end'
  | 'trailer'
  | 'done'

/** An incremental HTTP/1.1 response parser (RFC 9112): `feed` it bytes as they come, `finish` it when they end. */
export type ResponseParser = {
  readonly method: string
  readonly handler: ResponseHandler
  state: State
  /** A line whose end has not come yet, as latin1. */
  line: string
  /** Bytes of all heads and trailers so far, which have one limit together. */
  headBytes: number
  status: number
  statusLine: string
  headers: Record<string, string>
  contentLength: number | null
  /** Bytes that are still missing from the body or chunk. */
  missing: number
  /** Number of chunks that have begun. */
  chunks: number
}

const maxHeadBytes = 64 * 1024
const maxChunkLineBytes = 4096

export function createResponseParser(method: string, handler: ResponseHandler): ResponseParser {
  return {
    method,
    handler,
    state: 'status',
    line: '',
    headBytes: 0,
    status: 0,
    statusLine: '',
    headers: emptyHeaders(),
    contentLength: null,
    missing: 0,
    chunks: 0,
  }
}

/** True once the answer is complete or its handler has seen enough; later bytes are ignored. Throws ResponseError. */
export function feed(parser: ResponseParser, bytes: Buffer): boolean {
  let offset = 0
  while (offset < bytes.length && parser.state !== 'done') offset = step(parser, bytes, offset)
  return parser.state === 'done'
}

/** For the end of the connection. Throws ResponseError unless that is a proper end of the answer. */
export function finish(parser: ResponseParser): void {
  const { state } = parser
  parser.state = 'done'
  if (state === 'done' || state === 'open_body') return
  if (state === 'status') refuseForeign(parser.line, parser.line !== '')
  if (state === 'status' && parser.headBytes === 0)
    throw new ResponseError('connection_closed', 'The server closed the connection without an answer')
  if (state === 'status' || state === 'header')
    throw new ResponseError('connection_closed', 'The server closed the connection in the middle of its headers')
  const lacking = state === 'counted_body' ? `: ${parser.missing} of ${parser.contentLength} bytes are missing` : ''
  throw new ResponseError('answer_cut_short', `The answer was cut short${lacking}`)
}

/** Does one piece of work and returns where the next one begins. */
function step(parser: ResponseParser, bytes: Buffer, offset: number): number {
  const { state } = parser
  if (state === 'counted_body' || state === 'chunk_data') return takeCounted(parser, bytes, offset)
  if (state !== 'open_body') return takeLine(parser, bytes, offset)
  if (!parser.handler.onBody(bytes.subarray(offset))) parser.state = 'done'
  return bytes.length
}

function takeCounted(parser: ResponseParser, bytes: Buffer, offset: number): number {
  const end = Math.min(bytes.length, offset + parser.missing)
  parser.missing -= end - offset
  const isWanted = parser.handler.onBody(offset === 0 && end === bytes.length ? bytes : bytes.subarray(offset, end))
  if (!isWanted) parser.state = 'done'
  else if (parser.missing === 0) parser.state = parser.state === 'chunk_data' ? 'chunk_end' : 'done'
  return end
}

function takeLine(parser: ResponseParser, bytes: Buffer, offset: number): number {
  const newline = bytes.indexOf(0x0a, offset)
  const end = newline === -1 ? bytes.length : newline + 1
  countLine(parser, end - offset)
  const text = bytes.toString('latin1', offset, end)
  const line = parser.line === '' ? text : parser.line + text
  if (parser.state === 'status') refuseForeign(line, newline !== -1)
  parser.line = newline === -1 ? line : ''
  if (newline === -1) return end
  if (line.charCodeAt(line.length - 2) !== 0x0d) throw invalid('a line does not end in CR LF')
  readLine(parser, line.slice(0, -2))
  return end
}

function countLine(parser: ResponseParser, length: number): void {
  if (parser.state === 'chunk_size' || parser.state === 'chunk_end') {
    if (parser.line.length + length > maxChunkLineBytes) throw invalid('a chunk has no proper size')
    return
  }
  parser.headBytes += length
  if (parser.headBytes > maxHeadBytes)
    throw new ResponseError('response_too_large', 'The headers of the answer are larger than 64 KiB')
}

const foreignBytes = 16

/** A stream that is not HTTP may never end its line, so its first bytes have to suffice to refuse it. */
function refuseForeign(line: string, isWhole: boolean): void {
  if (!isWhole && line.length < foreignBytes) return
  if (line !== '\r\n' && !line.startsWith('HTTP/'))
    throw invalid(`it begins with "${printable(line.slice(0, foreignBytes).trimEnd())}"`)
}

function readLine(parser: ResponseParser, line: string): void {
  switch (parser.state) {
    case 'status':
      return readStatus(parser, line)
    case 'header':
      return line === '' ? endHead(parser) : readHeader(parser, line)
    case 'chunk_size':
      return readChunkSize(parser, line)
    case 'chunk_end':
      if (line !== '') throw invalid('a chunk is longer than its size')
      parser.state = 'chunk_size'
      return
    case 'trailer':
      if (line === '') parser.state = 'done'
      else splitHeader(line)
      return
    case 'counted_body':
    case 'open_body':
    case 'chunk_data':
    case 'done':
      return
  }
}

/** Skips empty lines before the answer, as node:http does. */
function readStatus(parser: ResponseParser, line: string): void {
  if (line === '') return
  const found = /^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(line)
  if (found === null) throw invalid(`its status line is "${printable(line)}"`)
  parser.status = Number(found[1])
  parser.statusLine = line
  parser.state = 'header'
}

function readHeader(parser: ResponseParser, line: string): void {
  const [name, value] = splitHeader(line)
  if (name === 'content-length') readContentLength(parser, value)
  addHeader(parser.headers, name, value)
}

/** Repeated headers are joined as in `HttpAnswer.headers`. */
export function addHeader(headers: Record<string, string>, name: string, value: string): void {
  const earlier = headers[name]
  if (earlier === undefined) headers[name] = value
  else if (name === 'set-cookie') headers[name] = `${earlier}\n${value}`
  else if (!singleHeaders.has(name)) headers[name] = `${earlier}, ${value}`
}

/** The first value of these counts, as for browsers and node:http: joined values would make no sense. */
const singleHeaders = new Set([
  'age',
  'content-length',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'server',
])

function splitHeader(line: string): [string, string] {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/.test(line))
    throw invalid(`it has a line that is no header: "${printable(line)}"`)
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), trimBlanks(line, colon + 1)]
}

/** RFC 9110 5.5: only spaces and tabs around a value do not belong to it. The end of the line and the colon are none. */
function trimBlanks(line: string, from: number): string {
  let start = from
  let end = line.length
  while (isBlank(line.charCodeAt(start))) start++
  while (isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** RFC 9112 6.3: equal repetitions count as one; any contradiction about the length is refused. */
function readContentLength(parser: ResponseParser, value: string): void {
  if (!/^\d{1,15}$/.test(value)) throw invalid(`its content-length is "${printable(value)}"`)
  const length = Number(value)
  if (parser.contentLength !== null && parser.contentLength !== length)
    throw invalid('it has several content-length headers that contradict each other')
  parser.contentLength = length
}

/** RFC 9112 6.3, in its order, decides which bytes are the body. */
function endHead(parser: ResponseParser): void {
  const { status, headers, contentLength } = parser
  const coding = headers['transfer-encoding']
  if (coding !== undefined && contentLength !== null)
    throw invalid('it has both content-length and transfer-encoding, which contradict each other')
  if (status === 101) throw invalid('it switches to another protocol, which was not asked for')
  if (status < 200) return restart(parser)
  parser.state = 'done'
  if (!parser.handler.onHead({ status, headers })) return
  if (parser.method === 'HEAD' || status === 204 || status === 304 || contentLength === 0) return
  if (coding !== undefined) parser.state = /(?:^|[, \t])chunked$/i.test(coding) ? 'chunk_size' : 'open_body'
  else if (contentLength === null) parser.state = 'open_body'
  else {
    parser.state = 'counted_body'
    parser.missing = contentLength
  }
}

/** Another answer follows an interim one (1xx); the limit of head bytes covers them all. */
function restart(parser: ResponseParser): void {
  parser.state = 'status'
  parser.headers = emptyHeaders()
  parser.contentLength = null
}

/** RFC 9112 7.1. Blanks after the size are accepted, because known servers pad it. */
function readChunkSize(parser: ResponseParser, line: string): void {
  const found = /^([0-9a-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line)
  if (found === null) throw invalid('a chunk has no proper size')
  parser.missing = Number.parseInt(found[1] ?? '', 16)
  parser.chunks++
  parser.state = parser.missing === 0 ? 'trailer' : 'chunk_data'
}

/** Without a prototype, so that a header named like a member of Object is only a header. */
export function emptyHeaders(): Record<string, string> {
  return Object.create(null)
}

function invalid(what: string): ResponseError {
  return new ResponseError('invalid_response', `The answer is not valid HTTP: ${what}`)
}

/** The beginning of a foreign text, safe to store and to show. */
function printable(text: string): string {
  const shown = text.slice(0, 40).replaceAll(/[^\x20-\x7e]/g, '?')
  return text.length > 40 ? `${shown}...` : shown
}
