import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { after } from 'node:test'
import { portOf } from './raw-server.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A well-behaved HTTP server on loopback; over TLS with `tls`. Closed after the file. */
export async function httpServer(
  handler: Handler,
  options: { host?: string; tls?: ServerOptions } = {},
): Promise<{ port: number }> {
  const server = options.tls === undefined ? createServer(handler) : createTlsServer(options.tls, handler)
  server.listen(0, options.host ?? '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: portOf(server) }
}
