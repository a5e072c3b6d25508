import { attend } from '#net/dial/connection.ts'
import {
  type Exchange,
  type Exchanged,
  failReading,
  type Reading,
  readAnswer,
  reads,
  takeHead,
  takePiece,
} from './answer-reading.ts'
import { createResponseParser, feed, finish, type ResponseParser } from './http-parser.ts'

/** An exchange by HTTP/1.1. */
export function exchangeOnce(exchange: Exchange, signal: AbortSignal): Promise<Exchanged> {
  return readAnswer(exchange, signal, (reading) => {
    const { connection, message } = exchange
    const parser = createResponseParser(message.method, {
      onHead: (head) => {
        const { statusLine } = parser
        return takeHead(reading, head, { version: statusLine.startsWith('HTTP/1.0') ? '1.0' : '1.1', statusLine })
      },
      onBody: (piece) => takePiece(reading, piece),
    })
    listen({ reading, parser, wireBytes: 0 })
    send(exchange)
    const { socket } = connection
    return { pause: () => socket.pause(), resume: () => socket.resume(), close: ignore }
  })
}

type Feeding = { reading: Reading; parser: ResponseParser; wireBytes: number }

function listen(feeding: Feeding): void {
  const { reading, parser } = feeding
  attend(reading.exchange.connection, {
    onData: (bytes) => reads(reading, () => read(feeding, bytes)),
    onEnd: () =>
      reads(reading, () => {
        finish(parser)
        reading.sink?.end(false)
      }),
    onError: (error) => failReading(reading, error),
  })
}

function send({ connection: { socket }, head, message: { body } }: Exchange): void {
  if (body === null) {
    socket.write(head, 'latin1')
    return
  }
  socket.cork()
  socket.write(head, 'latin1')
  socket.write(body, 'utf8')
  socket.uncork()
}

/** Counted for each chunk beside its bytes, so that a server that sends single bytes cannot cost seconds of CPU. */
const chunkBytes = 64

function read(feeding: Feeding, bytes: Buffer): void {
  const { reading, parser } = feeding
  feeding.wireBytes += bytes.length
  if (feed(parser, bytes)) reading.sink?.end(false)
  else if (feeding.wireBytes + parser.chunks * chunkBytes > reading.exchange.request.maxWireBytes)
    reading.sink?.end(true)
}

function ignore(): void {}
