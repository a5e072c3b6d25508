import { getSystemErrorName } from 'node:util'
import type { Family } from './icmp-packet.ts'

export type SocketKind = 'datagram' | 'raw'

/** Where `receive` writes to: the packet, and the sender with its length, as the system lays them out. */
export type ReceiveBuffers = { packet: Buffer; address: Buffer; addressLength: Buffer }

export type SocketOption = { level: number; name: number; value: Buffer }

/** The system's calls that Node has no door to. */
export type IcmpSystem = {
  /** A file descriptor, or the code of an error, such as EACCES. */
  open: (family: Family, kind: SocketKind) => number | string
  /** `level` and `name` as setsockopt(2) takes them. */
  setOption: (fd: number, option: SocketOption) => void
  /** The code of an error, null for none. */
  send: (fd: number, packet: Buffer, address: Buffer) => string | null
  /** The number of bytes, or null when nothing has come. */
  receive: (fd: number, buffers: ReceiveBuffers) => number | null
  close: (fd: number) => void
}

const isLinux = process.platform === 'linux'
const kinds = { datagram: 2, raw: 3 } as const
/** SOCK_CLOEXEC and SOCK_NONBLOCK. On macOS no child inherits, and libuv sets the latter. */
const flags = isLinux ? 0o2_004_000 : 0
const families = { 4: 2, 6: isLinux ? 10 : 30 } as const
const protocols = { 4: 1, 6: 58 } as const
const dontWait = 0x40

/** Loads the foreign function interface, which only the first ping has to pay for. Throws where it has no build. */
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
