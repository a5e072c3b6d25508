import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { after } from 'node:test'

export type RawServer = { port: number; server: Server; connections: () => number }

/** A TCP server that does what it is told with each connection; closed, with all connections, after the file. */
export async function rawServer(onSocket: (socket: Socket) => void, host = '127.0.0.1'): Promise<RawServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    onSocket(socket)
  })
  server.listen(0, host)
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: portOf(server), server, connections: () => connections }
}

/** Answers every request with these bytes and closes the connection, unless it is to stay open. */
export function answering(bytes: string | Buffer, options: { staysOpen?: boolean } = {}): (socket: Socket) => void {
  return (socket) => {
    socket.once('data', () => {
      if (options.staysOpen === true) socket.write(bytes)
      else socket.end(bytes)
    })
  }
}

export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}
