import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { acceptFor } from '#kinds/websocket/websocket-handshake.ts'
import { type Certificate, chainPem } from './certificates.ts'
import { type RawServer, rawServer } from './raw-server.ts'

/** What a client sent: its frames without their masks. */
export type ClientFrame = { opcode: number; isMasked: boolean; payload: Buffer }
export type WebsocketStandIn = RawServer & { heads: string[]; heard: ClientFrame[] }

type Wish = {
  /** Answers the handshake; null for no answer. */
  open?: (head: string) => string | null
  /** The bytes that follow the answer at once. */
  greet?: Buffer
  /** The bytes that answer a frame; null for none. */
  answer?: (frame: ClientFrame) => Buffer | null
  /** TLS from the start, with this certificate. */
  certificate?: Certificate
}

/** A server that reads the handshake and the frames of RFC 6455, and answers as it is told to. */
export async function websocketStandIn({
  open = acceptHandshake,
  greet,
  answer = goodWebsocket,
  certificate,
}: Wish = {}): Promise<WebsocketStandIn> {
  const heads: string[] = []
  const heard: ClientFrame[] = []
  const secureContext =
    certificate === undefined ? null : createSecureContext({ cert: chainPem(certificate), key: certificate.keyPem })
  const server = await rawServer((plain) => {
    const socket: Socket = secureContext === null ? plain : new TLSSocket(plain, { isServer: true, secureContext })
    socket.on('error', () => {})
    let isOpen = false
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      const end = rest.indexOf('\r\n\r\n')
      if (!isOpen && end === -1) return
      if (!isOpen) {
        const head = rest.toString('latin1', 0, end)
        rest = rest.subarray(end + 4)
        isOpen = true
        heads.push(head)
        const opened = open(head)
        if (opened !== null) socket.write(Buffer.concat([Buffer.from(opened, 'latin1'), greet ?? Buffer.alloc(0)]))
      }
      for (let read = readClientFrame(rest); read !== null; read = readClientFrame(rest)) {
        rest = read.rest
        heard.push(read.frame)
        const answered = answer(read.frame)
        if (answered !== null) socket.write(answered)
      }
    })
  })
  return { ...server, heads, heard }
}

/** The first frame; null while it is not whole. Frames of a check have less than 64 KiB. */
function readClientFrame(bytes: Buffer): { frame: ClientFrame; rest: Buffer } | null {
  const [first = 0, second = 0] = bytes
  const isLong = (second & 0x7f) === 126
  const start = isLong ? 8 : 6
  if (bytes.length < start) return null
  const length = isLong ? bytes.readUInt16BE(2) : second & 0x7f
  if (bytes.length < start + length) return null
  const mask = bytes.subarray(start - 4, start)
  const payload = Buffer.from(bytes.subarray(start, start + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)))
  const frame = { opcode: first & 0x0f, isMasked: (second & 0x80) !== 0, payload }
  return { frame, rest: bytes.subarray(start + length) }
}

export function keyOf(head: string): string {
  return /^sec-websocket-key: (.*)$/im.exec(head)?.[1] ?? ''
}

/** As a good server does; `changes` replace or add headers, and null leaves one out. */
export function acceptHandshake(head: string, changes: Readonly<Record<string, string | null>> = {}): string {
  const headers: Record<string, string | null> = {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Accept': acceptFor(keyOf(head)),
    ...changes,
  }
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** A frame of a server, which is not masked. */
export function serverFrame(opcode: number, payload: string | Buffer, isFinal = true): Buffer {
  const bytes = Buffer.from(payload)
  const first = (isFinal ? 0x80 : 0) | opcode
  if (bytes.length < 126) return Buffer.concat([Buffer.from([first, bytes.length]), bytes])
  if (bytes.length < 65_536)
    return Buffer.concat([Buffer.from([first, 126, bytes.length >> 8, bytes.length & 0xff]), bytes])
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(bytes.length))
  return Buffer.concat([Buffer.from([first, 127]), length, bytes])
}

/** Answers a ping by its pong, a text by the same text after an `echo: `, and a goodbye by its like. */
export function goodWebsocket({ opcode, payload }: ClientFrame): Buffer | null {
  if (opcode === 9) return serverFrame(10, payload)
  if (opcode === 1) return serverFrame(1, `echo: ${payload.toString()}`)
  return opcode === 8 ? serverFrame(8, payload) : null
}
