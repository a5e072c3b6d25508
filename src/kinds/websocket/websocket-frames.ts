import { randomBytes } from 'node:crypto'

/** RFC 6455 5.2. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const
const known: ReadonlySet<number> = new Set(Object.values(opcodes))

/** A whole frame of a client, whose payload is masked (RFC 6455 5.3). */
export function clientFrame(opcode: number, payload: Uint8Array): Buffer {
  const mask = randomBytes(4)
  const masked = payload.map((byte, place) => byte ^ (mask[place % 4] ?? 0))
  return Buffer.concat([frameHead(opcode, payload.length), mask, masked])
}

function frameHead(opcode: number, length: number): Buffer {
  if (length < 126) return Buffer.from([0x80 | opcode, 0x80 | length])
  if (length > 0xffff) throw new TypeError('A check sends no frame of more than 65,535 bytes.')
  return Buffer.from([0x80 | opcode, 0x80 | 126, length >> 8, length & 0xff])
}

export type FrameHead = { isFinal: boolean; opcode: number; length: number; extendedBytes: 0 | 2 | 8 }

/** The first two bytes of a server's frame, or what is wrong with them as the end of a sentence. */
export function readFrameHead(bytes: Buffer): FrameHead | string {
  const [first = 0, second = 0] = bytes
  const opcode = first & 0x0f
  const isFinal = (first & 0x80) !== 0
  const length = second & 0x7f
  if ((first & 0x70) !== 0) return 'a frame with bits of extensions that were not agreed on'
  if (!known.has(opcode)) return 'a frame of an unknown type'
  if ((second & 0x80) !== 0) return 'a masked frame'
  if (opcode >= opcodes.close && (!isFinal || length > 125)) return 'a control frame that is too long or in pieces'
  return { isFinal, opcode, length, extendedBytes: length === 126 ? 2 : length === 127 ? 8 : 0 }
}

/** A length that needs more than seven bits: 2 or 8 bytes; infinite where it is no safe integer. */
export function readExtendedLength(bytes: Buffer): number {
  const length = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  return Number.isSafeInteger(length) ? length : Infinity
}

export type Closing = { code: number | null; reason: string }

/** What a close frame says (RFC 6455 5.5.1). */
export function readClosing(payload: Buffer): Closing {
  if (payload.length < 2) return { code: null, reason: '' }
  return { code: payload.readUInt16BE(0), reason: payload.toString('utf8', 2) }
}

export function closingPayload(code: number): Buffer {
  return Buffer.from([code >> 8, code & 0xff])
}
