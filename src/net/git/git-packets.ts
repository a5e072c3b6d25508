/** A line of git's protocol without its end; null for a marker between sections (gitprotocol-common, "pkt-line"). */
export type Packet = string | null

/** The packets of an answer; null when it does not consist of whole packets. */
export function readPackets(bytes: Uint8Array): Packet[] | null {
  const packets: Packet[] = []
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(bytes, at)
    if (length === null) return null
    if (length > maxLength || length === 3 || at + length > bytes.length) return null
    packets.push(length < lengthDigits ? null : withoutEnd(buffer.toString('utf8', at + lengthDigits, at + length)))
    at += Math.max(length, lengthDigits)
  }
  return packets
}

/** Whether an answer begins with more than `most` packets. */
export function hasMorePackets(bytes: Uint8Array, most: number): boolean {
  let packets = 0
  for (let at = 0; at < bytes.length; packets += 1) {
    const length = lengthAt(bytes, at)
    if (length === null || packets > most) break
    at += Math.max(length, lengthDigits)
  }
  return packets > most
}

export function writePacket(line: string): string {
  return `${(Buffer.byteLength(line) + 1 + lengthDigits).toString(16).padStart(lengthDigits, '0')}${line}\n`
}

export const delimiterPacket = '0001'
export const flushPacket = '0000'

const lengthDigits = 4
const maxLength = 65_520

/** The four hexadecimal digits with which a packet begins; null where there are none. */
function lengthAt(bytes: Uint8Array, at: number): number | null {
  let length = 0
  for (let place = at; place < at + lengthDigits; place += 1) {
    const digit = digitOf(bytes[place] ?? 0)
    if (digit === null) return null
    length = 16 * length + digit
  }
  return length
}

function digitOf(code: number): number | null {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : null
}

function withoutEnd(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line
}
