import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'

export type BrokenServer = { name: string; behave: (socket: Socket) => void }

/**
 * Behaviours that a client must bear from any server: silence, drip, floods, random bytes, cut connections, long lines.
 */
export const brokenServers: readonly BrokenServer[] = [
  { name: 'silent', behave: () => {} },
  { name: 'closing at once', behave: (socket) => void socket.end() },
  { name: 'resetting', behave: (socket) => void socket.resetAndDestroy() },
  { name: 'dripping', behave: (socket) => drip(socket, 'x') },
  { name: 'dripping empty lines', behave: (socket) => drip(socket, '\r\n') },
  { name: 'an endless line', behave: (socket) => flood(socket, () => Buffer.alloc(65_536, 'x')) },
  { name: 'endless lines', behave: (socket) => flood(socket, () => Buffer.alloc(65_536, 'no\r\n')) },
  { name: 'endless empty lines', behave: (socket) => flood(socket, () => Buffer.alloc(65_536, '\n')) },
  { name: 'random bytes', behave: (socket) => flood(socket, () => randomBytes(65_536)) },
  { name: 'a few random bytes', behave: (socket) => void socket.end(Buffer.concat([Buffer.of(1), randomBytes(99)])) },
  { name: 'half a line', behave: (socket) => void socket.end('2') },
]

function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 10)
  socket.once('close', () => clearInterval(timer))
}

function flood(socket: Socket, piece: () => Buffer): void {
  const more = (): void => void (socket.writable && socket.write(piece(), more))
  more()
}
