import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { type Certificate, chainPem } from './certificates.ts'
import { type RawServer, rawServer } from './raw-server.ts'

/** A packet of a client: its type, the flags beside it, and what follows the length. */
export type MqttPacket = { type: number; flags: number; body: Buffer }

export type MqttStandIn = RawServer & { heard: MqttPacket[] }

type Wish = {
  /** The bytes that answer a packet. */
  answer: (packet: MqttPacket) => Buffer
  /** TLS from the start, with this certificate. */
  certificate?: Certificate
}

/** A server that reads packets of MQTT and answers as it is told to. */
export async function mqttStandIn({ answer, certificate }: Wish): Promise<MqttStandIn> {
  const heard: MqttPacket[] = []
  const secureContext =
    certificate === undefined ? null : createSecureContext({ cert: chainPem(certificate), key: certificate.keyPem })
  const server = await rawServer((plain) => {
    const socket: Socket = secureContext === null ? plain : new TLSSocket(plain, { isServer: true, secureContext })
    socket.on('error', () => {})
    let rest: Buffer = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      for (let end = endOf(rest); end !== null; end = endOf(rest)) {
        const first = rest.readUInt8(0)
        const packet = { type: first >> 4, flags: first & 0x0f, body: rest.subarray(headBytes(rest), end) }
        rest = rest.subarray(end)
        heard.push(packet)
        socket.write(answer(packet))
      }
    })
  })
  return { ...server, heard }
}

/** Packets of tests have at most 16,383 bytes, and so a length of one or two bytes. */
function headBytes(bytes: Buffer): number {
  return (bytes[1] ?? 0) < 0x80 ? 2 : 3
}

function endOf(bytes: Buffer): number | null {
  const head = headBytes(bytes)
  if (bytes.length < head) return null
  const length = (bytes.readUInt8(1) & 0x7f) + (head === 3 ? bytes.readUInt8(2) * 128 : 0)
  return bytes.length < head + length ? null : head + length
}

/** A packet with a body of at most 127 bytes. */
export function mqttPacket(type: number, flags: number, ...body: readonly (string | readonly number[])[]): Buffer {
  const bytes = Buffer.concat(body.map((part) => Buffer.from(part)))
  return Buffer.concat([Buffer.from([(type << 4) | flags, bytes.length]), bytes])
}

const nothing = Buffer.alloc(0)

/** A message of 3.1.1 with a quality of service of 0. */
export function mqttMessage(topic: string, text: string): Buffer {
  return mqttPacket(3, 0, [0, topic.length], topic, text)
}

/** A server of 3.1.1 that lets anybody in, sends back what is published, and keeps `running` at `state`. */
export function goodMqtt({ type, flags, body }: MqttPacket): Buffer {
  const id = [...body.subarray(0, 2)]
  switch (type) {
    case 1:
      return mqttPacket(2, 0, [0, 0])
    case 3:
      return published(flags, body)
    case 8:
      return Buffer.concat([
        mqttPacket(9, 0, id, [0]),
        body.toString('utf8', 4).startsWith('state') ? mqttMessage('state', 'running') : nothing,
      ])
    case 10:
      return mqttPacket(11, 0, id)
    default:
      return nothing
  }
}

/** What comes back has a quality of service of 0; what was published with one of 1 is acknowledged. */
function published(flags: number, body: Buffer): Buffer {
  const isAcknowledged = (flags & 2) !== 0
  const idAt = 2 + body.readUInt16BE(0)
  const payloadAt = idAt + (isAcknowledged ? 2 : 0)
  const back = mqttPacket(3, 0, [...body.subarray(0, idAt)], [...body.subarray(payloadAt)])
  return isAcknowledged ? Buffer.concat([back, mqttPacket(4, 0, [...body.subarray(idAt, payloadAt)])]) : back
}
