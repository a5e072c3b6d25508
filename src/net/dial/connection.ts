import { connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { createPace, heldBytes, type Pace } from './pace.ts'

export type ConnectionEvents = {
  onConnect: () => void
  /** The bytes are only valid during the call: plain connections share one buffer. */
  onData: (bytes: Buffer) => void
  onEnd: () => void
  onError: (error: NodeJS.ErrnoException) => void
}

/**
 * A socket with one callback for each event. The code that uses it next gives its own to `attend` before the next turn
 * of the event loop: that is cheaper than adding and removing listeners, and no error is ever without a listener.
 */
export type Connection = {
  socket: Socket
  address: string
  /** As in `Opening`. */
  enter: (isConclusive?: true) => void
  pace: Pace
  /** Set by `attend` alone. */
  events: ConnectionEvents
}

export type Opening = {
  address: string
  port: number
  /**
   * The buffer into which a plain connection reads; null when a TLS layer will take it over. See `createReadBuffer`.
   */
  readBuffer: Buffer | null
  /** Called before each `onData`, and when TLS is agreed on: what the peer sent is about to be worked on. */
  enter?: (isConclusive?: true) => void
}

export function openConnection({ address, port, readBuffer, enter = ignore }: Opening): Connection {
  const target = { host: address, port, readableHighWaterMark: heldBytes }
  if (readBuffer === null) return listen(connect(target), { address, enter })
  const callback = (length: number): boolean => {
    take(connection, readBuffer.subarray(0, length))
    return true
  }
  const socket = connect({ ...target, onread: { buffer: readBuffer, callback } })
  const connection = listen(socket, { address, enter })
  return connection
}

/** Wraps the TLS layer over a connection, from its handshake on. */
export function wrapConnection(socket: TLSSocket, plain: Connection): Connection {
  const connection = listen(socket, plain)
  socket.on('data', (bytes: Buffer) => take(connection, bytes))
  return connection
}

/**
 * Reads what the server says before a TLS layer takes over a connection that was opened without a buffer. The returned
 * function stops the reading.
 */
export function readUnbuffered(connection: Connection): () => void {
  const onData = (bytes: Buffer): void => take(connection, bytes)
  connection.socket.on('data', onData)
  return () => connection.socket.off('data', onData)
}

/**
 * Replaces all callbacks; events that none is given for are ignored. They come as a literal, because V8 puts a function
 * that is assigned to a property where only a full collection frees it, along with all that it refers to.
 */
export function attend(connection: Connection, events: Partial<ConnectionEvents>): void {
  connection.events = { ...ignored, ...events }
}

const ignored: ConnectionEvents = { onConnect: ignore, onData: ignore, onEnd: ignore, onError: ignore }

/** Drops the callbacks: until other code sets new ones, events of the socket are ignored. */
export function release(connection: Connection): void {
  connection.events = ignored
  connection.pace.end()
}

/** Closes at once, without waiting for the peer. */
export function discard(connection: Connection): void {
  release(connection)
  connection.socket.destroy()
}

const lingerMs = 50

/** Ends with FIN instead of RST, which keeps the peer's logs clean, and does not wait for bytes that still come. */
export function closeGently(connection: Connection): void {
  const { socket } = connection
  release(connection)
  socket.end()
  const timer = setTimeout(() => discard(connection), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

/**
 * One buffer serves every plain connection of a thread, which saves allocating 64 KiB for each read. libuv on Linux and
 * macOS reads and reports in one go, so the buffer is free again when `onData` returns.
 */
export function createReadBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(64 * 1024)
}

function take(connection: Connection, bytes: Buffer): void {
  connection.enter()
  connection.pace.read(bytes.length)
  connection.events.onData(bytes)
}

function listen(socket: Socket, { address, enter }: Pick<Connection, 'address' | 'enter'>): Connection {
  const connection: Connection = {
    socket,
    address,
    enter,
    pace: createPace(socket),
    events: ignored,
  }
  socket.on('connect', () => connection.events.onConnect())
  socket.on('end', () => connection.events.onEnd())
  socket.on('error', (error) => connection.events.onError(error))
  return connection
}

function ignore(): void {}
