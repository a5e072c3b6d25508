import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { after } from 'node:test'
import { type Certificate, chainPem } from '../support/certificates.ts'
import { portOf } from '../support/raw-server.ts'

/** A target that is watched: `fail` takes it down and `recover` brings it back. */
export type Target = { port: number; fail: () => Promise<void>; recover: () => Promise<void> }

const answerWell: RequestListener = (_request, response) => void response.end('All is well.')

/** A web server that ends and begins again on the same port. */
export function webTarget(): Promise<Target> {
  return restartable(() => createServer(answerWell))
}

export function tlsTarget(certificate: Certificate): Promise<Target> {
  const options = { cert: chainPem(certificate), key: certificate.keyPem }
  return restartable(() => createTlsServer(options, answerWell))
}

/** A server that sends a greeting by itself to each client. */
export function tcpTarget(): Promise<Target> {
  return restartable(() => createTcpServer((socket) => socket.on('error', () => {}).end('220 ready\r\n')))
}

/** Goes on answering while it fails, and says that it does. */
export async function apiTarget(): Promise<Target> {
  let isWell = true
  const { port } = await restartable(() =>
    createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ checks: { database: isWell ? 'ok' : 'gone' } }))
    }),
  )
  return {
    port,
    fail: async () => {
      isWell = false
    },
    recover: async () => {
      isWell = true
    },
  }
}

export async function restartable(make: () => Server): Promise<Target> {
  const sockets = new Set<Socket>()
  let server = make()
  const listen = async (port: number): Promise<void> => {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const end = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }
  await listen(0)
  const port = portOf(server)
  after(end)
  return {
    port,
    fail: end,
    recover: () => {
      server = make()
      return listen(port)
    },
  }
}
