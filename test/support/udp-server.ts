import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'

export type UdpServer = {
  port: number
  /** The datagrams that came so far. */
  received: Buffer[]
}

/** A UDP server that answers each datagram as told; `send` may be called any number of times. Closed after the file. */
export async function udpServer(
  onDatagram: (datagram: Buffer, send: (reply: Buffer) => void, count: number) => void,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<UdpServer> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  const received: Buffer[] = []
  socket.on('message', (datagram, peer) => {
    received.push(datagram)
    onDatagram(datagram, (reply) => socket.send(reply, peer.port, peer.address, () => {}), received.length)
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  after(() => socket.close())
  return { port: socket.address().port, received }
}

/** A UDP port on which nothing listens: it was just given back. */
export async function closedUdpPort(host = '127.0.0.1'): Promise<number> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  socket.bind(0, host)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
