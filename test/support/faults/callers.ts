// Jobs that call their monitors for as long as a test lasts.
import { after } from 'node:test'
import { z } from 'zod'
import { pause } from '../pause.ts'
import type { FaultyService } from './faulty-service.ts'

export type Callers = {
  /** Makes a monitor that waits for calls, and calls it from then on. */
  begin: (name: string, settings: object) => Promise<void>
  /** The job dies: it calls no more. */
  end: (name: string) => void
  /** The longest that a call waited for its answer since `forget`. */
  slowestMs: () => number
  forget: () => void
  /** How many calls were answered 200. */
  answered: () => number
  /** How many calls were answered 200 and are not stored. */
  lost: () => Promise<number>
}

type Job = { id: string; url: string; answered: number; ending: AbortController }

const everyMs = 2_000
const answerMs = 10_000
const storedMs = 15_000
const lookEveryMs = 250
/** The largest page of results. */
const maxResults = 500
const created = z.looseObject({ data: z.looseObject({ id: z.string() }), heartbeat_url: z.string() })
const results = z.looseObject({ data: z.array(z.unknown()) })

/** `service` says which service there is at the moment: one may follow another. */
export function startCallers(service: () => Pick<FaultyService, 'ask' | 'url'>): Callers {
  const jobs = new Map<string, Job>()
  let slowestMs = 0
  after(() => {
    for (const { ending } of jobs.values()) ending.abort()
  })

  async function callAgain(job: Job): Promise<void> {
    while (!job.ending.signal.aborted) {
      const beganMs = performance.now()
      // The service may say an address that is not the one at which this test reaches it.
      const url = new URL(new URL(job.url).pathname, service().url)
      if (await isTaken(url)) job.answered += 1
      slowestMs = Math.max(slowestMs, performance.now() - beganMs)
      await pause(everyMs, job.ending.signal)
    }
  }
  /** A call that is answered is stored, or lies at the broker and is stored soon. */
  async function lostOf({ id, answered }: Job): Promise<number> {
    const untilMs = performance.now() + storedMs
    for (;;) {
      const { data } = results.parse(await service().ask('GET', `/monitors/${id}/results?limit=${maxResults}`))
      const lost = Math.max(0, Math.min(answered, maxResults) - data.length)
      if (lost === 0 || performance.now() > untilMs) return lost
      await pause(lookEveryMs)
    }
  }

  return {
    begin: async (name, settings) => {
      const body = { name, kind: 'heartbeat', ...settings }
      const { data, heartbeat_url: url } = created.parse(await service().ask('POST', '/monitors', body))
      const job = { id: data.id, url, answered: 0, ending: new AbortController() }
      jobs.set(name, job)
      void callAgain(job)
    },
    end: (name) => jobs.get(name)?.ending.abort(),
    slowestMs: () => slowestMs,
    forget: () => {
      slowestMs = 0
    },
    answered: () => [...jobs.values()].reduce((sum, { answered }) => sum + answered, 0),
    lost: async () => {
      const lost = await Promise.all([...jobs.values()].map(lostOf))
      return lost.reduce((sum, each) => sum + each, 0)
    },
  }
}

/** A connection of its own for each call, as jobs have: none waits on one whose other end is gone. */
async function isTaken(url: URL): Promise<boolean> {
  try {
    const answer = await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(answerMs) })
    await answer.text()
    return answer.status === 200
  } catch {
    return false
  }
}
