import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { type Certificate, chainPem } from './certificates.ts'
import { type RawServer, rawServer } from './raw-server.ts'

export type Said = { type: string; body: Buffer }

type Wish = {
  /** The bytes that answer a message; null for none. The first message has the type `startup`. */
  answer: (said: Said) => Buffer | null
  /** Offers TLS with this certificate. */
  certificate?: Certificate
}

export type PostgresqlStandIn = RawServer & { heard: Said[] }

const tlsCode = 80_877_103

/** A server that reads messages of PostgreSQL's protocol and answers as it is told to. */
export async function postgresqlStandIn({ answer, certificate }: Wish): Promise<PostgresqlStandIn> {
  const heard: Said[] = []
  const secureContext =
    certificate === undefined ? null : createSecureContext({ cert: chainPem(certificate), key: certificate.keyPem })

  function talk(socket: Socket, offered: SecureContext | null): void {
    let rest: Buffer = Buffer.alloc(0)
    let hasStarted = false
    const onData = (bytes: Buffer): void => {
      rest = Buffer.concat([rest, bytes])
      for (let read = readMessage(rest, hasStarted); read !== null; read = readMessage(rest, hasStarted)) {
        rest = read.rest
        if (read.said.type === 'startup' && read.said.body.readInt32BE(0) === tlsCode) {
          socket.write(offered === null ? 'N' : 'S')
          if (offered === null) continue
          socket.removeListener('data', onData)
          const layer = new TLSSocket(socket, { isServer: true, secureContext: offered })
          layer.on('error', () => {})
          return talk(layer, null)
        }
        hasStarted = true
        heard.push(read.said)
        const answered = answer(read.said)
        if (answered !== null) socket.write(answered)
      }
    }
    socket.on('data', onData)
  }
  const server = await rawServer((socket) => talk(socket, secureContext))
  return { ...server, heard }
}

function readMessage(bytes: Buffer, hasStarted: boolean): { said: Said; rest: Buffer } | null {
  const at = hasStarted ? 1 : 0
  if (bytes.length < at + 4) return null
  const end = at + bytes.readInt32BE(at)
  if (bytes.length < end) return null
  const type = hasStarted ? bytes.toString('latin1', 0, 1) : 'startup'
  return { said: { type, body: bytes.subarray(at + 4, end) }, rest: bytes.subarray(end) }
}

/** A message of a server: a letter, and what it holds. */
export function pgMessage(type: string, ...parts: readonly (Buffer | string | number)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'number' ? int32(part) : Buffer.from(part))))
  return Buffer.concat([Buffer.from(type), int32(content.length + 4), content])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

export function pgError(code: string, message: string): Buffer {
  return pgMessage('E', `SFATAL\0C${code}\0M${message}\0\0`)
}

export const pgReady: Buffer = pgMessage('Z', 'I')

/** A row of one column; null for NULL. */
export function pgRow(value: string | null): Buffer {
  const column = value === null ? [-1] : [Buffer.byteLength(value), value]
  return pgMessage('D', Buffer.from([0, 1]), ...column)
}

/** What follows where a user is let in. */
export function pgWelcome(version = '15.14'): Buffer {
  return Buffer.concat([
    pgMessage('R', 0),
    pgMessage('S', `server_version\0${version}\0`),
    pgMessage('S', 'in_hot_standby\0off\0'),
    pgMessage('K', 1, 2),
    pgReady,
  ])
}

/** A server that wants a password by MD5, takes any, and answers each query with one row. */
export function goodPostgresql({ type, body }: Said): Buffer | null {
  if (type === 'startup') return pgMessage('R', 5, 'salt')
  if (type === 'p') return pgWelcome()
  if (type === 'Q') return pgAnswer(body.toString().startsWith('SELECT pg_is') ? 'f' : '1')
  return type === 'S' ? pgAnswer('ok') : null
}

export function pgAnswer(value: string | null): Buffer {
  return Buffer.concat([pgMessage('T', Buffer.from([0, 0])), pgRow(value), pgMessage('C', 'SELECT 1\0'), pgReady])
}
