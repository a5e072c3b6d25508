import type { NetFailure } from '#net/dial/net-failure.ts'

/** A server by which connections are made. It looks up the names of targets itself. */
export type Proxy = {
  protocol: 'http' | 'socks5'
  /** Name or literal address, without brackets. */
  host: string
  port: number
  /** Null where it lets everybody through. */
  credentials: { name: string; secret: string } | null
}

export type ProxyCode = 'proxy_unreachable' | 'proxy_sign_in' | 'proxy_refused' | 'proxy_failed' | 'proxy_garbled'

export function proxyFailure(code: ProxyCode, message: string): NetFailure {
  return { phase: 'connect', code, message }
}

/** The value of the header Proxy-Authorization (RFC 7617); null without credentials. */
export function proxyAuthorization({ credentials }: Proxy): string | null {
  if (credentials === null) return null
  return `Basic ${Buffer.from(`${credentials.name}:${credentials.secret}`, 'utf8').toString('base64')}`
}

/** `status` is the one with which an HTTP proxy says so, 407 by RFC 9110 15.5.8; null by SOCKS. */
export function signInFailure({ credentials }: Proxy, status: string | null): NetFailure {
  const told = status === null ? '' : ` (${status})`
  if (credentials === null) return proxyFailure('proxy_sign_in', `The proxy asks for a user name and a password${told}`)
  return proxyFailure('proxy_sign_in', `The proxy does not accept the user name and password${told}`)
}
