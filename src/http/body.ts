import { type JsonReading, parseBoundedJson } from '#core/language/bounded-json.ts'
import { fail } from '#core/language/error.ts'
import { isDeeper, maxJsonDepth } from '#core/language/json-depth.ts'
import type { LongBodies } from './json-thread.ts'

/** `application/json` and its relatives (RFC 6839), in UTF-8, which is all that JSON knows (RFC 8259 8.1). */
const jsonType = /^application\/(?:[\w.+-]+\+)?json(?:\s*;\s*charset="?utf-8"?)?\s*;?$/i

/**
 * The JSON of a request; undefined when it has no body. A body that does not say it is JSON is refused even where it
 * could be read: pages of other origins can send one without asking (CORS), and cannot say so. `longBodies` may be left
 * out where `maxBytes` is at most a mebibyte.
 */
export async function readJson(request: Request, maxBytes: number, longBodies?: LongBodies): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const bytes = await readBytes(request, maxBytes)
  if (bytes.length === 0) return undefined
  const type = request.headers.get('content-type') ?? ''
  if (!jsonType.test(type.trim())) throw fail('unsupported_media_type', 'Send the body as application/json.')
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') throw fail('unsupported_media_type', 'Send the body without a Content-Encoding.')
  const body = valueOf(bytes.length > longBytes ? await readLong(bytes, longBodies) : readShortJson(bytes))
  if (isDeeper(body, maxJsonDepth)) throw fail('bad_request', `The body is nested deeper than ${maxJsonDepth} levels.`)
  return body
}

/** Most operations take no longer body; a longer one, an import, is read in a thread of its own. */
const longBytes = 1024 * 1024

async function readLong(bytes: Uint8Array, longBodies: LongBodies | undefined): Promise<JsonReading> {
  if (longBodies === undefined) throw new Error('A long body was accepted where none is read.')
  return longBodies.read(bytes)
}

function readShortJson(bytes: Uint8Array): JsonReading {
  try {
    return parseBoundedJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw fail('invalid_json', 'The body is not valid JSON.', { cause })
  }
}

function valueOf(read: JsonReading): unknown {
  if (read.type === 'value') return read.value
  if (read.type === 'invalid') throw fail('invalid_json', 'The body is not valid JSON.')
  throw fail('bad_request', 'The body has too many lists, objects or different names.')
}

/**
 * The pieces of a request that is one file. One that does not say so is refused, as with JSON: pages of other origins can
 * send a form or a text without asking.
 */
export function openFile(request: Request, maxBytes: number): AsyncIterable<Uint8Array> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/octet-stream\s*(?:;|$)/i.test(type.trim()))
    throw fail('unsupported_media_type', 'Send the file as it is, as application/octet-stream.')
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') throw fail('unsupported_media_type', 'Send the file without a Content-Encoding.')
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  return boundedPieces(request, maxBytes)
}

async function* boundedPieces({ body }: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (body === null) return
  let length = 0
  for await (const piece of piecesOf(body)) {
    length += piece.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}

/** Stops at the first byte beyond the limit, whatever the length was said to be. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array(0)
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of piecesOf(request.body)) {
    length += piece.length
    if (length > maxBytes) throw tooLarge(maxBytes)
    pieces.push(piece)
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw fail('bad_request', 'The body could not be read completely.', { cause })
  }
}

function tooLarge(maxBytes: number): Error {
  return fail('too_large', `The body is larger than ${maxBytes} bytes.`)
}
