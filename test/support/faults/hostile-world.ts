// A thread of web servers that are hostile to who checks them; it tells their ports.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { portOf } from '../raw-server.ts'

export const hostileWays = ['hangs', 'drips', 'sends huge headers', 'sends slowly', 'sends a large JSON'] as const
export type HostileWay = (typeof hostileWays)[number]
export type HostilePorts = Record<HostileWay, number>

/** Eight times as often as a thread lets itself be made to look at what one peer sends. */
const dripMs = 3
const slowMs = 250
/** Far more than a check accepts. */
const hugeBytes = 1024 * 1024
/** Nearly as much as a check looks at, in as many parts as fit. */
const largeJson = JSON.stringify(Array.from({ length: 90_000 }, (_, index) => ({ a: { '.': index } })))

const behaviours: Record<HostileWay, (socket: Socket) => void> = {
  hangs: () => {},
  drips: (socket) => {
    socket.setNoDelay(true)
    socket.write('HTTP/1.1 200 OK\r\nx: ')
    every(socket, dripMs, () => 'x')
  },
  'sends huge headers': (socket) =>
    void socket.end(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(hugeBytes / 6)}content-length: 0\r\n\r\n`),
  'sends slowly': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n')
    every(socket, slowMs, () => 'slowly '.repeat(100))
  },
  'sends a large JSON': (socket) => void socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${largeJson}`),
}

function every(socket: Socket, ms: number, piece: () => string): void {
  const timer = setInterval(() => {
    if (socket.writable) socket.write(piece())
  }, ms)
  socket.once('close', () => clearInterval(timer))
}

async function listen(behave: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => behave(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return portOf(server)
}

if (parentPort !== null) {
  const ports: HostilePorts = {
    hangs: await listen(behaviours.hangs),
    drips: await listen(behaviours.drips),
    'sends huge headers': await listen(behaviours['sends huge headers']),
    'sends slowly': await listen(behaviours['sends slowly']),
    'sends a large JSON': await listen(behaviours['sends a large JSON']),
  }
  parentPort.postMessage(ports)
}
