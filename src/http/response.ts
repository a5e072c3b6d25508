import { parseAccept } from 'hono/utils/accept'
import type { Reply } from '#operations/pipeline/operation.ts'
import { codingFor, encode } from './encoded.ts'

/** Headers of every answer; a page that has rules of its own sets them before. */
const securityHeaders: readonly [string, string][] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cache-Control', 'no-store'],
]

export function toResponse(reply: Reply): Response {
  const { status, text, headers } = toContent(reply)
  return new Response(text, { status, headers })
}

/** What is sent, before it is compressed; `text` is null where there is no body. */
export type Content = { status: number; text: string | null; headers: Readonly<Record<string, string>> }

export function toContent({ status, body, headers = {} }: Reply): Content {
  if (body === undefined) return { status, text: null, headers }
  const type = 'application/json; charset=utf-8'
  return { status, text: JSON.stringify(body), headers: { 'Content-Type': type, ...headers } }
}

/** A reply of which there is Markdown too, as the request prefers it; JSON unless it says so (RFC 9110 12.5.1). */
export function toPreferredContent(reply: Reply, asMarkdown: (body: unknown) => string, accept: string): Content {
  const headers = { ...reply.headers, Vary: 'Accept' }
  if (preferredType(accept, ['text/markdown', 'application/json']) !== 'text/markdown')
    return toContent({ ...reply, headers })
  const type = 'text/markdown; charset=utf-8'
  return { status: reply.status, text: asMarkdown(reply.body), headers: { ...headers, 'Content-Type': type } }
}

/** Less than that fits into a packet as it is. */
const leastCharacters = 1024
/** A megabyte takes two to seven milliseconds of a core, a third of what the usual levels take for a tenth less. */
const quick = { br: 1, gzip: 1 }

/**
 * The answer to a GET or HEAD in a coding that the client takes. A tag that it has is a weak one, for every coding.
 * Its length tells no secret (BREACH): pages of other origins cannot have a browser ask with its session, and an answer
 * that shows a secret is one to another method, or too short to be compressed.
 */
export async function toEncodedResponse({ status, text, headers }: Content, request: Request): Promise<Response> {
  const vary = varyOf(headers)
  const coding =
    text === null || text.length < leastCharacters ? null : codingFor(request.headers.get('accept-encoding') ?? '')
  if (text === null || coding === null)
    return new Response(bytesOf(text), { status, headers: { ...headers, Vary: vary } })
  const coded = { ...headers, Vary: vary, 'Content-Encoding': coding }
  if (request.method === 'HEAD') return new Response(null, { status, headers: coded })
  const bytes = await encode(Buffer.from(text), coding, quick)
  return new Response(bytes, { status, headers: { ...coded, 'Content-Length': String(bytes.length) } })
}

/** What the answer depends on, its coding included. */
export function varyOf(headers: Content['headers']): string {
  return [headers['Vary'], 'Accept-Encoding'].filter((name) => name !== undefined).join(', ')
}

/** Of a megabyte that is sent as text Node makes the bytes itself, which takes it a millisecond longer. */
function bytesOf(text: string | null): string | null | Buffer<ArrayBuffer> {
  return text === null || text.length < leastCharacters ? text : Buffer.from(text)
}

/** `isSecure`: the public address is https, and browsers may be told to stay there. */
export function addSecurityHeaders(headers: Headers, isSecure: boolean): void {
  // What may stand in any frame says so in its policy, and this older header knows no such word.
  const isFramed = headers.get('Content-Security-Policy')?.includes('frame-ancestors *') === true
  for (const [name, value] of securityHeaders)
    if (!headers.has(name) && !(isFramed && name === 'X-Frame-Options')) headers.set(name, value)
  if (isSecure && !headers.has('Strict-Transport-Security'))
    headers.set('Strict-Transport-Security', 'max-age=31536000')
}

/** Of these types the one that the request prefers; the first of two with the same weight. Null where it names none. */
export function preferredType(accept: string, types: readonly string[]): string | null {
  const known = parseAccept(accept)
    .map(({ type, q }) => ({ type: type.toLowerCase(), q }))
    .filter(({ type, q }) => q > 0 && types.includes(type))
  const [first] = known.toSorted((a, b) => b.q - a.q)
  return first?.type ?? null
}
