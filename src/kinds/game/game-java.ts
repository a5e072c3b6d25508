import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { GameReplyError, type GameStatus, plainText, wholeNumber } from './game-status.ts'

const statusPacket = 0
/** "Whichever you speak": a question about the status belongs to no version. */
const anyProtocol = -1
const nextStateStatus = 1
export const maxReplyBytes = 1024 * 1024
const maxVarIntBytes = 5

/** A handshake that asks for the status, and the question itself. Host and port are those the player would type. */
export function javaStatusRequest(host: string, port: number): Uint8Array {
  const name = Buffer.from(host)
  const handshake = [varInt(statusPacket), varInt(anyProtocol), varInt(name.length), name]
  const end = [Buffer.from([port >> 8, port & 0xff]), varInt(nextStateStatus)]
  return Buffer.concat([framed([...handshake, ...end]), framed([varInt(statusPacket)])])
}

/**
 * The status in the beginning of what a server sent; null while it is incomplete. Throws GameReplyError as soon as it
 * cannot become one.
 */
export function readJavaReply(received: Uint8Array): GameStatus | null {
  const frame = readVarInt(received, 0)
  if (frame === null) return null
  if (frame.value < 3 || frame.value > maxReplyBytes) throw notAGameServer()
  const packet = readVarInt(received, frame.end)
  if (packet === null) return null
  if (packet.value !== statusPacket) throw notAGameServer()
  const text = readVarInt(received, packet.end)
  if (text === null) return null
  if (text.end + text.value > frame.end + frame.value) throw notAGameServer()
  if (received.length < text.end + text.value) return null
  return toStatus(parseJson(Buffer.from(received.subarray(text.end, text.end + text.value)).toString('utf8')))
}

function notAGameServer(): GameReplyError {
  return new GameReplyError('answered, but not as a game server does')
}

type VarInt = { value: number; end: number }

/** Seven bits a byte, the lowest first; null when bytes are missing. Values above 2^31 come out as too large. */
function readVarInt(bytes: Uint8Array, start: number): VarInt | null {
  let value = 0
  for (let index = 0; index < maxVarIntBytes; index += 1) {
    const byte = bytes[start + index]
    if (byte === undefined) return null
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return { value, end: start + index + 1 }
  }
  throw notAGameServer()
}

function varInt(value: number): Buffer {
  const bytes: number[] = []
  let rest = value >>> 0
  do {
    bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
    rest >>>= 7
  } while (rest > 0)
  return Buffer.from(bytes)
}

function framed(parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([varInt(body.length), body])
}

function parseJson(text: string): unknown {
  const read = parseBoundedJson(text)
  if (read.type === 'value') return read.value
  throw new GameReplyError(
    read.type === 'invalid' ? 'sent a status that is not JSON' : 'sent a status with too many parts to be read',
  )
}

function toStatus(json: unknown): GameStatus {
  if (!isRecord(json)) throw new GameReplyError('sent a status that is no JSON object')
  const { version, players, description } = json
  const name = isRecord(version) ? version['name'] : null
  return {
    version: typeof name === 'string' ? plainText(name) : null,
    protocol: isRecord(version) ? wholeNumber(version['protocol']) : null,
    playersOnline: isRecord(players) ? wholeNumber(players['online']) : null,
    playersMax: isRecord(players) ? wholeNumber(players['max']) : null,
    message: description === undefined ? null : plainText(flatten(description)),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maxPieces = 200

/** A message is a text, or pieces of text with style, nested as deep as the server likes; read without recursion. */
function flatten(description: unknown): string {
  const waiting = [description]
  let text = ''
  for (let pieces = 0; pieces < maxPieces && waiting.length > 0; pieces += 1) {
    const piece = waiting.pop()
    if (typeof piece === 'string') text += piece.slice(0, 1000)
    else if (Array.isArray(piece)) waiting.push(...piece.slice(0, maxPieces).toReversed())
    else if (isRecord(piece)) waiting.push(piece['extra'], piece['text'])
  }
  return text
}
