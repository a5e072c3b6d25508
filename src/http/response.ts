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

/** `isSecure`: the public address is https, and browsers may be told to stay there. */
export function addSecurityHeaders(headers: Headers, isSecure: boolean): void {
  for (const [name, value] of securityHeaders) if (!headers.has(name)) headers.set(name, value)
  if (isSecure && !headers.has('Strict-Transport-Security'))
    headers.set('Strict-Transport-Security', 'max-age=31536000')
}
