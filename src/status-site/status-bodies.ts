import { createHash } from 'node:crypto'
import { type Coding, codingFor, encode, isKnown } from '#http/encoded.ts'

/** What is sent. A coding is made once for all readers, when the first of them asks for it. */
export type StatusBody = {
  type: string
  tag: string
  plain: Buffer<ArrayBuffer>
  coded: Map<Coding, Promise<Buffer<ArrayBuffer>>>
}

/** Nothing is gained with less. */
const leastBytes = 600
/** A body lives for seconds. */
const effort = { br: 4, gzip: 6 }

export function toBody(content: string | Buffer<ArrayBuffer>, type: string): StatusBody {
  const plain = typeof content === 'string' ? Buffer.from(content) : content
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
  const coding = body.plain.length < leastBytes ? null : codingFor(asked.acceptEncoding)
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

function codedAs({ plain, coded }: StatusBody, coding: Coding): Promise<Buffer<ArrayBuffer>> {
  const known = coded.get(coding)
  if (known !== undefined) return known
  const made = encode(plain, coding, effort)
  coded.set(coding, made)
  return made
}
