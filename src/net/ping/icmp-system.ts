import { getSystemErrorName } from 'node:util'
import type { Family } from './icmp-packet.ts'

export type SocketKind = 'datagram' | 'raw'

/**
 * The buffers into which `receive` writes: the packet, the sender as the system lays it out, and the sender's length.
 */
export type ReceiveBuffers = { packet: Buffer; address: Buffer; addressLength: Buffer }

export type SocketOption = { level: number; name: number; value: Buffer }

/** System calls that Node does not offer. */
export type IcmpSystem = {
  /** Returns a file descriptor, or the code of an error such as EACCES. */
  open: (family: Family, kind: SocketKind) => number | string
  /** `level` and `name` are those of setsockopt(2). */
  setOption: (fd: number, option: SocketOption) => void
  /** Returns the code of an error, null for none. */
  send: (fd: number, packet: Buffer, address: Buffer) => string | null
  /** Returns the number of bytes, or null when no packet has come. */
  receive: (fd: number, buffers: ReceiveBuffers) => number | null
  close: (fd: number) => void
}

const isLinux = process.platform === 'linux'
const kinds = { datagram: 2, raw: 3 } as const
/** SOCK_CLOEXEC and SOCK_NONBLOCK. On macOS children do not inherit the socket, and libuv makes it non-blocking. */
const flags = isLinux ? 0o2_004_000 : 0
const families = { 4: 2, 6: isLinux ? 10 : 30 } as const
const protocols = { 4: 1, 6: 58 } as const
const dontWait = 0x40

/**
 * Loads the foreign function interface at the first ping, so that other processes do not pay for it. Throws where it
 * has no build.
 */
export async function loadIcmpSystem(): Promise<IcmpSystem> {
  const { default: koffi } = await import('koffi')
  const library = koffi.load(null)
  const socket = library.func('int socket(int, int, int)')
  const setsockopt = library.func('int setsockopt(int, int, int, const void *, int)')
  const sendto = library.func('int64_t sendto(int, const void *, size_t, int, const void *, int)')
  const recvfrom = library.func('int64_t recvfrom(int, void *, size_t, int, void *, void *)')
  const close = library.func('int close(int)')
  const lastCode = (): string => getSystemErrorName(-koffi.errno())
  return {
    open: (family, kind) => {
      const fd = Number(socket(families[family], kinds[kind] | flags, protocols[family]))
      return fd < 0 ? lastCode() : fd
    },
    setOption: (fd, { level, name, value }) => void setsockopt(fd, level, name, value, value.length),
    send: (fd, packet, address) =>
      Number(sendto(fd, packet, packet.length, 0, address, address.length)) < 0 ? lastCode() : null,
    receive: (fd, { packet, address, addressLength }) => {
      addressLength.writeInt32LE(address.length)
      const length = Number(recvfrom(fd, packet, packet.length, dontWait, address, addressLength))
      return length < 0 ? null : length
    },
    close: (fd) => void close(fd),
  }
}
