import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Family } from './icmp-packet.ts'
import type { IcmpSystem, SocketOption } from './icmp-system.ts'
import { readSocketAddress, writeSocketAddress } from './socket-address.ts'

/** Sends and receives ICMP packets of one address family. */
export type IcmpWire = {
  /** Calls `onError` for an error of the sending, in a later turn of the event loop. */
  send: (packet: Buffer, address: string, onError: (error: NodeJS.ErrnoException) => void) => void
  /** Whether requests wait for packets. Without them the wire does nothing, and the process may end. */
  setWaiting: (isWaiting: boolean) => void
  close: () => void
}

/** A packet is only valid during the call. */
export type OnPacket = (packet: Uint8Array, sender: string) => void

/** Many answers may come while this thread is busy; the kernel grants as much of this as it allows. */
const receiveBufferBytes = 4 * 1024 * 1024

/** The kernel's own ping socket (icmp(7)), adopted by libuv, so that it is read like a UDP socket. */
export async function datagramWire(fd: number, family: Family, onPacket: OnPacket): Promise<IcmpWire> {
  const socket = createSocket({
    type: `udp${family}`,
    lookup: (host, _options, callback) => callback(null, host, family),
  })
  const listening = once(socket, 'listening')
  socket.bind({ fd, exclusive: true })
  await listening
  socket.setRecvBufferSize(receiveBufferBytes)
  socket.unref()
  socket.on('message', (packet, { address }) => onPacket(packet, address))
  // An error of reading names no ping; the request that it concerned ends by its deadline.
  socket.on('error', () => {})
  return {
    // ICMP has no ports, but Node refuses to send to port 0.
    send: (packet, address, onError) =>
      socket.send(packet, 1, address, (error) => {
        if (error !== null) onError(error)
      }),
    setWaiting: (isWaiting) => void (isWaiting ? socket.ref() : socket.unref()),
    close: () => void socket.close(),
  }
}

const pollMs = 1
const maxPacketsPerPoll = 1000

/**
 * A raw socket. libuv cannot watch it, and no thread of libuv's pool may block in a call for it, so it is polled every
 * millisecond while requests wait: measured times are longer by up to that. Linux only.
 */
export function rawWire(
  system: IcmpSystem,
  { fd, family }: { fd: number; family: Family },
  onPacket: OnPacket,
): IcmpWire {
  const buffers = { packet: Buffer.alloc(2048), address: Buffer.alloc(28), addressLength: Buffer.alloc(4) }
  let timer: NodeJS.Timeout | undefined
  system.setOption(fd, echoReplyFilter(family))
  system.setOption(fd, receiveBuffer)
  function poll(): void {
    for (let count = 0; count < maxPacketsPerPoll; count += 1) {
      const length = system.receive(fd, buffers)
      if (length === null) return
      onPacket(buffers.packet.subarray(0, length), readSocketAddress(buffers.address, family))
    }
  }
  return {
    send: (packet, address, onError) => {
      const code = system.send(fd, packet, writeSocketAddress(address, family))
      if (code !== null) process.nextTick(onError, Object.assign(new Error(`sendto ${code}`), { code }))
    },
    setWaiting: (isWaiting) => {
      clearInterval(timer)
      timer = isWaiting ? setInterval(poll, pollMs) : undefined
    },
    close: () => {
      clearInterval(timer)
      system.close(fd)
    },
  }
}

/** SOL_SOCKET and SO_RCVBUF. */
const receiveBuffer: SocketOption = { level: 1, name: 8, value: Buffer.alloc(4) }
receiveBuffer.value.writeInt32LE(receiveBufferBytes)

/**
 * SOL_RAW with ICMP_FILTER, or IPPROTO_ICMPV6 with ICMPV6_FILTER: a set bit drops a type, so all bits but that of echo
 * replies are set.
 */
function echoReplyFilter(family: Family): SocketOption {
  const value = Buffer.alloc(family === 4 ? 4 : 32, 0xff)
  const type = family === 4 ? 0 : 129
  value.writeUInt32LE(~(1 << (type & 31)) >>> 0, (type >> 5) * 4)
  return { level: family === 4 ? 255 : 58, name: 1, value }
}
