import { once } from 'node:events'
import { connect } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { makeCertificate } from '../../test/support/certificates.ts'

export type Front = { port: number; close: () => Promise<void> }

/** The server in front of a service that is reached by https: it ends TLS and passes everything on. */
export async function startFront(to: { port: number; host: string }): Promise<Front> {
  const { pem, keyPem } = makeCertificate({ name: to.host, names: [to.host] })
  const open = new Set<TLSSocket>()
  const server = createServer({ cert: pem, key: keyPem }, (socket) => {
    const behind = connect(to.port, '127.0.0.1')
    const end = (): void => {
      open.delete(socket)
      socket.destroy()
      behind.destroy()
    }
    open.add(socket)
    for (const side of [socket, behind]) side.on('error', end).on('close', end)
    socket.pipe(behind).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The front has no port.')
  return {
    port: address.port,
    close: async () => {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
