import { brokenFailure, timeoutFailure } from '#net/dial/connect-failure.ts'
import { attend, closeGently, type Connection } from '#net/dial/connection.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { addTime, noTimes, wholeMs } from '#net/dial/phase-times.ts'
import { labelOf, type Parts, reach } from '#net/dial/reach.ts'
import type { Phases } from '#core/results/result.ts'

export type TcpRequest = {
  host: string
  port: number
  /** Reads until this text has come, the peer closes or the deadline passes; null only connects. */
  expectedText: string | null
  maxBytes: number
  /** The text of a time-out names this time; `signal` ends the exchange. */
  timeoutMs?: number
}

export type TcpOutcome = { latencyMs: number; phases: Phases } & (
  | { ok: true; address: string; received: string; hasExpectedText: boolean }
  | { ok: false; failure: NetFailure }
)

export async function connectOnce(parts: Parts, request: TcpRequest, signal: AbortSignal): Promise<TcpOutcome> {
  const { host, port, timeoutMs } = request
  const times = noTimes()
  const startedAt = performance.now()
  const reached = await reach(parts, { host, port, isTls: false, isFresh: true, timeoutMs }, { signal, times })
  const timed = (): Pick<TcpOutcome, 'latencyMs' | 'phases'> => ({
    latencyMs: Math.round(performance.now() - startedAt),
    phases: wholeMs(times),
  })
  if (!reached.ok) return { ...timed(), ok: false, failure: reached.failure }
  const { connection } = reached
  if (request.expectedText === null) {
    closeGently(connection)
    return { ...timed(), ok: true, address: connection.address, received: '', hasExpectedText: false }
  }
  const readAt = performance.now()
  const read = await readText(connection, { ...request, expectedText: request.expectedText }, signal)
  addTime(times, 'ttfbMs', performance.now() - readAt)
  const sight = parts.traffic.sight()
  if (!read.ok && sight !== null) sight.failure = read.failure
  if (!read.ok) return { ...timed(), ok: false, failure: read.failure }
  const { received, hasExpectedText } = read
  return { ...timed(), ok: true, address: connection.address, received, hasExpectedText }
}

type Read = { ok: true; received: string; hasExpectedText: boolean } | { ok: false; failure: NetFailure }

function readText(
  connection: Connection,
  request: TcpRequest & { expectedText: string },
  signal: AbortSignal,
): Promise<Read> {
  const expected = Buffer.from(request.expectedText)
  const label = labelOf(request.host, request.port)
  let received = Buffer.alloc(0)
  return new Promise((resolve) => {
    function settle(read: Read): void {
      signal.removeEventListener('abort', onAbort)
      closeGently(connection)
      resolve(read)
    }
    function answer(hasExpectedText: boolean): void {
      settle({ ok: true, received: received.toString('utf8'), hasExpectedText })
    }
    /** A server that has said something and waits has answered, only without the expected text. */
    function onAbort(): void {
      if (received.length > 0) answer(false)
      else settle({ ok: false, failure: timeoutFailure('request', request.timeoutMs, label) })
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    attend(connection, {
      onData: (bytes) => {
        received = Buffer.concat([received, bytes.subarray(0, request.maxBytes - received.length)])
        if (received.includes(expected)) answer(true)
        else if (received.length >= request.maxBytes) answer(false)
      },
      onEnd: () => answer(false),
      onError: (error) => settle({ ok: false, failure: brokenFailure(error, 'request', label) }),
    })
  })
}
