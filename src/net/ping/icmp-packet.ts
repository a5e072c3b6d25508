export type Family = 4 | 6

export type Echo = {
  /** `identifier` and `sequence` have 16 bits. The kernel may replace the identifier by one of its own. */
  identifier: number
  sequence: number
  /** `cookieBytes` random bytes that an answer has to bring back. */
  cookie: Uint8Array
}

export const cookieBytes = 8
const headerBytes = 8
/** The payload of the usual ping, because some networks treat other sizes differently. */
const payloadBytes = 56

const requestType = { 4: 8, 6: 128 } as const
const replyType = { 4: 0, 6: 129 } as const

/**
 * An echo request (RFC 792, RFC 4443 4.1). The kernel fills in the checksum of ICMPv6, because it knows both addresses.
 */
export function echoRequest(family: Family, { identifier, sequence, cookie }: Echo): Buffer {
  const packet = Buffer.alloc(headerBytes + payloadBytes)
  packet[0] = requestType[family]
  packet.writeUInt16BE(identifier, 4)
  packet.writeUInt16BE(sequence, 6)
  packet.set(cookie.subarray(0, cookieBytes), headerBytes)
  if (family === 4) packet.writeUInt16BE(checksum(packet), 2)
  return packet
}

/** An echo reply, which may follow an IPv4 header; null when the packet is anything else, or too short. */
export function readEchoReply(family: Family, received: Uint8Array): Echo | null {
  const packet = family === 4 ? withoutHeader(received) : received
  if (packet.length < headerBytes + cookieBytes || packet[0] !== replyType[family] || packet[1] !== 0) return null
  const view = new DataView(packet.buffer, packet.byteOffset, headerBytes)
  return {
    identifier: view.getUint16(4),
    sequence: view.getUint16(6),
    cookie: packet.subarray(headerBytes, headerBytes + cookieBytes),
  }
}

/** Raw sockets, and all sockets of macOS, deliver the IPv4 header too. Its first byte is no type of ICMP. */
export function withoutHeader(packet: Uint8Array): Uint8Array {
  const first = packet[0] ?? 0
  return first >> 4 === 4 ? packet.subarray((first & 15) * 4) : packet
}

/** RFC 1071, for an even number of bytes. */
function checksum(packet: Buffer): number {
  let sum = 0
  for (let offset = 0; offset < packet.length; offset += 2) sum += packet.readUInt16BE(offset)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16)
  return ~sum & 0xffff
}
