// Messages of PostgreSQL's frontend/backend protocol 3.0 (PostgreSQL documentation, "Message Formats").
import type { Peer } from '#net/tcp/talk.ts'

export const notPostgresql = 'Not a PostgreSQL server: it answers otherwise'

/** What a server may send to a client of our sort. */
const knownTypes: ReadonlySet<string> = new Set('12CDEGHIKNRSTWZnstv')

/** PostgreSQL sends a gigabyte in one message at most. */
const largest = 0x40000000

export type PostgresqlMessage = { type: string; body: Buffer }

const versionThree = 196_608
const tlsCode = 80_877_103

export const tlsRequest: Buffer = framed('', int32(tlsCode))
export const goodbye: Buffer = framed('X', Buffer.alloc(0))

export function startup(parameters: Readonly<Record<string, string>>): Buffer {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [terminated(name), terminated(value)])
  return framed('', Buffer.concat([int32(versionThree), ...pairs, Buffer.alloc(1)]))
}

export function passwordMessage(content: Buffer): Buffer {
  return framed('p', content)
}

/** The mechanism by name, and the first message of the client. */
export function saslInitial(mechanism: string, first: string): Buffer {
  return passwordMessage(Buffer.concat([terminated(mechanism), int32(Buffer.byteLength(first)), Buffer.from(first)]))
}

export function simpleQuery(text: string): Buffer {
  return framed('Q', terminated(text))
}

/** One statement, of which at most one row is sent: parsed, bound without parameters, executed. */
export function singleStatement(text: string): Buffer {
  const parse = framed('P', Buffer.concat([terminated(''), terminated(text), int16(0)]))
  const bind = framed('B', Buffer.concat([terminated(''), terminated(''), int16(0), int16(0), int16(0)]))
  const execute = framed('E', Buffer.concat([terminated(''), int32(1)]))
  return Buffer.concat([parse, bind, execute, framed('S', Buffer.alloc(0))])
}

export async function takeMessage(peer: Peer, awaited: string): Promise<PostgresqlMessage> {
  const head = await peer.take(5, awaited)
  const type = head.toString('latin1', 0, 1)
  const length = head.readInt32BE(1)
  if (!knownTypes.has(type) || length < 4 || length > largest) throw peer.fault(notPostgresql)
  return { type, body: await peer.take(length - 4, awaited) }
}

/** The fields of an error or a notice, by their letters. */
export function readFields(body: Buffer): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const field of textsOf(body)) if (field !== '') fields.set(field.slice(0, 1), field.slice(1))
  return fields
}

/** Texts that end with a zero byte. */
export function textsOf(body: Buffer): string[] {
  return body.toString('utf8').split('\0').slice(0, -1)
}

/** The first column of a row: null for NULL. Undefined where the row cannot be read. */
export function firstColumn(body: Buffer): string | null | undefined {
  if (body.length < 6 || body.readInt16BE(0) < 1) return undefined
  const length = body.readInt32BE(2)
  if (length === -1) return null
  return length < 0 || 6 + length > body.length ? undefined : body.toString('utf8', 6, 6 + length)
}

function framed(type: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(content.length + 4), content])
}

function terminated(text: string): Buffer {
  return Buffer.from(`${text}\0`)
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
