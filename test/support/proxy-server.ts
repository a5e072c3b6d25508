import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after } from 'node:test'
import { portOf, rawServer } from './raw-server.ts'

export type ProxyStandIn = {
  port: number
  /** What it was asked for: the request line of HTTP, `CONNECT host:port`, or `socks host:port`. */
  asked: string[]
}

type Rules = {
  /** Who is let through. Default: everybody. */
  credentials?: { name: string; secret: string }
  /** Where connections to a name lead. Default: 127.0.0.1. */
  addressOf?: (host: string) => string
}

/** A proxy as RFC 9110 and 9112 have it, on loopback, which takes all names for its own machine. Closed after the file. */
export async function httpProxy({ credentials, addressOf = loopback }: Rules = {}): Promise<ProxyStandIn> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const isIn = ({ headers }: IncomingMessage): boolean => {
    if (credentials === undefined) return true
    const expected = Buffer.from(`${credentials.name}:${credentials.secret}`).toString('base64')
    return headers['proxy-authorization'] === `Basic ${expected}`
  }
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    if (!isIn(incoming)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end('sign in')
      return
    }
    const url = new URL(incoming.url ?? '')
    const { 'proxy-authorization': _own, ...headers } = incoming.headers
    const options = { host: addressOf(url.hostname), port: url.port, path: `${url.pathname}${url.search}` }
    const passed = request({ ...options, method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.writeHead(502).end('no way'))
    incoming.pipe(passed)
  })
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    socket.on('error', () => {})
    if (!isIn(incoming)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const url = new URL(`http://${incoming.url}`)
    join(socket, { host: addressOf(url.hostname), port: Number(url.port) }, (isOpen) =>
      isOpen ? 'HTTP/1.1 200 Connection established\r\n\r\n' : 'HTTP/1.1 502 Bad Gateway\r\n\r\n',
    )
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: portOf(server), asked }
}

/** A proxy as RFC 1928 and 1929 have it, in the same way. */
export async function socksProxy({ credentials, addressOf = loopback }: Rules = {}): Promise<ProxyStandIn> {
  const asked: string[] = []
  const { port } = await rawServer((socket) => {
    void serve(socket)
  })
  async function serve(socket: Socket): Promise<void> {
    const read = reader(socket)
    const [, count = 0] = await read(2)
    const methods = await read(count)
    const method = credentials === undefined ? 0 : 2
    if (!methods.includes(method)) return void socket.end(Buffer.from([5, 0xff]))
    socket.write(Buffer.from([5, method]))
    if (credentials !== undefined) {
      const [, nameLength = 0] = await read(2)
      const name = (await read(nameLength)).toString()
      const [secretLength = 0] = await read(1)
      const secret = (await read(secretLength)).toString()
      const isIn = name === credentials.name && secret === credentials.secret
      socket.write(Buffer.from([1, isIn ? 0 : 1]))
      if (!isIn) return void socket.end()
    }
    const [, , , type] = await read(4)
    const host = await hostOf(read, type ?? 0)
    const place = (await read(2)).readUInt16BE()
    asked.push(`socks ${host}:${place}`)
    join(socket, { host: addressOf(host), port: place }, (isOpen) =>
      Buffer.from([5, isOpen ? 0 : 5, 0, 1, 0, 0, 0, 0, 0, 0]),
    )
  }
  return { port, asked }
}

function loopback(): string {
  return '127.0.0.1'
}

type Read = (count: number) => Promise<Buffer>

async function hostOf(read: Read, type: number): Promise<string> {
  if (type === 1) return [...(await read(4))].join('.')
  if (type === 4) return (await read(16)).toString('hex')
  const [length = 0] = await read(1)
  return (await read(length)).toString()
}

function reader(socket: Socket): Read {
  return async (count) => {
    if (count === 0) return Buffer.alloc(0)
    for (;;) {
      const bytes: Buffer | null = socket.read(count)
      if (bytes !== null) return bytes
      await once(socket, 'readable')
    }
  }
}

type Target = { host: string; port: number }

function join(socket: Socket, target: Target, answer: (isOpen: boolean) => string | Buffer): void {
  const out = connect(target)
  out.once('connect', () => {
    socket.write(answer(true))
    socket.pipe(out)
    out.pipe(socket)
  })
  out.on('error', () => socket.end(answer(false)))
  socket.on('error', () => out.destroy())
  socket.once('close', () => out.destroy())
}
