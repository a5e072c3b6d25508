import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib, { constants } from 'node:zlib'

const toBrotli = promisify(zlib.brotliCompress)
const toGzip = promisify(zlib.gzip)

/** A body in the codings that were made of it. */
export type EncodedBody = {
  plain: Buffer<ArrayBuffer>
  br: Buffer<ArrayBuffer> | null
  gzip: Buffer<ArrayBuffer> | null
}

export type Coding = 'br' | 'gzip'
export type Chosen = { encoding: Coding | null; bytes: Buffer<ArrayBuffer> }

/** The smallest that the browser takes. */
export function choose({ plain, br, gzip }: EncodedBody, header: string): Chosen {
  const accepted = acceptedCodings(header)
  if (br !== null && accepted.has('br')) return { encoding: 'br', bytes: br }
  if (gzip !== null && accepted.has('gzip')) return { encoding: 'gzip', bytes: gzip }
  return { encoding: null, bytes: plain }
}

/** For what is compressed when it is asked for; null for the plain bytes. */
export function codingFor(header: string): Coding | null {
  const accepted = acceptedCodings(header)
  if (accepted.has('br')) return 'br'
  return accepted.has('gzip') ? 'gzip' : null
}

/** How hard to try: of Brotli 0 to 11, of gzip 1 to 9. */
export type Effort = Readonly<Record<Coding, number>>

/** Text as UTF-8. It is compressed in the thread pool, so that the main thread goes on. */
export async function encode(plain: Buffer, coding: Coding, effort: Effort): Promise<Buffer<ArrayBuffer>> {
  if (coding === 'gzip') return toGzip(plain, { level: effort.gzip })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: effort.br,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  }
  return toBrotli(plain, { params })
}

/** What a browser takes besides the plain bytes (RFC 9110 12.5.3). */
function acceptedCodings(header: string): ReadonlySet<string> {
  const accepted = header
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
    .filter(([, weight]) => weight === undefined || !/^q=0(?:\.0{0,3})?$/.test(weight))
    .map(([name = '']) => name)
  return new Set(accepted)
}

/** A strong entity tag of a text (RFC 9110 8.8.3). */
export function textTag(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/** RFC 9110 13.1.2: the comparison is the weak one. */
export function isKnown(header: string, tag: string): boolean {
  const known = new Set(header.split(',').map((entry) => entry.trim().replace(/^W\//, '')))
  return known.has('*') || known.has(tag)
}
