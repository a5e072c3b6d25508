// Frames and methods of AMQP 0-9-1 ("AMQP, Advanced Message Queuing Protocol, Version 0-9-1").
import type { Peer } from '#net/tcp/talk.ts'

/** 4.2.2. */
export const protocolHeader = Buffer.from('AMQP\0\0\u0009\u0001')

export const notAmqp = 'Not an AMQP server: it answers otherwise'

/** The class and the method, which stand first in a frame of a method. */
export const methods = {
  start: 0x000a_000a,
  startOk: 0x000a_000b,
  secure: 0x000a_0014,
  tune: 0x000a_001e,
  tuneOk: 0x000a_001f,
  open: 0x000a_0028,
  openOk: 0x000a_0029,
  close: 0x000a_0032,
  closeOk: 0x000a_0033,
  blocked: 0x000a_003c,
  unblocked: 0x000a_003d,
  openChannel: 0x0014_000a,
  channelOpened: 0x0014_000b,
  closeChannel: 0x0014_0028,
  declareQueue: 0x0032_000a,
  queueDeclared: 0x0032_000b,
  publish: 0x003c_0028,
} as const

const frameTypes = { method: 1, header: 2, body: 3, heartbeat: 8 } as const
const knownTypes: ReadonlySet<number> = new Set(Object.values(frameTypes))
const headBytes = 7
/** 4.2.3: ends each frame. */
const frameEnd = 0xce
/** The largest frame that is read, in bytes with its head and its end. */
export const maxFrameBytes = 131_072

export type AmqpMethod = { id: number; body: Buffer }

/** The next method; heartbeats are passed over. */
export async function takeMethod(peer: Peer, awaited: string): Promise<AmqpMethod> {
  for (;;) {
    const head = await peer.take(headBytes, awaited)
    if (head.toString('latin1', 0, 4) === 'AMQP') throw peer.fault(otherProtocol(head, await peer.take(1, awaited)))
    const type = head.readUInt8(0)
    if (!knownTypes.has(type)) throw peer.fault(notAmqp)
    const length = head.readUInt32BE(3)
    if (headBytes + length + 1 > maxFrameBytes)
      throw peer.fault(`The server sends a frame of ${length} bytes: at most ${maxFrameBytes} are read`)
    const body = await peer.take(length, awaited)
    if ((await peer.take(1, awaited)).readUInt8(0) !== frameEnd) throw peer.fault(notAmqp)
    if (type === frameTypes.heartbeat) continue
    if (type !== frameTypes.method || length < 4) throw peer.fault(notAmqp)
    return { id: body.readUInt32BE(0), body: body.subarray(4) }
  }
}

/** A server that does not speak this version says which one it speaks, in a header of its own. */
function otherProtocol(head: Buffer, last: Buffer): string {
  const version = [...head.subarray(5), ...last].join('.')
  return version === '0.9.1' ? notAmqp : `The server speaks AMQP ${version}, not 0.9.1`
}

export function methodFrame(channel: number, id: number, ...body: readonly Uint8Array[]): Buffer {
  return frame(frameTypes.method, channel, [number(id, 4), ...body])
}

/** 4.2.6.1: of a message without properties and without a body. */
export function emptyMessage(channel: number): Buffer {
  return frame(frameTypes.header, channel, [number(60, 2), Buffer.alloc(12)])
}

function frame(type: number, channel: number, parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([number(type, 1), number(channel, 2), number(body.length, 4), body, number(frameEnd, 1)])
}

export function number(value: number, bytes: 1 | 2 | 4): Buffer {
  const written = Buffer.alloc(bytes)
  written.writeUIntBE(value, 0, bytes)
  return written
}

/** Of at most 255 bytes. */
export function shortText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([number(bytes.length, 1), bytes])
}

export function longText(text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([number(bytes.length, 4), bytes])
}

export type FieldValue = string | true | { [name: string]: FieldValue }

/** 4.2.5.5: texts, switches that are on, and tables of them. */
export function table(fields: Readonly<Record<string, FieldValue>>): Buffer {
  return longText(
    Buffer.concat(Object.entries(fields).flatMap(([name, value]) => [shortText(name), fieldValue(value)])),
  )
}

function fieldValue(value: FieldValue): Buffer {
  if (value === true) return Buffer.from('t\u0001')
  return Buffer.concat(
    typeof value === 'string' ? [Buffer.from('S'), longText(value)] : [Buffer.from('F'), table(value)],
  )
}
