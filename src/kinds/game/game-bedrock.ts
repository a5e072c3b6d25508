import { GameReplyError, type GameStatus, plainText, wholeNumber } from './game-status.ts'

const pingPacket = 0x01
const pongPacket = 0x1c
const magic = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex')
const nonceBytes = 8
const textOffset = 1 + nonceBytes + 8 + magic.length + 2

/** A ping of someone who is not connected; `random` has 16 bytes: a nonce, which comes back, and the name of a client. */
export function bedrockRequest(random: Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from([pingPacket]),
    random.subarray(0, nonceBytes),
    magic,
    random.subarray(nonceBytes, 2 * nonceBytes),
  ])
}

/** Whether a datagram answers this very ping. */
export function isBedrockReply(received: Uint8Array, sent: Uint8Array): boolean {
  if (received.length < textOffset || received[0] !== pongPacket) return false
  const nonce = sent.subarray(1, 1 + nonceBytes)
  const hasNonce = nonce.every((byte, index) => byte === received[1 + index])
  return hasNonce && magic.every((byte, index) => byte === received[1 + nonceBytes + 8 + index])
}

/** Reads what `isBedrockReply` let through. Throws GameReplyError. */
export function readBedrockReply(received: Uint8Array): GameStatus {
  const length = ((received[textOffset - 2] ?? 0) << 8) | (received[textOffset - 1] ?? 0)
  if (received.length < textOffset + length) throw new GameReplyError('sent a status that is cut off')
  const text = Buffer.from(received.subarray(textOffset, textOffset + length)).toString('utf8')
  const [edition, message, protocol, version, online, max] = text.split(';')
  if (edition === undefined || online === undefined) throw new GameReplyError('answered, but not as a game server does')
  return {
    version: version === undefined ? null : plainText(version),
    protocol: toNumber(protocol),
    playersOnline: toNumber(online),
    playersMax: toNumber(max),
    message: message === undefined ? null : plainText(message),
  }
}

function toNumber(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? wholeNumber(Number(text)) : null
}
