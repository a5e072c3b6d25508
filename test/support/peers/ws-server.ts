import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { after } from 'node:test'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { type Certificate, chainPem } from '../certificates.ts'
import { portOf } from '../raw-server.ts'

export type WsPeer = {
  port: number
  /** The codes with which clients said goodbye, in order. */
  goodbyes: number[]
}

type Wish = {
  certificate?: Certificate
  /** Clients have to show a certificate of this authority. */
  clientAuthority?: Certificate
  options?: Omit<ServerOptions, 'server' | 'port'>
  onConnection?: (socket: WebSocket, request: IncomingMessage) => void
}

/** The library `ws` as a server on 127.0.0.1, closed after the file. It answers a text by `echo: ` and that text. */
export async function startWs({
  certificate,
  clientAuthority,
  options,
  onConnection = echo,
}: Wish = {}): Promise<WsPeer> {
  const server =
    certificate === undefined
      ? createServer()
      : createTlsServer({
          cert: chainPem(certificate),
          key: certificate.keyPem,
          ...(clientAuthority === undefined
            ? {}
            : { ca: clientAuthority.pem, requestCert: true, rejectUnauthorized: true }),
        })
  const sockets = new WebSocketServer({ ...options, server })
  const goodbyes: number[] = []
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => {})
    socket.on('close', (code) => goodbyes.push(code))
    onConnection(socket, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
    server.close()
    server.closeAllConnections()
  })
  return { port: portOf(server), goodbyes }
}

function echo(socket: WebSocket): void {
  socket.on('message', (message) => {
    socket.send(`echo: ${Buffer.isBuffer(message) ? message.toString('utf8') : ''}`)
  })
}
