import { type IcmpSystem, loadIcmpSystem } from '#net/ping/icmp-system.ts'

/** A packet, or an error about one that was sent. Its parts are only valid until the next call. */
export type Message = {
  data: Uint8Array
  /** The other side as the system lays it out. */
  name: Buffer
  /** What the system says beside it (cmsg(3)). */
  control: Buffer
}

/** System calls that Node does not offer, of Linux on processors with 64 bits and little-endian numbers. */
export type RouteSystem = Pick<IcmpSystem, 'open' | 'setOption' | 'send' | 'close'> & {
  /** The next packet of a socket, or the next error of its error queue; null when there is none. */
  receive: (fd: number, from: 'packets' | 'errors') => Message | null
  /** Milliseconds since 1970 by the clock with which the kernel stamps packets. */
  wallMs: () => number
}

/** MSG_DONTWAIT, and MSG_ERRQUEUE beside it. */
const flags = { packets: 0x40, errors: 0x2040 } as const
/** Where each part lies in one block of memory, whose address never changes. */
const at = { header: 0, vector: 56, clock: 80, name: 96, control: 128, data: 640, end: 640 + 2048 } as const
/** Offsets in a msghdr of recvmsg(2). */
const header = {
  name: 0,
  nameLength: 8,
  vector: 16,
  vectorLength: 24,
  control: 32,
  controlLength: 40,
  flags: 48,
} as const

/** Loads the foreign function interface at the first route. Throws where it has no build. */
export async function loadRouteSystem(): Promise<RouteSystem> {
  const { default: koffi } = await import('koffi')
  const { open, setOption, send, close } = await loadIcmpSystem()
  const library = koffi.load(null)
  const recvmsg = library.func('int64_t recvmsg(int, void *, int)')
  const clockGettime = library.func('int clock_gettime(int, void *)')
  const block = Buffer.allocUnsafeSlow(at.end).fill(0)
  const start = koffi.address(block)
  const messageHeader = block.subarray(at.header, at.vector)
  const clock = block.subarray(at.clock, at.name)
  messageHeader.writeBigUInt64LE(start + BigInt(at.name), header.name)
  messageHeader.writeBigUInt64LE(start + BigInt(at.vector), header.vector)
  messageHeader.writeBigUInt64LE(1n, header.vectorLength)
  messageHeader.writeBigUInt64LE(start + BigInt(at.control), header.control)
  block.writeBigUInt64LE(start + BigInt(at.data), at.vector)
  block.writeBigUInt64LE(BigInt(at.end - at.data), at.vector + 8)
  return {
    open,
    setOption,
    send,
    close,
    receive: (fd, from) => {
      messageHeader.writeUInt32LE(at.control - at.name, header.nameLength)
      messageHeader.writeBigUInt64LE(BigInt(at.data - at.control), header.controlLength)
      const length = Number(recvmsg(fd, messageHeader, flags[from]))
      if (length < 0) return null
      const controlLength = Number(messageHeader.readBigUInt64LE(header.controlLength))
      return {
        data: block.subarray(at.data, at.data + length),
        name: block.subarray(at.name, at.control),
        control: block.subarray(at.control, at.control + controlLength),
      }
    },
    wallMs: () => {
      clockGettime(0, clock)
      return timeOf(clock)
    },
  }
}

/** Of a timespec, in milliseconds. */
export function timeOf(spec: Buffer): number {
  return Number(spec.readBigInt64LE(0)) * 1_000 + Number(spec.readBigInt64LE(8)) / 1_000_000
}
