// A webhook's receiving end: remembers what came and answers as it is told.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http'
import { after } from 'node:test'
import { z } from 'zod'
import { verifySigned } from './signed-message.ts'
import { until } from './until.ts'

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string; at: number }
/** Null leaves the request unanswered; `afterMs` makes it wait. */
export type Reaction = { status: number; headers?: Record<string, string>; body?: string; afterMs?: number } | null

export type Receiver = {
  url: string
  received: Received[]
  /** Sets the answer to the next requests; the default is 204. */
  react: (reaction: (received: Received, count: number) => Reaction) => void
  /** Breaks every connection, answered or not. */
  hangUp: () => void
  close: () => Promise<void>
}

const accept = (): Reaction => ({ status: 204 })

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let reaction: (received: Received, count: number) => Reaction = accept
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces).toString('utf8'),
        at: performance.now(),
      }
      received.push(one)
      respond(response, reaction(one, received.length))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.')
  const close = async (): Promise<void> => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  after(close)
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    react: (next) => {
      reaction = next
    },
    hangUp: () => server.closeAllConnections(),
    close,
  }
}

function respond(response: ServerResponse, reaction: Reaction): void {
  if (reaction === null) return
  const { status, headers, body, afterMs = 0 } = reaction
  const answer = (): void => void response.writeHead(status, headers).end(body)
  if (afterMs === 0) answer()
  else setTimeout(answer, afterMs).unref()
}

/** The secrets with which a receiver can verify that the message is ours. */
export function verifiers(message: Received | undefined, secrets: readonly string[]): string[] {
  if (message === undefined) return []
  return secrets.filter((secret) => {
    try {
      verifySigned(secret, message)
      return true
    } catch {
      return false
    }
  })
}

const patienceMs = 30_000
const toldSchema = z.looseObject({ timestamp: z.iso.datetime() })

/** Waits for the only message and returns its body, whose `timestamp` says when the event was. */
export async function onlyTold({ received }: Receiver, secret: string): Promise<z.infer<typeof toldSchema>> {
  await until('the webhook', async () => received.length === 1, patienceMs)
  const [message] = received
  return toldSchema.parse(verifySigned(secret, message ?? assert.fail()))
}
