import { createHash } from 'node:crypto'
import { httpServer } from '../http-server.ts'

export type FlippingTarget = {
  url: string
  /** Requests that came, by path without query. */
  requests: ReadonlyMap<string, number>
  /** Makes half of the paths answer from now on, and the other half fail. */
  settle: () => void
}

const waveMs = 9_000
const requestsAlike = 2

/**
 * A server whose paths work and fail by turns: `/turns/…` after every second request, all others by the clock, so that
 * every location sees the same. A failure is a 500 on most paths and a broken connection on the rest.
 */
export async function startFlippingTarget(): Promise<FlippingTarget> {
  const requests = new Map<string, number>()
  let isSettled = false
  const { port } = await httpServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const number = requests.get(path) ?? 0
    requests.set(path, number + 1)
    const seed = seedOf(path)
    if (!isDown(path, { number, seed, isSettled })) response.end('well')
    else if (seed % 5 === 0) request.socket.destroy()
    else response.writeHead(500).end()
  })
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    settle: () => {
      isSettled = true
    },
  }
}

type Moment = { number: number; seed: number; isSettled: boolean }

function isDown(path: string, { number, seed, isSettled }: Moment): boolean {
  if (isSettled) return seed % 2 === 1
  const turn = path.startsWith('/turns/') ? number / requestsAlike : (Date.now() + seed) / waveMs
  return Math.floor(turn) % 2 === 1
}

function seedOf(path: string): number {
  return createHash('sha256').update(path).digest().readUInt16BE()
}
