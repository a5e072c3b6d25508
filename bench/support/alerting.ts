// Targets that fail when they are told to, and receivers of alerts, for benches of alerts.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { z } from 'zod'
import type { Service } from './service.ts'

/** A server whose monitor number n checks `url/n`. */
export type FailingTarget = {
  url: string
  /** When the first failing answer to each monitor had left, by its number; milliseconds of `performance.now()`. */
  failedAt: Map<number, number>
  /** From now on every monitor fails that was up twice before, so that failures spread as the checks do. */
  allowFailures: () => void
  recover: () => void
  close: () => Promise<void>
}

const checksBeforeFailure = 2

export async function startFailingTarget(): Promise<FailingTarget> {
  const checks = new Map<number, number>()
  const failedAt = new Map<number, number>()
  let mayFail = false
  const server = createServer((asked, response) => {
    const index = Number(asked.url?.slice(1))
    const count = (checks.get(index) ?? 0) + 1
    checks.set(index, count)
    const fails = mayFail && count > checksBeforeFailure
    response.writeHead(fails ? 500 : 200, { connection: 'close' })
    response.end(() => {
      if (fails && !failedAt.has(index)) failedAt.set(index, performance.now())
    })
  })
  return {
    url: await listen(server),
    failedAt,
    allowFailures: () => (mayFail = true),
    recover: () => (mayFail = false),
    close: () => close(server),
  }
}

/** What came, with the time of its arrival. */
export type Arrival = { path: string; body: string; at: number }

export type AlertReceiver = {
  url: string
  arrivals: Arrival[]
  close: () => Promise<void>
}

/** `hangs` takes every request and answers none; else `answer` says what the other side would, 204 by default. */
export async function startAlertReceiver({
  hangs = false,
  answer = () => null,
}: { hangs?: boolean; answer?: (arrival: Arrival) => object | null } = {}): Promise<AlertReceiver> {
  const arrivals: Arrival[] = []
  const server = createServer((asked, response) => {
    const pieces: Buffer[] = []
    asked.on('data', (piece: Buffer) => pieces.push(piece))
    asked.on('end', () => {
      const arrival = { path: asked.url ?? '', body: Buffer.concat(pieces).toString('utf8'), at: performance.now() }
      arrivals.push(arrival)
      if (hangs) return
      const said = answer(arrival)
      if (said === null) response.writeHead(204).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said))
    })
  })
  return { url: await listen(server), arrivals, close: () => close(server) }
}

const identified = z.looseObject({ data: z.looseObject({ id: z.string() }) })

/** Gives the id of what was made. */
export async function create(
  { url, token }: Pick<Service, 'url' | 'token'>,
  path: string,
  body: object,
): Promise<string> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== 201) throw new Error(`${path} was refused: ${text}`)
  return identified.parse(JSON.parse(text)).data.id
}

export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1', 1024)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A server without a port.')
  return `http://127.0.0.1:${address.port}`
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
