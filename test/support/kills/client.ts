import assert from 'node:assert/strict'
import { apiRoot } from '../../../src/http/api-routes.ts'
import { pause } from '../pause.ts'

export type Answer = { status: number; body: unknown }

export type Write = { method: string; path: string; body?: unknown; idempotencyKey?: string }

export type Client = {
  /** Repeats a request until its outcome is known. `isRepeat` when an earlier try may have been carried out. */
  persist: (write: Write) => Promise<Answer & { isRepeat: boolean }>
  /** Requests that got no answer, so that their outcome stayed unknown. */
  readonly lost: number
}

const tryMs = 20_000
const deadlineMs = 90_000
const pauseMs = 60

/** A careful caller of a service that may end at any moment. */
export function createClient({ url, token }: { url: string; token: string }): Client {
  let lost = 0
  return {
    get lost() {
      return lost
    },
    persist: async (write) => {
      const end = performance.now() + deadlineMs
      let isRepeat = false
      for (;;) {
        const answer = await attempt({ url, token }, write)
        if (answer.type === 'known') return { status: answer.status, body: answer.body, isRepeat }
        if (answer.type === 'unknown') {
          lost += 1
          isRepeat = true
        }
        assert.ok(performance.now() < end, `${write.method} ${write.path} had no answer in ${deadlineMs} ms`)
        await pause(pauseMs)
      }
    },
  }
}

type Attempted = { type: 'known'; status: number; body: unknown } | { type: 'unknown' } | { type: 'not_sent' }

async function attempt({ url, token }: { url: string; token: string }, write: Write): Promise<Attempted> {
  const { method, path, body, idempotencyKey } = write
  try {
    const response = await fetch(`${url}${apiRoot}${path}`, {
      method,
      headers: {
        'X-API-Key': token,
        Connection: 'close',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(tryMs),
    })
    const text = await response.text()
    if (response.status >= 500) return { type: 'unknown' }
    return { type: 'known', status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  } catch (error) {
    return { type: wasRefused(error) ? 'not_sent' : 'unknown' }
  }
}

/** No server listened, so the request was certainly not carried out. */
export function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}
