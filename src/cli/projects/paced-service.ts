import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiRequest } from '#core/projects/requests.ts'
import { refusalOf, send, type Sent, type Service } from '#cli/service.ts'

/** What became of a request that was sent as often as it takes. */
export type Outcome =
  | { type: 'done'; body: unknown }
  /** `fields`: the members and headers that the service blames. */
  | { type: 'refused'; status: number; problem: string; fields: readonly string[]; wasLost: boolean }
  | { type: 'lost'; problem: string }

export type PacedService = {
  /** Waits for its turn. What is sent must be harmless to repeat. `answerMs`: how long an answer may take. */
  ask: (request: ApiRequest, headers?: Record<string, string>, answerMs?: number) => Promise<Outcome>
}

const maxAnswerBytes = 4 * 1024 * 1024
const maxTries = 6
/** Longer than any window of the limits: what asks for more is a limit by the day. */
const longestWaitMs = 150_000
const firstPauseMs = 500

/** Asks a service no more often than its limits allow, and again where it was away. `onWait` gets seconds. */
export function pacedService(service: Service, onWait: (seconds: number) => void): PacedService {
  let freeAt = 0
  async function once(request: ApiRequest, headers: Record<string, string>, answerMs?: number): Promise<Sent> {
    await waitUntil(freeAt, onWait)
    const { method, path, body } = request
    const sent = await send(service, {
      path,
      maxBytes: maxAnswerBytes,
      ...(answerMs === undefined ? {} : { answerMs }),
      request: {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    })
    if (sent.type === 'answered') freeAt = freeFrom(sent.headers)
    return sent
  }
  return {
    ask: async (request, headers = {}, answerMs) => {
      let wasLost = false
      let last: Sent = { type: 'lost', problem: '' }
      for (let tried = 0; tried < maxTries; tried += 1) {
        last = await once(request, headers, answerMs)
        if (last.type === 'answered' && !isPassing(last)) return outcomeOf(last, wasLost)
        wasLost ||= last.type === 'lost' || last.status >= 500
        const pauseMs = pauseAfter(last, tried)
        if (pauseMs > longestWaitMs) break
        if (tried + 1 < maxTries) freeAt = Math.max(freeAt, Date.now() + pauseMs)
      }
      return outcomeOf(last, wasLost)
    },
  }
}

async function waitUntil(time: number, onWait: (seconds: number) => void): Promise<void> {
  const ms = time - Date.now()
  if (ms <= 0) return
  if (ms > 2 * firstPauseMs) onWait(Math.ceil(ms / 1000))
  await sleep(ms)
}

/** A request more would be one too many before then. */
function freeFrom(headers: Headers): number {
  if (headers.get('ratelimit-remaining') !== '0') return 0
  return Date.now() + Math.min(longestWaitMs, 1000 * numberOf(headers.get('ratelimit-reset')))
}

function isPassing({ status }: { status: number }): boolean {
  return status === 429 || status >= 500
}

function pauseAfter(sent: Sent, tried: number): number {
  const growing = firstPauseMs * 2 ** tried
  if (sent.type === 'lost') return growing
  return Math.max(growing, 1000 * numberOf(sent.headers.get('retry-after')))
}

function numberOf(text: string | null): number {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0
}

function outcomeOf(sent: Sent, wasLost: boolean): Outcome {
  if (sent.type === 'lost') return sent
  if (sent.status < 300) return { type: 'done', body: sent.body }
  const { body } = sent
  const blamed: unknown = typeof body === 'object' && body !== null && 'fields' in body ? body.fields : {}
  return {
    type: 'refused',
    status: sent.status,
    problem: refusalOf(sent),
    fields: Object.keys(Object(blamed)),
    wasLost,
  }
}
