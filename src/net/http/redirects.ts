import type { Message } from './http-request.ts'
import type { ResponseHead } from './http-parser.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'

/** The statuses that redirect (RFC 9110 15.4); 300, 304, 305 and 306 do not. */
export function isRedirect({ status, headers }: ResponseHead): boolean {
  const leads = status === 301 || status === 302 || status === 303 || status === 307 || status === 308
  return leads && headers['location'] !== undefined
}

export type Next = { ok: true; message: Message } | { ok: false; failure: NetFailure }

/** The request that a redirecting answer asks for. */
export function followRedirect(message: Message, head: ResponseHead): Next {
  const location = fromUtf8(head.headers['location'] ?? '')
  const url = URL.parse(location, message.url.href)
  if (url === null) return failed(`Redirect to an address that is not valid: "${location.slice(0, 200)}"`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return failed(`Redirect to ${url.protocol}, which is not a web address`)
  url.hash = ''
  url.username = ''
  url.password = ''
  const isAsGet = turnsIntoGet(head.status, message.method)
  const isToSame = isSameAudience(message.url, url)
  const headers = isToSame ? message.headers : impersonal(message.headers)
  return {
    ok: true,
    message: {
      url,
      method: isAsGet ? 'GET' : message.method,
      headers: isAsGet ? withoutContent(headers) : headers,
      // A body may hold a password as well as a header may, so another origin gets the method alone.
      body: isAsGet || !isToSame ? null : message.body,
    },
  }
}

/** The failure of a chain that would go on for ever, or for too long. */
export function endlessFailure(next: URL, visited: ReadonlySet<string>, maxRedirects: number): NetFailure {
  if (visited.has(next.href)) return redirectFailure(`Redirect loop: it leads back to ${next.href.slice(0, 200)}`)
  return redirectFailure(`More than ${maxRedirects} redirects`)
}

/** RFC 9110 15.4.2 to 15.4.4: a 303 always does; 301 and 302 do by custom after a POST. */
function turnsIntoGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}

/**
 * The same origin, or the same host moving from plain HTTP to TLS on the usual ports, to which nothing new is revealed.
 */
function isSameAudience(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  return isUpgrade && from.hostname === to.hostname
}

const impersonalHeaders = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent'])

/** Another origin gets no header that the customer may have meant only for the first one. */
function impersonal(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => impersonalHeaders.has(name)))
}

function withoutContent(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')))
}

/** Headers are read as latin1, but servers that send other letters in an address mean UTF-8. */
function fromUtf8(location: string): string {
  return Buffer.from(location, 'latin1').toString('utf8')
}

function failed(message: string): Next {
  return { ok: false, failure: redirectFailure(message) }
}

function redirectFailure(message: string): NetFailure {
  return { phase: 'request', code: 'bad_redirect', message }
}
