/** What a server tells (RFC 5905 7.3); times are milliseconds since 1970. */
export type NtpReply = {
  /** 1 or 2: a leap second is due; 3: the clock is not set. */
  leap: number
  version: number
  /** 0: see `kissCode`; 16 and above: the clock is not set. */
  stratum: number
  /** Four letters that refuse service (RFC 5905 7.4), such as RATE; null of a server that serves. */
  kissCode: string | null
  /** The source of its time: letters of a clock for stratum 1, else the address, or a hash of it, in dotted form. */
  referenceId: string
  rootDelayMs: number
  rootDispersionMs: number
  receivedAtMs: number
  sentAtMs: number
}

const packetBytes = 48
const clientMode = 3
const serverMode = 4
const nonceOffset = 40
const nonceBytes = 8

/**
 * A question of version 4. Its transmit time is random: the server copies it into its answer, so that no one else can
 * make one, and a clock is not told to strangers.
 */
export function ntpRequest(nonce: Uint8Array): Uint8Array {
  const packet = new Uint8Array(packetBytes)
  packet[0] = (4 << 3) | clientMode
  packet.set(nonce.subarray(0, nonceBytes), nonceOffset)
  return packet
}

/** Whether a datagram answers this very question. */
export function isNtpReply(received: Uint8Array, sent: Uint8Array): boolean {
  if (received.length < packetBytes || ((received[0] ?? 0) & 7) !== serverMode) return false
  const nonce = sent.subarray(nonceOffset, nonceOffset + nonceBytes)
  return nonce.every((byte, index) => byte === received[24 + index])
}

/** Reads what `isNtpReply` let through. `nearMs` tells in which era of 136 years a time lies (RFC 5905 6). */
export function readNtpReply(packet: Uint8Array, nearMs: number): NtpReply {
  const view = new DataView(packet.buffer, packet.byteOffset, packetBytes)
  const stratum = view.getUint8(1)
  const reference = packet.subarray(12, 16)
  return {
    leap: view.getUint8(0) >> 6,
    version: (view.getUint8(0) >> 3) & 7,
    stratum,
    kissCode: stratum === 0 ? letters(reference) : null,
    referenceId: stratum < 2 ? letters(reference) : reference.join('.'),
    rootDelayMs: (view.getUint32(4) / 65_536) * 1000,
    rootDispersionMs: (view.getUint32(8) / 65_536) * 1000,
    receivedAtMs: readTime(view, 32, nearMs),
    sentAtMs: readTime(view, 40, nearMs),
  }
}

function letters(bytes: Uint8Array): string {
  const known = bytes.filter((byte) => byte > 0x20 && byte < 0x7f)
  return String.fromCharCode(...known)
}

/** From 1 January 1900 to 1 January 1970. */
const epochSeconds = 2_208_988_800
const eraMs = 2 ** 32 * 1000

function readTime(view: DataView, offset: number, nearMs: number): number {
  const seconds = view.getUint32(offset) - epochSeconds + view.getUint32(offset + 4) / 2 ** 32
  return seconds * 1000 + Math.round((nearMs - seconds * 1000) / eraMs) * eraMs
}
