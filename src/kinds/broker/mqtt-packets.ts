// Packets of MQTT 3.1.1 and 5 (OASIS standards, "MQTT Version 3.1.1" and "MQTT Version 5.0").
import type { Peer } from '#net/tcp/talk.ts'

export type MqttVersion = '3.1.1' | '5'

/** Types of packets (MQTT 5, 2.1.2). */
export const packetTypes = {
  connect: 1,
  connack: 2,
  publish: 3,
  puback: 4,
  subscribe: 8,
  suback: 9,
  unsubscribe: 10,
  unsuback: 11,
  disconnect: 14,
} as const

export const notMqtt = 'Not an MQTT server: it answers otherwise'

/** `flags` are the lower four bits of the first byte; of `length` bytes, the body is not yet read. */
export type MqttHead = { type: number; flags: number; length: number }

/** Of another protocol the first bytes would mostly be a type that no server sends, or a length without an end. */
export async function takeHead(peer: Peer, awaited: string): Promise<MqttHead> {
  const first = (await peer.take(1, awaited)).readUInt8(0)
  let length = 0
  for (let place = 0; place < 4; place++) {
    const byte = (await peer.take(1, awaited)).readUInt8(0)
    length += (byte & 0x7f) * 128 ** place
    if (byte < 0x80) return { type: first >> 4, flags: first & 0x0f, length }
  }
  throw peer.fault(notMqtt)
}

type Packet = { type: number; flags?: number; body: readonly Uint8Array[] }

function packet({ type, flags = 0, body }: Packet): Buffer {
  const length = body.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([Buffer.from([(type << 4) | flags]), lengthOf(length), ...body])
}

/** A number in groups of seven bits, the lowest first (MQTT 5, 1.5.5). */
function lengthOf(number: number): Buffer {
  const bytes: number[] = []
  let rest = number
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>>= 7
  } while (rest > 0)
  return Buffer.from(bytes)
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([word(bytes.length), bytes])
}

function word(number: number): Buffer {
  return Buffer.from([number >> 8, number & 0xff])
}

/** What a packet of MQTT 5 has before its payload, and one of 3.1.1 has not. */
function noProperties(version: MqttVersion): Buffer {
  return Buffer.from(version === '5' ? [0] : [])
}

type Client = {
  clientId: string
  username?: string | undefined
  password?: string | undefined
  keepAliveSeconds: number
}

/** Begins a session that holds nothing of an earlier one, and ends with the connection. */
export function connectPacket(version: MqttVersion, client: Client): Buffer {
  const { clientId, username, password, keepAliveSeconds } = client
  const cleanStart = 0x02
  const flags = cleanStart | (username === undefined ? 0 : 0x80) | (password === undefined ? 0 : 0x40)
  return packet({
    type: packetTypes.connect,
    body: [
      withLength('MQTT'),
      Buffer.from([version === '5' ? 5 : 4, flags]),
      word(keepAliveSeconds),
      noProperties(version),
      withLength(clientId),
      ...[username, password].flatMap((text) => (text === undefined ? [] : [withLength(text)])),
    ],
  })
}

export function subscribePacket(
  version: MqttVersion,
  { id, topic, qos }: { id: number; topic: string; qos: number },
): Buffer {
  const body = [word(id), noProperties(version), withLength(topic), Buffer.from([qos])]
  return packet({ type: packetTypes.subscribe, flags: 2, body })
}

export function unsubscribePacket(version: MqttVersion, { id, topic }: { id: number; topic: string }): Buffer {
  return packet({ type: packetTypes.unsubscribe, flags: 2, body: [word(id), noProperties(version), withLength(topic)] })
}

/** With a quality of service of 0, `id` is not sent. */
export type Publication = { id: number; topic: string; qos: number; payload: Buffer }

export function publishPacket(version: MqttVersion, { id, topic, qos, payload }: Publication): Buffer {
  const body = [withLength(topic), qos === 0 ? Buffer.alloc(0) : word(id), noProperties(version), payload]
  return packet({ type: packetTypes.publish, flags: qos << 1, body })
}

/** In MQTT 5, what is left out of it means success. */
export function pubackPacket(id: number): Buffer {
  return packet({ type: packetTypes.puback, body: [word(id)] })
}

export function disconnectPacket(): Buffer {
  return packet({ type: packetTypes.disconnect, body: [] })
}

/** Null for what is no PUBLISH with a quality of service of 0 or 1. */
export function readPublication(version: MqttVersion, flags: number, body: Buffer): Publication | null {
  const qos = (flags >> 1) & 3
  if (qos > 1 || body.length < 2) return null
  const idAt = 2 + body.readUInt16BE(0)
  const idEnd = idAt + 2 * qos
  if (body.length < idEnd) return null
  const payloadAt = version === '5' ? propertiesEnd(body, idEnd) : idEnd
  if (payloadAt === null) return null
  return {
    id: qos === 0 ? 0 : body.readUInt16BE(idAt),
    topic: body.toString('utf8', 2, idAt),
    qos,
    payload: body.subarray(payloadAt),
  }
}

/** The codes of a SUBACK, each of one byte; null for what is none. */
export function readCodes(version: MqttVersion, body: Buffer): Buffer | null {
  const at = version === '5' ? propertiesEnd(body, 2) : 2
  return at === null ? null : body.subarray(at)
}

/** Where the properties end that begin there (MQTT 5, 2.2.2); null where they are not whole. */
function propertiesEnd(body: Buffer, start: number): number | null {
  let length = 0
  for (let place = 0; place < 4; place++) {
    const byte = body[start + place]
    if (byte === undefined) return null
    length += (byte & 0x7f) * 128 ** place
    const end = start + place + 1 + length
    if (byte < 0x80) return end > body.length ? null : end
  }
  return null
}
