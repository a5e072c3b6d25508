import { createHash } from 'node:crypto'

/** What the handshake itself says; a monitor's own headers of these names are not sent. */
const ownHeaders = new Set(['connection', 'content-length', 'host', 'transfer-encoding', 'upgrade'])

export type Asked = {
  /** The path with its query. */
  path: string
  authority: string
  /** 16 random bytes in base64. */
  key: string
  subprotocol: string | undefined
  /** Checked as `request_headers` are. */
  headers: Readonly<Record<string, string>>
}

/** The client's opening handshake (RFC 6455 4.1). No extension is offered, so frames are not compressed. */
export function openingRequest({ path, authority, key, subprotocol, headers }: Asked): Buffer {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const host = given.find(([name]) => name === 'host')?.[1] ?? authority
  const others = given.filter(([name]) => !ownHeaders.has(name) && !name.startsWith('sec-websocket-'))
  const lines = [
    `GET ${path} HTTP/1.1`,
    `host: ${host}`,
    ...(others.some(([name]) => name === 'user-agent') ? [] : ['user-agent: Perigee/1 (+uptime check)']),
    ...others.map(([name, value]) => `${name}: ${value}`),
    'upgrade: websocket',
    'connection: Upgrade',
    `sec-websocket-key: ${key}`,
    'sec-websocket-version: 13',
    ...(subprotocol === undefined ? [] : [`sec-websocket-protocol: ${subprotocol}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

export type OpeningAnswer = { status: number; headers: ReadonlyMap<string, string> }

/** A head of HTTP, line by line without their ends; null where it is none. Repeated headers are joined by ", ". */
export function readOpeningAnswer([first = '', ...lines]: readonly string[]): OpeningAnswer | null {
  const status = /^HTTP\/1\.\d (\d{3})(?: |$)/.exec(first)?.[1]
  if (status === undefined) return null
  const headers = new Map<string, string>()
  for (const line of lines) {
    const end = line.indexOf(':')
    if (end < 1) return null
    const name = line.slice(0, end).toLowerCase()
    const value = line.slice(end + 1).trim()
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return { status: Number(status), headers }
}

/** What is wrong with an answer that says 101, as a sentence; null when nothing is (RFC 6455 4.1, 4.2.2). */
export function openingProblem(
  { headers }: OpeningAnswer,
  { key, subprotocol }: Pick<Asked, 'key' | 'subprotocol'>,
): string | null {
  const connection = (headers.get('connection') ?? '').toLowerCase().split(/[\t ]*,[\t ]*/)
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket' || !connection.includes('upgrade'))
    return 'The server changes to another protocol than WebSocket'
  if (headers.get('sec-websocket-accept') !== acceptFor(key))
    return 'The answer does not belong to the handshake: its Sec-WebSocket-Accept is wrong'
  if (headers.has('sec-websocket-extensions')) return 'The server wants extensions that were not offered'
  const chosen = headers.get('sec-websocket-protocol')
  if (chosen === subprotocol) return null
  return chosen === undefined
    ? 'The server does not choose the subprotocol'
    : 'The server chooses a subprotocol that was not offered'
}

/** RFC 6455 4.2.2. */
export function acceptFor(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
}
