import type { Phases } from '#core/results/result.ts'
import { brokenFailure, timeoutFailure } from '#net/dial/connect-failure.ts'
import { attend, closeGently, type Connection } from '#net/dial/connection.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { addTime, noTimes, wholeMs } from '#net/dial/phase-times.ts'
import { labelOf, type Parts, reach } from '#net/dial/reach.ts'

export type TcpExchangeRequest = {
  host: string
  port: number
  /** Sent once the connection is made. */
  payload: Uint8Array
  /**
   * Called with everything received so far, whenever more has come; valid only during the call. True ends the exchange.
   */
  isEnough: (received: Uint8Array) => boolean
  maxBytes: number
  /** The text of a time-out names this time; `signal` ends the exchange. */
  timeoutMs: number
}

export type TcpExchangeOutcome = { latencyMs: number; phases: Phases } & (
  | {
      ok: true
      address: string
      received: Uint8Array
      /** `enough`: enough has come. `closed`: the server closed its side before that. `full`: `maxBytes` have come. */
      end: 'enough' | 'closed' | 'full'
    }
  | { ok: false; failure: NetFailure }
)

/** Connects, sends some bytes and reads until enough has come. Rejects with what `isEnough` throws. */
export async function exchangeBytes(
  parts: Parts,
  request: TcpExchangeRequest,
  signal: AbortSignal,
): Promise<TcpExchangeOutcome> {
  const { host, port, timeoutMs } = request
  const times = noTimes()
  const startedAt = performance.now()
  const timed = (): Pick<TcpExchangeOutcome, 'latencyMs' | 'phases'> => ({
    latencyMs: Math.round(performance.now() - startedAt),
    phases: wholeMs(times),
  })
  const reached = await reach(parts, { host, port, isTls: false, isFresh: true, timeoutMs }, { signal, times })
  if (!reached.ok) return { ...timed(), ok: false, failure: reached.failure }
  const { connection } = reached
  const sentAt = performance.now()
  const read = await readEnough(connection, request, signal)
  addTime(times, 'ttfbMs', (read.firstAt ?? performance.now()) - sentAt)
  if (read.firstAt !== null) addTime(times, 'transferMs', performance.now() - read.firstAt)
  if (!read.ok) return { ...timed(), ok: false, failure: read.failure }
  return { ...timed(), ok: true, address: connection.address, received: read.received, end: read.end }
}

/** `firstAt` is when the first bytes came, by `performance.now()`. */
type Read = { firstAt: number | null } & (
  | { ok: true; received: Uint8Array; end: 'enough' | 'closed' | 'full' }
  | { ok: false; failure: NetFailure }
)

function readEnough(connection: Connection, request: TcpExchangeRequest, signal: AbortSignal): Promise<Read> {
  const label = labelOf(request.host, request.port)
  const received = createCollector(request.maxBytes)
  let firstAt: number | null = null
  return new Promise((resolve, reject) => {
    function settle(): void {
      signal.removeEventListener('abort', onAbort)
      closeGently(connection)
    }
    function end(reason: 'enough' | 'closed' | 'full'): void {
      settle()
      resolve({ ok: true, received: received.bytes(), end: reason, firstAt })
    }
    function fail(failure: NetFailure): void {
      settle()
      resolve({ ok: false, failure, firstAt })
    }
    function onAbort(): void {
      fail(timeoutFailure(phaseSince(firstAt), request.timeoutMs, label))
    }
    function onData(bytes: Uint8Array): void {
      firstAt ??= performance.now()
      received.add(bytes)
      if (request.isEnough(received.bytes())) end('enough')
      else if (received.bytes().length >= request.maxBytes) end('full')
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    attend(connection, {
      onData: (bytes) => {
        try {
          onData(bytes)
        } catch (error) {
          settle()
          reject(error instanceof Error ? error : new Error('An exchange broke off.', { cause: error }))
        }
      },
      onEnd: () => end('closed'),
      onError: (error) => fail(brokenFailure(error, phaseSince(firstAt), label)),
    })
    connection.socket.write(request.payload)
  })
}

function phaseSince(firstAt: number | null): NetFailure['phase'] {
  return firstAt === null ? 'request' : 'transfer'
}

const firstBytes = 4096

type Collector = { add: (bytes: Uint8Array) => void; bytes: () => Uint8Array }

/** Grows by doubling, so that a server that sends single bytes does not cause a copy of everything for each. */
function createCollector(maxBytes: number): Collector {
  let buffer = new Uint8Array(Math.min(firstBytes, maxBytes))
  let length = 0
  return {
    add: (bytes) => {
      const taken = bytes.subarray(0, maxBytes - length)
      if (length + taken.length > buffer.length) {
        const grown = new Uint8Array(Math.min(maxBytes, Math.max(buffer.length * 2, length + taken.length)))
        grown.set(buffer.subarray(0, length))
        buffer = grown
      }
      buffer.set(taken, length)
      length += taken.length
    },
    bytes: () => buffer.subarray(0, length),
  }
}
