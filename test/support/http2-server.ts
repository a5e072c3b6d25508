import { once } from 'node:events'
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import { after } from 'node:test'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { type Certificate, chainPem } from './certificates.ts'
import { portOf } from './raw-server.ts'

type Handler = (request: Http2ServerRequest, response: Http2ServerResponse) => void

/** A well-behaved server on loopback within TLS, by HTTP/2 or, for who does not offer it, by HTTP/1.1. Closed after the file. */
export async function http2Server(certificate: Certificate, handler: Handler): Promise<{ port: number }> {
  const sessions = new Set<ServerHttp2Session>()
  const server = createSecureServer({ cert: chainPem(certificate), key: certificate.keyPem, allowHTTP1: true }, handler)
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session)
    session.on('error', () => {})
    session.on('close', () => sessions.delete(session))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  return { port: portOf(server) }
}

/** Agrees to HTTP/2 within TLS, and then does what it is told with each connection. Closed after the file. */
export async function rawHttp2Server(
  certificate: Certificate,
  onSocket: (socket: TLSSocket) => void,
): Promise<{ port: number }> {
  const sockets = new Set<TLSSocket>()
  const options = { cert: chainPem(certificate), key: certificate.keyPem, ALPNProtocols: ['h2'] }
  const server = createTlsServer(options, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: portOf(server) }
}

/** A frame of HTTP/2: its length, type, flags and stream, and what is in it (RFC 9113 4.1). */
export function http2Frame(
  type: number,
  payload: readonly number[] | Buffer,
  { flags = 0, stream = 0 }: { flags?: number; stream?: number } = {},
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, Buffer.from(payload)])
}

/** With which a server begins. */
export const http2Settings = http2Frame(4, [])
