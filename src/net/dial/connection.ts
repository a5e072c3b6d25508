import { connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/**
 * A socket with one place for each thing that can happen to it. Whoever uses it next sets the places, before the next
 * turn of the event loop; that is cheaper than adding and removing listeners, and no error is ever without a listener.
 */
export type Connection = {
  socket: Socket
  address: string
  onConnect: () => void
  /** The bytes are only valid during the call: plain connections share one buffer. */
  onData: (bytes: Buffer) => void
  onEnd: () => void
  onError: (error: NodeJS.ErrnoException) => void
}

export type Opening = {
  address: string
  port: number
  /** Where a plain connection reads into; null when a TLS layer will take it over. See `createReadBuffer`. */
  readBuffer: Buffer | null
}

export function openConnection({ address, port, readBuffer }: Opening): Connection {
  const target = { host: address, port, family: address.includes(':') ? 6 : 4 }
  if (readBuffer === null) return listen(connect(target), address)
  const callback = (length: number): boolean => {
    connection.onData(readBuffer.subarray(0, length))
    return true
  }
  const connection = listen(connect({ ...target, onread: { buffer: readBuffer, callback } }), address)
  return connection
}

/** The TLS layer over a connection, from its handshake on. */
export function wrapConnection(socket: TLSSocket, address: string): Connection {
  const connection = listen(socket, address)
  socket.on('data', (bytes: Buffer) => connection.onData(bytes))
  return connection
}

/**
 * Reads a connection that was opened without a buffer, for what is said before a TLS layer takes it over. The result
 * stops it.
 */
export function readUnbuffered(connection: Connection): () => void {
  const onData = (bytes: Buffer): void => connection.onData(bytes)
  connection.socket.on('data', onData)
  return () => connection.socket.off('data', onData)
}

/** Empties the places: from now on, until someone else sets them, what the socket reports is nobody's business. */
export function release(connection: Connection): void {
  connection.onConnect = ignore
  connection.onData = ignore
  connection.onEnd = ignore
  connection.onError = ignore
}

/** Closes at once. */
export function discard(connection: Connection): void {
  release(connection)
  connection.socket.destroy()
}

const lingerMs = 50

/** A proper farewell (FIN, not RST) keeps the peer's logs clean; what then still comes is not waited for. */
export function closeGently(connection: Connection): void {
  const { socket } = connection
  release(connection)
  socket.end()
  const timer = setTimeout(() => discard(connection), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

/**
 * One buffer serves every plain connection of a thread: libuv on Linux and macOS reads and reports in one go, so it
 * is free again when `onData` returns. That saves allocating 64 KiB for each read.
 */
export function createReadBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(64 * 1024)
}

function listen(socket: Socket, address: string): Connection {
  const connection: Connection = {
    socket,
    address,
    onConnect: ignore,
    onData: ignore,
    onEnd: ignore,
    onError: ignore,
  }
  socket.on('connect', () => connection.onConnect())
  socket.on('end', () => connection.onEnd())
  socket.on('error', (error) => connection.onError(error))
  return connection
}

function ignore(): void {}
