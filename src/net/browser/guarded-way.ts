import { createServer, type Socket } from 'node:net'
import { attend, type Connection, discard } from '#net/dial/connection.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { noTimes } from '#net/dial/phase-times.ts'
import { type Parts, reach } from '#net/dial/reach.ts'
import { withoutBrackets } from '#net/dial/guard.ts'

/** The one way out of a box: a proxy of HTTP at a socket of the file system, which dials as all checks do. */
export type GuardedWay = {
  /** Why this host could not be reached, as the last attempt told. */
  failureOf: (host: string) => NetFailure | null
  close: () => void
}

/** Of one visit, in both directions. */
export const maxVisitBytes = 64 * 1024 * 1024
const maxConnections = 256
const maxHeadBytes = 64 * 1024
const maxFailures = 64

/** Rejects where no such socket can be made. */
export function openGuardedWay(
  parts: Parts,
  { socketPath, timeoutMs }: { socketPath: string; timeoutMs: number },
  signal: AbortSignal,
): Promise<GuardedWay> {
  const failures = new Map<string, NetFailure>()
  const inside = new Set<Socket>()
  let left = maxVisitBytes
  const spend = (count: number): boolean => (left -= count) >= 0
  const onFailed = (host: string, failure: NetFailure): void => {
    if (failures.size < maxFailures) failures.set(host, failure)
  }
  const server = createServer((socket) => {
    inside.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => inside.delete(socket))
    void serve({ parts, signal, spend, onFailed, timeoutMs }, socket)
  })
  server.maxConnections = maxConnections
  const close = (): void => {
    server.close()
    for (const socket of inside) socket.destroy()
  }
  signal.addEventListener('abort', close, { once: true })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, () => resolve({ failureOf: (host) => failures.get(host) ?? null, close }))
  })
}

type Serving = {
  parts: Parts
  signal: AbortSignal
  /** False once more was sent than a visit may. */
  spend: (count: number) => boolean
  onFailed: (host: string, failure: NetFailure) => void
  timeoutMs: number
}

/** A browser that hears nothing says so of the address itself. */
async function serve(serving: Serving, socket: Socket): Promise<void> {
  const asked = await readHead(socket)
  if (asked === null) return void socket.destroy()
  const { host, port, first, isTunnel } = asked
  const { parts, signal, timeoutMs, onFailed } = serving
  // Several connections of one page go to the same hosts, so that names that were found are not asked for again.
  const target = { host, port, isTls: true, isFresh: false, timeoutMs }
  const reached = await reach(parts, target, { signal, times: noTimes() })
  if (!reached.ok) {
    onFailed(host, reached.failure)
    return void socket.destroy()
  }
  if (socket.destroyed) return discard(reached.connection)
  if (isTunnel) socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (!isTunnel) requireHttp(reached.connection.socket, socket)
  join(serving, socket, reached.connection)
  if (first.length > 0) reached.connection.socket.write(first)
}

/** A browser takes what a proxy brings for a page, also what is no HTTP at all. */
function requireHttp(from: Socket, inside: Socket): void {
  from.once('data', (bytes: Buffer) => {
    if (!httpStart.subarray(0, bytes.length).equals(bytes.subarray(0, httpStart.length))) inside.destroy()
  })
}

const httpStart = Buffer.from('HTTP/')

function join({ spend }: Serving, inside: Socket, connection: Connection): void {
  const outside = connection.socket
  attend(connection, { onError: () => inside.destroy() })
  const carry = (from: Socket, to: Socket): void => {
    from.on('data', (bytes: Buffer) => {
      if (!spend(bytes.length)) {
        inside.destroy()
        return discard(connection)
      }
      if (to.writable && !to.write(bytes)) from.pause()
    })
    to.on('drain', () => from.resume())
    from.on('end', () => to.end())
    from.on('close', () => to.destroy())
  }
  carry(outside, inside)
  carry(inside, outside)
  inside.resume()
}

type Asked = { host: string; port: number; isTunnel: boolean; first: Buffer }

function readHead(socket: Socket): Promise<Asked | null> {
  return new Promise((resolve) => {
    let head = Buffer.alloc(0)
    const end = (asked: Asked | null): void => {
      socket.off('data', onData)
      socket.off('close', onClose)
      socket.pause()
      resolve(asked)
    }
    const onClose = (): void => end(null)
    const onData = (bytes: Buffer): void => {
      head = Buffer.concat([head, bytes])
      const length = head.indexOf('\r\n\r\n')
      if (length !== -1) end(askedOf(head, length + 4))
      else if (head.length > maxHeadBytes) end(null)
    }
    socket.on('data', onData)
    socket.once('close', onClose)
  })
}

/**
 * CONNECT, or a request for a whole URL, of which the server gets the path and one request a connection
 * (RFC 9112 3.2.2, 3.2.3).
 */
export function askedOf(bytes: Buffer, headLength: number): Asked | null {
  const head = bytes.toString('latin1', 0, headLength)
  const [, method = '', place = ''] = /^([A-Z]{1,20}) (\S{1,60000}) HTTP\/1\.1\r\n/.exec(head) ?? []
  const isTunnel = method === 'CONNECT'
  const url = URL.parse(isTunnel ? `http://${place}` : place)
  if (url === null || url.protocol !== 'http:') return null
  const host = withoutBrackets(url.hostname)
  const port = Number(isTunnel ? (/:(\d{1,5})$/.exec(place)?.[1] ?? '443') : url.port === '' ? '80' : url.port)
  if (isTunnel) return { host, port, isTunnel, first: bytes.subarray(headLength) }
  const lines = head.slice(head.indexOf('\r\n') + 2, -4).split('\r\n')
  const kept = lines.filter((line) => !/^(?:proxy-[a-z-]+|connection|keep-alive):/i.test(line))
  const own = [`${method} ${url.pathname}${url.search} HTTP/1.1`, ...kept, 'Connection: close']
  const first = Buffer.concat([Buffer.from(`${own.join('\r\n')}\r\n\r\n`, 'latin1'), bytes.subarray(headLength)])
  return { host, port, isTunnel, first }
}
