import type { HttpRequest } from './http-request.ts'

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

export type Message = Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body'>

/**
 * The bytes of a request as a latin1 string, complete when there is no body. Callers validate headers before: one that
 * cannot be sent is their bug and throws a TypeError.
 */
export function writeHead({ url, method, headers, body }: Message): string {
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${headers['host'] ?? url.host}\r\n`
  let hasCoding = false
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!headerName.test(name) || !headerValue.test(value))
      throw new TypeError(`"${name}" is no header that can be sent`)
    if (name === 'host' || ownHeaders.has(name)) continue
    if (name === 'accept-encoding') hasCoding = true
    head += `${name}: ${value}\r\n`
  }
  if (!hasCoding) head += 'accept-encoding: gzip, deflate, br, zstd\r\n'
  if (body !== null) head += `content-length: ${Buffer.byteLength(body)}\r\n`
  else if (method === 'POST' || method === 'PUT' || method === 'PATCH') head += 'content-length: 0\r\n'
  return `${head}connection: close\r\n\r\n`
}
