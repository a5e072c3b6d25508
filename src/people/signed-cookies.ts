// What better-auth signs by one secret, read by several: it keeps a browser signed in when the secret key changes.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { authPath } from './people-parts.ts'

type AuthSecrets = readonly [string, ...string[]]

/**
 * The value of a cookie `value.signature`, percent-encoded, whose signature is a base64 HMAC-SHA256 by one of the
 * secrets; null for others.
 */
export function readSigned(cookie: string, secrets: AuthSecrets): { value: string; isCurrent: boolean } | null {
  const text = decode(cookie)
  const dot = text.lastIndexOf('.')
  if (dot < 1) return null
  const value = text.slice(0, dot)
  const signature = Buffer.from(text.slice(dot + 1), 'base64')
  const signer = secrets.findIndex((secret) => isSame(signature, hmac(secret, value)))
  return signer === -1 ? null : { value, isCurrent: signer === 0 }
}

/**
 * The request as better-auth reads it, which knows the current secret alone: cookies and the token of a link that
 * another known secret signed are signed anew.
 */
export function withCurrentSignatures(request: Request, secrets: AuthSecrets): Request {
  if (secrets.length === 1) return request
  const url = new URL(request.url)
  const token = url.searchParams.get('token')
  if (url.pathname === `${authPath}/verify-email` && token !== null)
    url.searchParams.set('token', currentToken(token, secrets))
  const current = new Request(url, request)
  const cookies = request.headers.get('cookie')
  if (cookies !== null) current.headers.set('cookie', currentCookies(cookies, secrets))
  return current
}

function currentCookies(cookies: string, secrets: AuthSecrets): string {
  return cookies
    .split(';')
    .map((pair) => {
      const [name = '', ...rest] = pair.trim().split('=')
      const signed = readSigned(rest.join('='), secrets)
      if (signed === null || signed.isCurrent) return pair.trim()
      const signature = hmac(secrets[0], signed.value).toString('base64')
      return `${name}=${encodeURIComponent(`${signed.value}.${signature}`)}`
    })
    .join('; ')
}

/** Links that confirm an address carry a JSON Web Token with an HMAC-SHA256 (RFC 7515 7.1). */
function currentToken(token: string, secrets: AuthSecrets): string {
  const dot = token.lastIndexOf('.')
  const content = token.slice(0, Math.max(0, dot))
  const signature = Buffer.from(token.slice(dot + 1), 'base64url')
  const isOurs = secrets.some((secret) => isSame(signature, hmac(secret, content)))
  return isOurs ? `${content}.${hmac(secrets[0], content).toString('base64url')}` : token
}

function hmac(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
