import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { type Certificate, chainPem } from './certificates.ts'
import { type RawServer, rawServer } from './raw-server.ts'

type Wish = {
  greeting?: Buffer
  /** What the packets hold that answer a client's packet; the first one is its sign-in. None: no answer. */
  answer: (body: Buffer, isSignIn: boolean) => readonly Buffer[]
  /** Begins TLS where the client asks for it. */
  certificate?: Certificate
}

export type MysqlStandIn = RawServer & { heard: Buffer[] }

const tlsFlag = 0x800

/** A server that greets, reads packets and answers as it is told to. */
export async function mysqlStandIn({ greeting = mysqlGreeting(), answer, certificate }: Wish): Promise<MysqlStandIn> {
  const heard: Buffer[] = []
  const secureContext =
    certificate === undefined ? null : createSecureContext({ cert: chainPem(certificate), key: certificate.keyPem })

  function talk(socket: Socket, isFirst: boolean): void {
    let rest: Buffer = Buffer.alloc(0)
    let isSignIn = true
    const onData = (bytes: Buffer): void => {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= 4 && rest.length >= 4 + rest.readUIntLE(0, 3)) {
        const order = rest.readUInt8(3)
        const body = rest.subarray(4, 4 + rest.readUIntLE(0, 3))
        rest = rest.subarray(4 + body.length)
        if (isFirst && secureContext !== null && body.length === 32 && (body.readUInt32LE(0) & tlsFlag) !== 0) {
          socket.removeListener('data', onData)
          // The client does not wait for an answer before it begins TLS.
          socket.pause()
          socket.unshift(rest)
          const layer = new TLSSocket(socket, { isServer: true, secureContext })
          layer.on('error', () => {})
          return talk(layer, false)
        }
        heard.push(body)
        socket.write(packets(answer(body, isSignIn), order + 1))
        isSignIn = false
      }
    }
    socket.on('data', onData)
  }
  const server = await rawServer((socket) => {
    socket.write(packets([greeting], 0))
    talk(socket, true)
  })
  return { ...server, heard }
}

function packets(bodies: readonly Buffer[], first: number): Buffer {
  return Buffer.concat(
    bodies.flatMap((body, index) => {
      const head = Buffer.alloc(4)
      head.writeUIntLE(body.length, 0, 3)
      head.writeUInt8((first + index) % 256, 3)
      return [head, body]
    }),
  )
}

export const mysqlSalt: Buffer = Buffer.from('abcdefghijklmnopqrst')

export function mysqlGreeting({
  version = '8.4.3',
  plugin = 'caching_sha2_password',
  hasTls = true,
}: { version?: string; plugin?: string; hasTls?: boolean } = {}): Buffer {
  return Buffer.concat([
    Buffer.from(`\n${version}\0`),
    Buffer.from([1, 0, 0, 0]),
    mysqlSalt.subarray(0, 8),
    Buffer.from([0, 0x00, hasTls ? 0x8a : 0x82, 45, 2, 0, 0x08, 0, 21, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    mysqlSalt.subarray(8),
    Buffer.from(`\0${plugin}\0`),
  ])
}

export const mysqlOk: Buffer = Buffer.from([0, 0, 0, 2, 0, 0, 0])
export const mysqlEnd: Buffer = Buffer.from([0xfe, 0, 0, 2, 0])
/** `caching_sha2_password` knows the password, or wants all of it. */
export const mysqlKnown: Buffer = Buffer.from([1, 3])
export const mysqlWanted: Buffer = Buffer.from([1, 4])

export function mysqlError(code: number, message: string): Buffer {
  return Buffer.concat([Buffer.from([0xff, code % 256, Math.floor(code / 256)]), Buffer.from(`#HY000${message}`)])
}

export function mysqlChange(plugin: string): Buffer {
  return Buffer.concat([Buffer.from(`\u00fe${plugin}\0`, 'latin1'), mysqlSalt, Buffer.alloc(1)])
}

/** One column, and its rows; null for NULL. */
export function mysqlRows(...values: readonly (string | null)[]): Buffer[] {
  const rows = values.map((value) =>
    value === null ? Buffer.from([0xfb]) : Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)]),
  )
  return [Buffer.from([1]), Buffer.from('a column'), mysqlEnd, ...rows, mysqlEnd]
}

/** A server that knows every password, and answers each query with one row. */
export function goodMysql(body: Buffer, isSignIn: boolean): readonly Buffer[] {
  if (isSignIn) return [mysqlKnown, mysqlOk]
  const text = body.toString('utf8', 1)
  if (body[0] !== 3) return []
  if (text.startsWith('SET') || text.startsWith('START')) return [mysqlOk]
  return mysqlRows(text === 'SELECT 1' ? '1' : 'ok')
}
