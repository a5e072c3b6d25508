import type { Phases } from '#core/results/result.ts'
import { brokenFailure, timeoutFailure } from '#net/dial/connect-failure.ts'
import { attend, closeGently, type Connection } from '#net/dial/connection.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { addTime, noTimes, wholeMs } from '#net/dial/phase-times.ts'
import { labelOf, type Parts, reach } from '#net/dial/reach.ts'

export type WhoisRequest = {
  host: string
  port: number
  /** One line without its end. */
  query: string
  /** Limit of the answer; the rest is not read. */
  maxBytes: number
  /** The text of a time-out names this time; `signal` ends the exchange. */
  timeoutMs?: number
}

export type WhoisOutcome = { latencyMs: number; phases: Phases } & (
  | { ok: true; text: string; isTruncated: boolean }
  | { ok: false; failure: NetFailure }
)

/** Sends a question of one line; the answer is everything until the server closes the connection (RFC 3912). */
export async function askWhois(parts: Parts, request: WhoisRequest, signal: AbortSignal): Promise<WhoisOutcome> {
  const { host, port, timeoutMs } = request
  const times = noTimes()
  const startedAt = performance.now()
  const timed = (): Pick<WhoisOutcome, 'latencyMs' | 'phases'> => ({
    latencyMs: Math.round(performance.now() - startedAt),
    phases: wholeMs(times),
  })
  const reached = await reach(parts, { host, port, isTls: false, isFresh: false, timeoutMs }, { signal, times })
  if (!reached.ok) return { ...timed(), ok: false, failure: reached.failure }
  const askedAt = performance.now()
  const read = await readAnswer(reached.connection, request, signal)
  addTime(times, 'ttfbMs', performance.now() - askedAt)
  return { ...timed(), ...read }
}

type Read = { ok: true; text: string; isTruncated: boolean } | { ok: false; failure: NetFailure }

function readAnswer(connection: Connection, request: WhoisRequest, signal: AbortSignal): Promise<Read> {
  const label = labelOf(request.host, request.port)
  const pieces: Buffer[] = []
  let length = 0
  return new Promise((resolve) => {
    function settle(read: Read): void {
      signal.removeEventListener('abort', onAbort)
      closeGently(connection)
      resolve(read)
    }
    function answer(isTruncated: boolean): void {
      settle({ ok: true, text: decode(Buffer.concat(pieces), isTruncated), isTruncated })
    }
    function onAbort(): void {
      const phase = length === 0 ? 'request' : 'transfer'
      settle({ ok: false, failure: timeoutFailure(phase, request.timeoutMs, label) })
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    attend(connection, {
      onData: (bytes) => {
        const kept = Buffer.from(bytes.subarray(0, request.maxBytes - length))
        pieces.push(kept)
        length += kept.length
        if (kept.length < bytes.length) answer(true)
      },
      onEnd: () => answer(false),
      onError: (error) =>
        settle({ ok: false, failure: brokenFailure(error, length === 0 ? 'request' : 'transfer', label) }),
    })
    connection.socket.write(`${request.query}\r\n`)
  })
}

/**
 * RFC 3912 names no encoding: UTF-8 if the bytes are valid UTF-8, otherwise Latin-1. A cut may have split a character.
 */
function decode(bytes: Buffer, isTruncated: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isTruncated })
  } catch {
    return bytes.toString('latin1')
  }
}
