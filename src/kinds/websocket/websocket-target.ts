import { forbiddenTarget } from '#core/monitors/forbidden-target.ts'
import type { ForbiddenAddress } from '#kinds/kind.ts'

/** What is wrong with the address of a WebSocket, as a sentence for `fields.url`; null when nothing is (RFC 6455 3). */
export function websocketTargetProblem(text: string, isForbidden: ForbiddenAddress): string | null {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'wss:' && url.protocol !== 'ws:'))
    return 'Must begin with wss:// or ws://, such as wss://live.example.com/feed.'
  if (url.username !== '' || url.password !== '')
    return 'Must not hold a user name or password; send them in a request header, which is kept encrypted.'
  if (text.includes('#')) return 'Must have no part after #, which is sent to no server.'
  if (url.port === '0') return 'Must not use port 0.'
  return isForbidden(url.hostname) ? forbiddenTarget(url.hostname) : null
}

export type WebsocketTarget = {
  isTls: boolean
  /** Without brackets. */
  host: string
  port: number
  /** For the header `Host`. */
  authority: string
  /** The path with its query. */
  path: string
}

/** A target that `websocketTargetProblem` let through. */
export function websocketTarget(text: string): WebsocketTarget {
  const { protocol, hostname, port, host, pathname, search } = new URL(text)
  const isTls = protocol === 'wss:'
  const usualPort = isTls ? 443 : 80
  return {
    isTls,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? usualPort : Number(port),
    authority: host,
    path: pathname + search,
  }
}
