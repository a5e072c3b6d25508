import { endless, type Oversized } from './oversized-databases.ts'
import type { Checked } from './robust-check.ts'

const websocket = (port: number): Checked => ({ url: `ws://127.0.0.1:${port}` })
const mqtt = (port: number): Checked => ({ url: `mqtt://127.0.0.1:${port}`, options: { watched_topic: 'state' } })
const rabbitmq = (port: number): Checked => ({ url: `amqp://127.0.0.1:${port}` })
const grpc = (port: number): Checked => ({ url: `grpc://127.0.0.1:${port}` })
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])

export const oversizedSockets: readonly Oversized[] = [
  {
    name: 'a status',
    kind: 'websocket',
    behaviour: endless('HTTP/1.1 101 ', 'x'),
    check: websocket,
    status: 'down',
    text: /sent more than 256 KiB where the answer to the handshake/,
  },
  {
    name: 'headers',
    kind: 'websocket',
    behaviour: endless('HTTP/1.1 101 a\r\n', 'a: b\r\n'),
    check: websocket,
    status: 'down',
    text: /more than 200 lines/,
  },
  {
    name: 'hints',
    kind: 'websocket',
    behaviour: endless('', 'HTTP/1.1 103 a\r\n\r\n'),
    check: websocket,
    status: 'down',
    text: /more than 200 lines/,
  },
  {
    name: 'an answer of 256 MiB',
    kind: 'mqtt',
    behaviour: endless(Buffer.from([0x20, 0xff, 0xff, 0xff, 0x7f]), 'x'),
    check: mqtt,
    status: 'down',
    text: /sent more than 256 KiB where the answer to the sign-in/,
  },
  {
    name: 'a subscription without an end',
    kind: 'mqtt',
    behaviour: endless(Buffer.from([0x20, 2, 0, 0]), Buffer.from([0x90, 3, 0, 3, 0])),
    check: mqtt,
    status: 'down',
    text: /sent more than 256 KiB where a message of the watched topic/,
  },
  {
    name: 'a frame of 4 GiB',
    kind: 'rabbitmq',
    behaviour: endless(Buffer.from([1, 0, 0, 0xff, 0xff, 0xff, 0xff]), 'x'),
    check: rabbitmq,
    status: 'down',
    text: /sends a frame of 4294967295 bytes: at most 131072 are read/,
  },
  {
    name: 'heartbeats without an end',
    kind: 'rabbitmq',
    behaviour: endless('', Buffer.from([8, 0, 0, 0, 0, 0, 0, 0xce])),
    check: rabbitmq,
    status: 'down',
    text: /sent more than 256 KiB where the greeting/,
  },
  {
    name: 'pings without an end',
    kind: 'grpc',
    behaviour: endless(settings, Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])),
    check: grpc,
    status: 'down',
    // On a busy machine answers to the pings leave late, and HTTP/2 of Node gives up when a thousand of them wait.
    text: /sent more than 64 KiB where the answer|Flooding was detected/,
  },
  {
    name: 'headers without an end',
    kind: 'grpc',
    behaviour: endless(
      Buffer.concat([settings, Buffer.from([0, 0, 1, 1, 0, 0, 0, 0, 1, 0x88])]),
      Buffer.from([0, 0, 3, 9, 0, 0, 0, 0, 1, 0, 0, 0]),
    ),
    check: grpc,
    status: 'down',
    text: /HTTP\/2|more than 64 KiB/,
  },
]
