import type { Socket } from 'node:net'
import { rawServer } from './raw-server.ts'
import { type UdpServer, udpServer } from './udp-server.ts'

/** Reads and writes the protocols as their public descriptions have them, apart from the code that is tested. */
export type Handshake = { protocol: number; host: string; port: number; nextState: number }

export type JavaServer = { port: number; handshakes: Handshake[]; connections: () => number }

/** A server of the java edition that answers a question for its status as told. */
export async function javaServer(answer: (socket: Socket) => void, host = '127.0.0.1'): Promise<JavaServer> {
  const handshakes: Handshake[] = []
  const { port, connections } = await rawServer((socket) => {
    let received = Buffer.alloc(0)
    socket.on('data', (piece) => {
      received = Buffer.concat([received, piece])
      const handshake = readFrame(received)
      const question = handshake === null ? null : readFrame(handshake.rest)
      if (handshake === null || question === null) return
      handshakes.push(readHandshake(handshake.body))
      if (question.body.equals(Buffer.from([0])) && question.rest.length === 0) answer(socket)
      else socket.destroy()
    })
  }, host)
  return { port, handshakes, connections }
}

/** The packet that carries a status. */
export function statusPacket(json: string): Buffer {
  const text = Buffer.from(json)
  const body = Buffer.concat([Buffer.from([0]), leb128(text.length), text])
  return Buffer.concat([leb128(body.length), body])
}

export const goodStatus = {
  version: { name: '1.20.4', protocol: 765 },
  players: { max: 20, online: 3, sample: [] },
  description: { text: 'A ', extra: [{ text: '§6fine' }, ' server'] },
}

export const bedrockFields = 'MCPE;A §6fine server;671;1.20.80;3;20;123456;World;Survival;1;19132;19133;'

/** A server of the bedrock edition that sends what it is told to in answer to a ping. */
export function bedrockServer(reply: (ping: Buffer) => Buffer | null): Promise<UdpServer> {
  return udpServer((ping, send) => {
    const bytes = ping.length === 33 && ping[0] === 1 ? reply(ping) : null
    if (bytes !== null) send(bytes)
  })
}

export function pong(ping: Buffer, fields: string): Buffer {
  const text = Buffer.from(fields)
  const head = Buffer.alloc(17)
  head[0] = 0x1c
  ping.copy(head, 1, 1, 9)
  head.writeBigUInt64BE(99n, 9)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([head, ping.subarray(9, 25), length, text])
}

function readFrame(bytes: Buffer): { body: Buffer; rest: Buffer } | null {
  const length = readLeb128(bytes, 0)
  if (length === null || bytes.length < length.end + length.value) return null
  const end = length.end + length.value
  return { body: bytes.subarray(length.end, end), rest: bytes.subarray(end) }
}

function readHandshake(body: Buffer): Handshake {
  const protocol = readLeb128(body, 1) ?? { value: 0, end: 1 }
  const name = readLeb128(body, protocol.end) ?? { value: 0, end: 1 }
  const end = name.end + name.value
  return {
    protocol: protocol.value | 0,
    host: body.toString('utf8', name.end, end),
    port: body.readUInt16BE(end),
    nextState: body[end + 2] ?? -1,
  }
}

function readLeb128(bytes: Buffer, start: number): { value: number; end: number } | null {
  let value = 0
  for (let index = start; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    value |= (byte & 127) << (7 * (index - start))
    if ((byte & 128) === 0) return { value, end: index + 1 }
  }
  return null
}

function leb128(value: number): Buffer {
  return value < 128 ? Buffer.from([value]) : Buffer.concat([Buffer.from([(value & 127) | 128]), leb128(value >>> 7)])
}
