import { Readable } from 'node:stream'
import type { Connection, PoolClient } from 'pg'

/** Rows are handed on in pieces of about this size, however short each is. */
const pieceBytes = 64 * 1024
/** A message of the protocol begins with its kind and the length of the rest (PostgreSQL 54.7). */
const headBytes = 5

/**
 * What `copy … to stdout` sends, read no faster than it is taken. A stream that is destroyed before its end closes its
 * connection, because the server would go on sending.
 */
export function copyOut(client: PoolClient, statement: string): Readable {
  let connection: Connection | undefined
  let isOver = false
  let gathered: Buffer[] = []
  let gatheredBytes = 0
  const out = new Readable({
    read: () => void connection?.stream.resume(),
    destroy: (error, done) => {
      if (!isOver) connection?.stream.destroy()
      done(error)
    },
  })
  const handOn = (): void => {
    const piece = Buffer.concat(gathered)
    gathered = []
    gatheredBytes = 0
    if (!out.push(piece)) connection?.stream.pause()
  }
  client.query({
    submit: (used: Connection) => {
      connection = used
      used.query(statement)
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      // The bytes lie in a buffer that the connection fills anew.
      gathered.push(Buffer.from(chunk))
      gatheredBytes += chunk.length
      if (gatheredBytes >= pieceBytes) handOn()
    },
    handleCommandComplete: () => {
      if (gatheredBytes > 0) handOn()
    },
    handleReadyForQuery: () => {
      isOver = true
      out.push(null)
    },
    handleError: (error: Error) => void out.destroy(error),
  })
  return out
}

/** Fills a table by `copy … from stdin`. Resolves when the server has taken everything. */
export function copyIn(client: PoolClient, statement: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  return new Promise((resolve, reject) => {
    let broken: Error | null = null
    client.query({
      submit: (connection: Connection) => connection.query(statement),
      handleCopyInResponse: ({ stream }: Connection) => {
        sendPieces(stream, pieces, () => broken !== null).catch((error: unknown) => {
          broken ??= error instanceof Error ? error : new Error('The source of the rows failed.', { cause: error })
          stream.write(message('f', Buffer.from('The source of the rows broke off.\0')))
        })
      },
      handleCommandComplete: () => {},
      handleReadyForQuery: resolve,
      // Why the rows broke off says more than the server's answer that they did.
      handleError: (error: Error) => reject((broken ??= error)),
    })
  })
}

async function sendPieces(
  stream: Connection['stream'],
  pieces: AsyncIterable<Buffer>,
  isBroken: () => boolean,
): Promise<void> {
  for await (const piece of pieces) {
    if (isBroken()) return
    if (!stream.write(message('d', piece))) await drained(stream)
  }
  stream.write(message('c', Buffer.alloc(0)))
}

/** A connection that breaks meanwhile fails its statement, for which the caller waits. */
function drained(stream: Connection['stream']): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}

function message(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head.write(kind, 'latin1')
  head.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}
