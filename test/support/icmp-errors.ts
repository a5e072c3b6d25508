import type { Family } from '#net/ping/icmp-packet.ts'

export type Quoting = { request: Uint8Array; type: number; code: number; bytes: number }

/** An error of a router that quotes so many bytes of an echo request, as a raw socket gets it. */
export function quoting(family: Family, { request, type, code, bytes }: Quoting): Buffer {
  const inner = family === 4 ? ipv4(1) : ipv6(58)
  const icmp = Buffer.concat([Buffer.from([type, code, 0, 0, 0, 0, 0, 0]), inner, request.subarray(0, bytes)])
  return family === 4 ? Buffer.concat([ipv4(1), icmp]) : icmp
}

function ipv4(protocol: number): Buffer {
  const header = Buffer.alloc(20)
  header[0] = 0x45
  header[9] = protocol
  return header
}

function ipv6(next: number): Buffer {
  const header = Buffer.alloc(40)
  header[0] = 0x60
  header[6] = next
  return header
}
