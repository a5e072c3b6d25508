import { once } from 'node:events'
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { after } from 'node:test'
import { type Certificate, chainPem } from './certificates.ts'
import { portOf } from './raw-server.ts'

export type Call = { headers: IncomingHttpHeaders; body: Buffer }
export type GrpcStandIn = { port: number; calls: Call[] }
type Answer = (stream: ServerHttp2Stream, call: Call) => void

/** A server of HTTP/2 that answers each call as it is told to; closed after the file. */
export async function grpcStandIn(answer: Answer = serving, certificate?: Certificate): Promise<GrpcStandIn> {
  const server: Http2Server =
    certificate === undefined
      ? createServer()
      : createSecureServer({ cert: chainPem(certificate), key: certificate.keyPem })
  const calls: Call[] = []
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session)
    session.on('error', () => {})
    session.on('close', () => sessions.delete(session))
  })
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {})
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('end', () => {
      const call = { headers, body: Buffer.concat(pieces) }
      calls.push(call)
      answer(stream, call)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  return { port: portOf(server), calls }
}

/** A message of gRPC with its prefix. */
export function grpcMessage(message: readonly number[]): Buffer {
  return Buffer.from([0, 0, 0, 0, message.length, ...message])
}

/** Answers with a message, and ends the call with a status. */
export function answering(message: Buffer, status = '0', trailers: Readonly<Record<string, string>> = {}): Answer {
  return (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status, ...trailers }))
    stream.end(message)
  }
}

/** Ends the call in the headers, without a message. */
export function refusing(status: string, message?: string): Answer {
  return (stream) => {
    const said = message === undefined ? {} : { 'grpc-message': message }
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status, ...said },
      { endStream: true },
    )
  }
}

/** A service in good health. */
export function serving(...given: Parameters<Answer>): void {
  answering(grpcMessage([8, 1]))(...given)
}
