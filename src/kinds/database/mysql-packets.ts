// Packets of MySQL's client/server protocol (MySQL Source Code Documentation, "Client/Server Protocol"; MariaDB
// documentation, "Clients & Utilities, Server Client Protocol").
import type { Peer } from '#net/tcp/talk.ts'

export const notMysql = 'Not a MySQL or MariaDB server: it answers otherwise'

/** Capabilities of client and server, of which none lets the server ask for files or run several statements at once. */
export const capabilities = {
  longPassword: 0x1,
  withDatabase: 0x8,
  protocol41: 0x200,
  tls: 0x800,
  transactions: 0x2000,
  secureConnection: 0x8000,
  pluginAuthentication: 0x80000,
} as const

const maxPacketBytes = 0xffffff
const utf8mb4 = 45

/** `order` is the place of the packet in its exchange, modulo 256. */
export type MysqlPacket = { order: number; body: Buffer }

export function mysqlPacket({ order, body }: MysqlPacket): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head.writeUInt8(order, 3)
  return Buffer.concat([head, body])
}

/** Of another protocol the first bytes would be a wrong place, or a length that no packet here has. */
export async function takePacket(peer: Peer, order: number, awaited: string): Promise<Buffer> {
  const head = await peer.take(4, awaited)
  const length = head.readUIntLE(0, 3)
  if (head.readUInt8(3) !== order || length === 0 || length === maxPacketBytes) throw peer.fault(notMysql)
  return peer.take(length, awaited)
}

export type MysqlGreeting = { version: string; capabilities: number; salt: Buffer; plugin: string }

/** Null for what is no greeting of protocol 10. */
export function readGreeting(body: Buffer): MysqlGreeting | null {
  const end = body.indexOf(0, 1)
  // The number of the connection, 8 bytes of salt, a zero, capabilities, charset, status, and what 4.1 added.
  const at = end + 1
  if (body[0] !== 10 || end === -1 || body.length < at + 31 + 12) return null
  const salt = Buffer.concat([body.subarray(at + 4, at + 12), body.subarray(at + 31, at + 43)])
  const named = body.toString('latin1', at + 44).split('\0', 1)[0] ?? ''
  return {
    version: body.toString('utf8', 1, end),
    capabilities: body.readUInt16LE(at + 13) + body.readUInt16LE(at + 18) * 0x10000,
    salt,
    plugin: named,
  }
}

/** What asks for TLS, and with which everything else about the client begins. */
export function clientHead(capability: number): Buffer {
  const head = Buffer.alloc(32)
  head.writeUInt32LE(capability, 0)
  head.writeUInt32LE(maxPacketBytes, 4)
  head.writeUInt8(utf8mb4, 8)
  return head
}

export type MysqlClient = { username: string; scramble: Buffer; database: string | null; plugin: string }

/** `scramble` has at most 255 bytes. */
export function clientResponse(capability: number, { username, scramble, database, plugin }: MysqlClient): Buffer {
  return Buffer.concat([
    clientHead(capability),
    terminated(username),
    Buffer.from([scramble.length]),
    scramble,
    ...(database === null ? [] : [terminated(database)]),
    terminated(plugin),
  ])
}

export type MysqlError = { code: number; message: string }

/** Null for a packet that is no error. */
export function readMysqlError(body: Buffer): MysqlError | null {
  if (body[0] !== 0xff || body.length < 3) return null
  return { code: body.readUInt16LE(1), message: body.toString('utf8', 3).replace(/^#.{5}/s, '') }
}

export function isEnd(body: Buffer): boolean {
  return body[0] === 0xfe && body.length < 9
}

/** A number as the protocol writes lengths, and where it ends; null where none stands there. */
export function readLength(body: Buffer, at = 0): { value: number; end: number } | null {
  const first = body[at]
  if (first === undefined || first === 0xfb || first === 0xff) return null
  if (first < 0xfb) return { value: first, end: at + 1 }
  const bytes = first === 0xfc ? 2 : first === 0xfd ? 3 : 6
  const end = at + 1 + (first === 0xfe ? 8 : bytes)
  return end > body.length ? null : { value: body.readUIntLE(at + 1, bytes), end }
}

/** The first column of a row of text: null for NULL. Undefined where the row cannot be read. */
export function firstText(body: Buffer): string | null | undefined {
  if (body[0] === 0xfb) return null
  const length = readLength(body)
  if (length === null || length.end + length.value > body.length) return undefined
  return body.toString('utf8', length.end, length.end + length.value)
}

export function terminated(text: string): Buffer {
  return Buffer.from(`${text}\0`)
}
