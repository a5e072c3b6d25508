import { parseAccept } from 'hono/utils/accept'
import type { Reply } from '#operations/operation.ts'

/** Headers of every answer; a page that has rules of its own sets them before. */
const securityHeaders: readonly [string, string][] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cache-Control', 'no-store'],
]

export function toResponse(reply: Reply): Response {
  if (reply.body === undefined) return new Response(null, { status: reply.status, headers: reply.headers ?? {} })
  return new Response(JSON.stringify(reply.body), {
    status: reply.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...reply.headers },
  })
}

/** A reply of which there is Markdown too, as the request prefers it; JSON unless it says so (RFC 9110 12.5.1). */
export function toPreferredResponse(reply: Reply, asMarkdown: (body: unknown) => string, accept: string): Response {
  const headers = { ...reply.headers, Vary: 'Accept' }
  if (!prefersMarkdown(accept)) return toResponse({ ...reply, headers })
  const type = 'text/markdown; charset=utf-8'
  return new Response(asMarkdown(reply.body), { status: reply.status, headers: { ...headers, 'Content-Type': type } })
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

/** Of two that weigh the same the one named first. */
function prefersMarkdown(accept: string): boolean {
  const known = parseAccept(accept).filter(
    ({ type, q }) => q > 0 && ['text/markdown', 'application/json'].includes(type.toLowerCase()),
  )
  const [first] = known.toSorted((a, b) => b.q - a.q)
  return first?.type.toLowerCase() === 'text/markdown'
}
