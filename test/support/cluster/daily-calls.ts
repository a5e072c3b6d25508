import { after } from 'node:test'
import { pause } from '../pause.ts'

export type Asked = { method?: string; path: string; headers: Readonly<Record<string, string>>; body?: unknown }
export type Answered = { status: number; body: string; headers: Headers }

const longestMs = 20_000

/** Asks as a load balancer does: another process where one is away or about to end. */
export function createBalancer(urls: readonly string[]): (asked: Asked) => Promise<Answered> {
  let turn = 0
  return async ({ method = 'GET', path, headers, body }) => {
    const until = performance.now() + longestMs
    for (;;) {
      turn += 1
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const answer = await fetch(`${urls[turn % urls.length]}${path}`, {
        method,
        headers: { Connection: 'close', ...type, ...headers },
        ...sent,
      }).catch(() => null)
      if (answer !== null && answer.status !== 503)
        return { status: answer.status, body: await answer.text(), headers: answer.headers }
      if (performance.now() > until) return { status: answer?.status ?? 0, body: 'no answer', headers: new Headers() }
      await pause(50)
    }
  }
}

export type Calls = {
  /** Ends them; returns how often each was made. */
  stop: () => Promise<Readonly<Record<string, number>>>
  failures: readonly string[]
}

export type Call = { everyMs: number; make: (times: number) => Promise<Answered> }

/** Makes each call again and again, and remembers every answer that is none of success. Stops with the test. */
export function startCalls(calls: Readonly<Record<string, Call>>): Calls {
  const ending = new AbortController()
  const failures: string[] = []
  const counts: Record<string, number> = {}
  const repeat = async (name: string, { everyMs, make }: Call): Promise<void> => {
    for (let times = 1; !ending.signal.aborted; times += 1) {
      const { status, body } = await make(times)
      if (status < 200 || status > 299) failures.push(`${name}: ${status} ${body.slice(0, 300)}`)
      counts[name] = times
      await pause(everyMs, ending.signal)
    }
  }
  after(() => ending.abort())
  const done = Promise.all(Object.entries(calls).map(([name, call]) => repeat(name, call)))
  return {
    failures,
    stop: async () => {
      ending.abort()
      await done
      return counts
    },
  }
}
