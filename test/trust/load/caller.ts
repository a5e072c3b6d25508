// Asks one surface of a service in a process of its own, over connections that are kept, as often as it is told. Run:
// caller.ts, which then gets its order as a message and answers with its tally.
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setPriority } from 'node:os'
import { percentile } from '../../../bench/support/figures.ts'
import { pause } from '../../support/pause.ts'
import { nameOf } from './names.ts'

export type Asked = { method: 'GET' | 'POST' | 'PATCH'; url: string }

export type Calling = {
  asked: readonly Asked[]
  headers: Readonly<Record<string, string>>
  /** Requests have a body with a name of their own: `written 7`, counted for each address. */
  isWriting: boolean
  connections: number
  /** Null: as fast as answers come. */
  perSecond: number | null
  seconds: number
  deadlineMs: number
}

export type Tally = {
  asked: number
  /** Answers by status. */
  statuses: Record<string, number>
  /** Answers 429 and 503 without `Retry-After`. */
  withoutRetry: number
  /** Requests without an answer: the deadline has passed, or the connection broke. */
  late: number
  broken: number
  seconds: number
  /** Milliseconds of answers 2xx. */
  p50: number
  p99: number
  /** For each address: how often it was answered 2xx, the last number that was, and the last that is not known. */
  known: { taken: number; last: number; unknown: number; lastUnknown: number }[]
}

/** Callers are other machines in life: what they compute takes nothing from the service where it can be helped. */
const politeness = 10

setPriority(politeness)
process.once('message', (calling: Calling) => void call(calling).then((tally) => process.send?.(tally)))
process.on('disconnect', () => process.exit())

async function call(calling: Calling): Promise<Tally> {
  const { asked, connections, seconds } = calling
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const tally: Tally = {
    asked: 0,
    statuses: {},
    withoutRetry: 0,
    late: 0,
    broken: 0,
    seconds,
    p50: 0,
    p99: 0,
    known: asked.map(() => ({ taken: 0, last: 0, unknown: 0, lastUnknown: 0 })),
  }
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: connections }, (_, connection) =>
      callOver({ connection, agent, calling, tally, latenciesMs }),
    ),
  )
  agent.destroy()
  tally.seconds = (performance.now() - startedAt) / 1000
  tally.p50 = percentile(latenciesMs, 0.5)
  tally.p99 = percentile(latenciesMs, 0.99)
  return tally
}

type Lane = { connection: number; agent: Agent; calling: Calling; tally: Tally; latenciesMs: number[] }

/** Each address belongs to one connection, so that its calls follow one another. */
async function callOver({ connection, agent, calling, tally, latenciesMs }: Lane): Promise<void> {
  const { asked, connections, perSecond, seconds, deadlineMs } = calling
  const everyMs = perSecond === null ? 0 : (connections * 1000) / perSecond
  const beganMs = performance.now()
  const endMs = beganMs + seconds * 1000
  const own = asked.map((_, index) => index).filter((index) => index % connections === connection)
  let nextMs = beganMs + (everyMs * connection) / connections
  for (let turn = 0; performance.now() < endMs && own.length > 0; turn += 1) {
    const waitMs = nextMs - performance.now()
    if (waitMs > 0) await pause(waitMs)
    // What could not be asked in its time is not asked at once later.
    nextMs = Math.max(nextMs + everyMs, performance.now() - everyMs)
    const index = own[turn % own.length] ?? 0
    const known = tally.known[index]
    const one = asked[index]
    if (known === undefined || one === undefined) return
    const number = turn + 1
    const sentMs = performance.now()
    tally.asked += 1
    try {
      const answer = await ask(one, { agent, calling, number })
      note(tally, answer)
      if (answer.status < 300) {
        latenciesMs.push(performance.now() - sentMs)
        known.taken += 1
        known.last = number
      }
    } catch {
      if (performance.now() - sentMs >= deadlineMs) tally.late += 1
      else tally.broken += 1
      known.unknown += 1
      known.lastUnknown = number
    }
  }
}

type Answer = { status: number; retryAfter: string | undefined }

function note(tally: Tally, { status, retryAfter }: Answer): void {
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
  if ((status === 429 || status === 503) && !(Number(retryAfter) > 0)) tally.withoutRetry += 1
}

type Sending = { agent: Agent; calling: Calling; number: number }

async function ask({ method, url }: Asked, { agent, calling, number }: Sending): Promise<Answer> {
  const body = calling.isWriting ? JSON.stringify({ name: nameOf(number) }) : null
  const headers = { ...calling.headers, ...(body === null ? {} : { 'content-type': 'application/json' }) }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = request(url, { method, agent, headers, signal: AbortSignal.timeout(calling.deadlineMs) }, resolve)
  sent.once('error', reject)
  sent.end(body ?? undefined)
  const answer = await promise
  answer.resume()
  await once(answer, 'end')
  return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }
}
