import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { longText, methodFrame, methods, number, shortText, table } from '#kinds/broker/amqp-frames.ts'
import { type Certificate, chainPem } from './certificates.ts'
import { type RawServer, rawServer } from './raw-server.ts'

/** What a client says: its protocol header, a method, or the head of a message. */
export type AmqpSaid = { id: number | 'header' | 'message'; body: Buffer }

export type RabbitmqStandIn = RawServer & { heard: AmqpSaid[] }

type Wish = {
  /** The bytes that answer what was said. */
  answer: (said: AmqpSaid) => Buffer
  /** TLS from the start, with this certificate. */
  certificate?: Certificate
}

const headerBytes = 8
const headBytes = 7

/** A server that reads AMQP 0-9-1 and answers as it is told to. */
export async function rabbitmqStandIn({ answer, certificate }: Wish): Promise<RabbitmqStandIn> {
  const heard: AmqpSaid[] = []
  const secureContext =
    certificate === undefined ? null : createSecureContext({ cert: chainPem(certificate), key: certificate.keyPem })
  const server = await rawServer((plain) => {
    const socket: Socket = secureContext === null ? plain : new TLSSocket(plain, { isServer: true, secureContext })
    socket.on('error', () => {})
    let isGreeted = false
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      for (let end = endOf(rest, isGreeted); end <= rest.length; end = endOf(rest, isGreeted)) {
        const said = isGreeted
          ? readFrame(rest.subarray(0, end))
          : { id: 'header' as const, body: rest.subarray(0, end) }
        isGreeted = true
        rest = rest.subarray(end)
        heard.push(said)
        socket.write(answer(said))
      }
    })
  })
  return { ...server, heard }
}

function endOf(bytes: Buffer, isGreeted: boolean): number {
  if (!isGreeted) return headerBytes
  return bytes.length < headBytes ? Infinity : headBytes + bytes.readUInt32BE(3) + 1
}

function readFrame(frame: Buffer): AmqpSaid {
  const body = frame.subarray(headBytes, -1)
  return frame[0] === 1 ? { id: body.readUInt32BE(0), body: body.subarray(4) } : { id: 'message', body }
}

const nothing = Buffer.alloc(0)

export const serverProperties = {
  product: 'RabbitMQ',
  version: '4.1.0',
  cluster_name: 'rabbit@one',
  capabilities: { 'connection.blocked': true },
} as const

export function startFrame(properties: Buffer = table(serverProperties), mechanisms = 'AMQPLAIN PLAIN'): Buffer {
  return methodFrame(0, methods.start, Buffer.from([0, 9]), properties, longText(mechanisms), longText('en_US'))
}

export function tuneFrame(maxFrameBytes = 131_072): Buffer {
  return methodFrame(0, methods.tune, number(2047, 2), number(maxFrameBytes, 4), number(60, 2))
}

export function queueFrame(messages: number, consumers: number): Buffer {
  return methodFrame(1, methods.queueDeclared, shortText('orders'), number(messages, 4), number(consumers, 4))
}

/** Of the connection, or of a channel. */
export function closeFrame(channel: 0 | 1, code: number, text: string): Buffer {
  const id = channel === 0 ? methods.close : methods.closeChannel
  return methodFrame(channel, id, number(code, 2), shortText(text), number(0, 2), number(0, 2))
}

const goodAnswers: ReadonlyMap<AmqpSaid['id'], Buffer> = new Map<AmqpSaid['id'], Buffer>([
  ['header', startFrame()],
  [methods.startOk, tuneFrame()],
  [methods.open, methodFrame(0, methods.openOk, shortText(''))],
  [methods.openChannel, methodFrame(1, methods.channelOpened, longText(''))],
  [methods.declareQueue, queueFrame(3, 2)],
  [methods.close, methodFrame(0, methods.closeOk)],
])

/** A server that lets anybody in, and whose every queue has 3 messages and 2 consumers. */
export function goodRabbitmq({ id }: AmqpSaid): Buffer {
  return goodAnswers.get(id) ?? nothing
}
