import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Coding, acceptedCodings, isKnown } from './encoded.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** What is sent. A coding is made once for all readers, when the first of them asks for it. */
export type StatusBody = {
  type: string
  tag: string
  plain: Buffer<ArrayBuffer>
  coded: Map<Coding, Promise<Buffer<ArrayBuffer>>>
}

/** Nothing is gained with less. */
const leastBytes = 600
/** Of 11: a body lives for seconds. */
const brotliQuality = 4

export function toBody(text: string, type: string): StatusBody {
  const plain = Buffer.from(text)
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  return { type, tag, plain, coded: new Map() }
}

/** With its codings, which take a quarter of it together, whether they are made or not. */
export function weightOf({ plain }: StatusBody): number {
  return Math.ceil(1.25 * plain.length)
}

export type Asked = { acceptEncoding: string; ifNoneMatch: string }

/** The body as the reader takes it, or that it has it already. */
export async function sendBody(body: StatusBody, headers: Headers, asked: Asked): Promise<Response> {
  const coding = codingFor(body, asked.acceptEncoding)
  const tag = `"${body.tag}${coding === null ? '' : `-${coding}`}"`
  headers.set('ETag', tag)
  headers.append('Vary', 'Accept-Encoding')
  if (isKnown(asked.ifNoneMatch, tag)) return new Response(null, { status: 304, headers })
  const bytes = coding === null ? body.plain : await codedAs(body, coding)
  headers.set('Content-Type', body.type)
  headers.set('Content-Length', String(bytes.length))
  if (coding !== null) headers.set('Content-Encoding', coding)
  return new Response(bytes, { headers })
}

function codingFor({ plain }: StatusBody, header: string): Coding | null {
  if (plain.length < leastBytes || header === '') return null
  const accepted = acceptedCodings(header)
  if (accepted.has('br')) return 'br'
  return accepted.has('gzip') ? 'gzip' : null
}

function codedAs({ plain, coded }: StatusBody, coding: Coding): Promise<Buffer<ArrayBuffer>> {
  const known = coded.get(coding)
  if (known !== undefined) return known
  const compressed = coding === 'gzip' ? toGzip(plain) : toBrotli(plain, { params: brotliParameters(plain.length) })
  const made = compressed.then((bytes) => Buffer.from(bytes))
  coded.set(coding, made)
  return made
}

function brotliParameters(length: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
  }
}
