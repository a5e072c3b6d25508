import { type Proxy, proxyAuthorization } from '#net/proxy/proxy.ts'
import type { Message } from './http-request.ts'

/** Headers that frame the message or steer the connection: the exchange alone sets them. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * The bytes of a request as a latin1 string, complete when there is no body. A proxy that passes it on gets the whole URL
 * (RFC 9112 3.2.2). Callers validate headers before: one that
 * cannot be sent is their bug and throws a TypeError.
 */
export function writeHead(message: Message, proxy: Proxy | null = null): string {
  const { url, method, headers } = message
  const origin = proxy === null ? '' : url.origin
  let head = `${method} ${origin}${url.pathname}${url.search} HTTP/1.1\r\nhost: ${headers['host'] ?? url.host}\r\n`
  const authorization = proxy === null ? null : proxyAuthorization(proxy)
  if (authorization !== null) head += `proxy-authorization: ${authorization}\r\n`
  for (const [name, value] of sentHeaders(message)) head += `${name}: ${value}\r\n`
  return `${head}connection: close\r\n\r\n`
}

/** All but the host, and with the length of the body. */
export function sentHeaders({ method, headers, body }: Message): [name: string, value: string][] {
  const sent: [string, string][] = []
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!headerName.test(name) || !headerValue.test(value))
      throw new TypeError(`"${name}" is no header that can be sent`)
    if (name !== 'host' && !ownHeaders.has(name)) sent.push([name, value])
  }
  if (headers['accept-encoding'] === undefined) sent.push(['accept-encoding', 'gzip, deflate, br, zstd'])
  if (body !== null) sent.push(['content-length', String(Buffer.byteLength(body))])
  else if (method === 'POST' || method === 'PUT' || method === 'PATCH') sent.push(['content-length', '0'])
  return sent
}
