import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { after } from 'node:test'
import { portOf } from './raw-server.ts'

/**
 * At which write of a program, trials of checks apart, something happens to it: `before` the service gets it, or `after` the service has
 * answered, whose answer is lost. `cutsOnly`: the program lives on.
 */
export type KillAt = { request: number; moment: 'before' | 'after'; cutsOnly?: boolean }

/**
 * Stands between a program and the service on loopback. `aim` says how the program that runs from then on is killed, at
 * the next of the moments, each of which comes once.
 */
export async function killingProxy(
  port: number,
  moments: readonly KillAt[],
): Promise<{ port: number; aim: (kill: () => void) => void }> {
  const left = [...moments]
  let count = 0
  let kill: (() => void) | null = null
  const server = createServer((incoming, outgoing) => {
    const isWrite = incoming.method !== 'GET' && incoming.url?.endsWith('/try') !== true
    if (isWrite) count += 1
    const [next] = left
    const isDue = isWrite && next?.request === count
    if (isDue) left.shift()
    const strike = (): void => {
      if (next?.cutsOnly !== true) kill?.()
      outgoing.destroy()
    }
    if (isDue && next?.moment === 'before') strike()
    else forward(port, { incoming, outgoing, strike: isDue ? strike : null })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    port: portOf(server),
    aim: (next) => {
      count = 0
      kill = next
    },
  }
}

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse; strike: (() => void) | null }

function forward(port: number, { incoming, outgoing, strike }: Exchange): void {
  const { method, url: path, headers } = incoming
  const onward = send({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    if (strike !== null) {
      answer.resume().once('end', strike)
      return
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  onward.once('error', () => outgoing.destroy())
  incoming.pipe(onward)
}
