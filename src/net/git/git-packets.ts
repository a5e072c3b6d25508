/** A line of git's protocol without its end; null for a marker between sections (gitprotocol-common, "pkt-line"). */
export type Packet = string | null

/** The packets of an answer; null when it does not consist of whole packets. */
export function readPackets(bytes: Uint8Array): Packet[] | null {
  const packets: Packet[] = []
  for (let at = 0; at < bytes.length;) {
    const digits = latin1.decode(bytes.subarray(at, at + lengthDigits))
    if (!/^[0-9a-f]{4}$/i.test(digits)) return null
    const length = Number.parseInt(digits, 16)
    if (length > maxLength || length === 3 || at + length > bytes.length) return null
    packets.push(length < lengthDigits ? null : withoutEnd(utf8.decode(bytes.subarray(at + lengthDigits, at + length))))
    at += Math.max(length, lengthDigits)
  }
  return packets
}

export function writePacket(line: string): string {
  return `${(Buffer.byteLength(line) + 1 + lengthDigits).toString(16).padStart(lengthDigits, '0')}${line}\n`
}

export const delimiterPacket = '0001'
export const flushPacket = '0000'

const lengthDigits = 4
const maxLength = 65_520
const latin1 = new TextDecoder('latin1')
const utf8 = new TextDecoder()

function withoutEnd(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line
}
