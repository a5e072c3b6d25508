import ipaddr from 'ipaddr.js'
import type { Family } from './icmp-packet.ts'

/** The shortest spelling of a literal address, without a zone, so that equal addresses are equal texts. */
export function plainAddress(address: string): string {
  return address.includes(':') ? ipaddr.parse(address.split('%', 1)[0] ?? '').toString() : address
}

const bytesAt = { 4: 4, 6: 8 } as const
const sizes = { 4: 16, 6: 28 } as const
const familyNumbers = { 4: 2, 6: 10 } as const

/** A literal address in the layout of Linux's calls (sockaddr_in, sockaddr_in6), with port 0. */
export function writeSocketAddress(address: string, family: Family): Buffer {
  const bytes = Buffer.alloc(sizes[family])
  bytes.writeUInt16LE(familyNumbers[family])
  bytes.set(ipaddr.parse(address).toByteArray(), bytesAt[family])
  return bytes
}

export function readSocketAddress(bytes: Buffer, family: Family): string {
  const start = bytesAt[family]
  return ipaddr.fromByteArray([...bytes.subarray(start, start + (family === 4 ? 4 : 16))]).toString()
}
