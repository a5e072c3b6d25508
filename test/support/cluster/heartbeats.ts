import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Database } from '#store/database/database.ts'
import { pause } from '../pause.ts'

/**
 * A monitor that waits to be called, and how often its caller was answered 200, and not answered. `slowestMs` is the
 * longest time from the beginning of a call that was answered to that of the next one, which tells whether the caller
 * was late itself.
 */
export type Called = { id: string; url: string; answered: number; unknown: number; slowestMs: number }

export type Callers = { stop: () => Promise<void> }

export const rhythm = { interval_seconds: 10, heartbeat_grace_seconds: 3 }
/** Nearly as late as may be: an API, broker or database that is away for some seconds makes callers late. */
const everyMs = 9_000
const againMs = 250
const tryMs = 8_000

/** Calls each monitor as a careful job does: at either API, and again until it is answered. Stops with the test. */
export function startCallers(called: readonly Called[], apis: readonly string[]): Callers {
  const ending = new AbortController()
  const stop = async (): Promise<void> => {
    ending.abort()
    await done
  }
  after(stop)
  const done = Promise.all(called.map((each, index) => callAgain(each, { apis, index, signal: ending.signal })))
  return { stop }
}

type Calling = { apis: readonly string[]; index: number; signal: AbortSignal }

async function callAgain(called: Called, { apis, index, signal }: Calling): Promise<void> {
  await pause((everyMs * (index % 60)) / 60, signal)
  let isAnswered = false
  let answeredMs = 0
  for (let turn = index; !signal.aborted; turn += 1) {
    const begunMs = performance.now()
    if (isAnswered) called.slowestMs = Math.max(called.slowestMs, begunMs - answeredMs)
    isAnswered = await call(called.url, apis[turn % apis.length] ?? '')
    if (isAnswered) {
      called.answered += 1
      answeredMs = begunMs
    } else called.unknown += 1
    await pause(isAnswered ? everyMs : againMs, signal)
  }
}

/** Calls the path of the monitor's address at the API that a load balancer would choose. */
async function call(url: string, api: string): Promise<boolean> {
  try {
    const response = await fetch(new URL(new URL(url).pathname, api), {
      headers: { Connection: 'close' },
      signal: AbortSignal.timeout(tryMs),
    })
    await response.text()
    return response.status === 200
  } catch {
    return false
  }
}

/**
 * Every call that was answered is a result, and the engine stored no missed call. Returns how many calls were stored.
 */
export async function assertCalls({ pool }: Database, called: readonly Called[]): Promise<number> {
  const { rows } = await pool.query<{ id: string; stored: number; missed: number }>(
    `select m.id, count(r.status)::integer as stored,
      count(*) filter (where r.details ->> 'source' = 'missed')::integer as missed
    from monitors m
    left join results r on r.monitor_key = m.key
    where m.kind = 'heartbeat'
    group by m.id`,
  )
  const counts = new Map(rows.map(({ id, ...count }) => [id, count]))
  for (const { id, answered, unknown, slowestMs } of called) {
    const { stored, missed } = counts.get(id) ?? assert.fail(id)
    const slowest = (slowestMs / 1000).toFixed(1)
    assert.equal(
      missed,
      0,
      `${missed} calls of ${id} count as missed; its caller began again after ${slowest} s at most`,
    )
    assert.ok(stored >= answered, `${answered} calls of ${id} were answered, ${stored} are stored`)
    assert.ok(stored <= answered + unknown, `${stored} calls of ${id} are stored, ${answered + unknown} were made`)
  }
  return rows.reduce((sum, { stored }) => sum + stored, 0)
}
