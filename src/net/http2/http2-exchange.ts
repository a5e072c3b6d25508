import type { Parts } from '#net/dial/reach.ts'
import { talk, type TalkRequest } from '#net/tcp/talk.ts'
import type { Http2Answer, Http2Outcome, Http2Request } from './http2-request.ts'
import { openHttp2 } from './http2-session.ts'

const frameHeadBytes = 9
const settingsType = 4
const awaited = 'the answer'

/** Sends the request and reads the answer with its trailers. All that the server sends counts against `maxBytes`. */
export async function exchangeHttp2(parts: Parts, request: Http2Request, signal: AbortSignal): Promise<Http2Outcome> {
  const { isTls, host, port, tls, timeoutMs, maxBytes } = request
  const answer: Http2Answer = { status: null, headers: {}, body: Buffer.alloc(0), trailers: {} }
  const speak: TalkRequest['speak'] = async (peer) => {
    const session = openHttp2(request, answer, (bytes) => peer.send(bytes))
    try {
      // A server begins with its settings (RFC 9113 3.4); another protocol begins otherwise.
      const head = await peer.take(frameHeadBytes, awaited)
      if (head[3] !== settingsType) throw peer.fault(`The server does not speak HTTP/2: it begins with ${shown(head)}`)
      session.receive(head)
      await peer.relay({ onBytes: session.receive, onEnd: session.end, over: session.over }, awaited)
      const problem = session.problem()
      if (problem !== null) throw peer.fault(problem)
    } finally {
      session.close()
    }
  }
  const security = isTls ? 'tls' : 'none'
  const agreed = isTls ? { protocol: 'h2' } : {}
  const outcome = await talk(parts, { host, port, security, tls, ...agreed, maxBytes, timeoutMs, speak }, signal)
  return { outcome, answer }
}

function shown(head: Buffer): string {
  return JSON.stringify(
    head
      .toString('latin1')
      .replaceAll(/[^ -~]/g, '?')
      .trim(),
  )
}
