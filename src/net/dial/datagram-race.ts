import { createSocket, type Socket } from 'node:dgram'
import { connectFailure } from './connect-failure.ts'
import { attemptCode, attemptDelayMs } from './dial.ts'
import type { NetFailure } from './net-failure.ts'
import { isOwnTrouble, OwnTrouble } from './own-trouble.ts'

export type DatagramRace = {
  /** Checked addresses in the order of `interleave`; at least one. */
  addresses: readonly string[]
  port: number
  /** The callbacks are those of `UdpRequest`. */
  payload: () => Uint8Array
  isReply: (received: Uint8Array, sent: Uint8Array) => boolean
  /** The datagram is sent once more after this time. */
  resendMs: number
  /** `host:port` for texts. */
  label: string
}

export type DatagramHeard =
  | { ok: true; address: string; reply: Uint8Array; rttMs: number; sentAtMs: number }
  | { ok: false; failure: NetFailure | 'aborted'; other: Uint8Array | null }

/** Datagrams that are no answer are examined only up to these limits, over all addresses. */
const maxOthers = 64
const maxOtherBytes = 64 * 1024

type Shot = { payload: Uint8Array; sentMs: number; sentAtMs: number }
type Attempt = { address: string; socket: Socket; shots: Shot[]; code: string | null }

/**
 * Sends to the first address, and to the next as soon as one has failed or stayed silent for 250 ms, as RFC 8305 does
 * for connections. The first answer wins. Sockets are connected, so that the kernel delivers only the peer's datagrams
 * and reports a refusal, which comes as an ICMP message. Rejects with `OwnTrouble`, or with what a callback of the race
 * threw.
 */
export function raceDatagrams(race: DatagramRace, signal: AbortSignal): Promise<DatagramHeard> {
  if (signal.aborted) return Promise.resolve({ ok: false, failure: 'aborted', other: null })
  return new RunningRace(race, signal).heard
}

/** Owns the sockets and timers of one race until it is settled. */
class RunningRace {
  readonly #race: DatagramRace
  readonly #signal: AbortSignal
  readonly #outcome = Promise.withResolvers<DatagramHeard>()
  readonly #attempts: Attempt[] = []
  readonly #resendTimer: NodeJS.Timeout
  readonly #onAbort = (): void => this.#fail('aborted')
  #nextTimer: NodeJS.Timeout | undefined
  #isSettled = false
  #firstOther: Uint8Array | null = null
  #others = 0
  #otherBytes = 0

  constructor(race: DatagramRace, signal: AbortSignal) {
    this.#race = race
    this.#signal = signal
    this.#resendTimer = setTimeout(() => this.#resend(), race.resendMs)
    signal.addEventListener('abort', this.#onAbort)
    this.#attemptNext()
  }

  get heard(): Promise<DatagramHeard> {
    return this.#outcome.promise
  }

  #attemptNext(): void {
    clearTimeout(this.#nextTimer)
    const { addresses, port } = this.#race
    const address = addresses[this.#attempts.length]
    if (this.#isSettled || address === undefined) return
    const socket = open(address)
    const attempt: Attempt = { address, socket, shots: [], code: null }
    this.#attempts.push(attempt)
    socket.on('connect', () => this.#guarded(() => this.#shoot(attempt)))
    socket.on('message', (received) => this.#guarded(() => this.#hear(attempt, received)))
    socket.on('error', (error) => this.#onError(attempt, error))
    socket.connect(port, address)
    if (this.#attempts.length < addresses.length)
      this.#nextTimer = setTimeout(() => this.#attemptNext(), attemptDelayMs)
  }

  #resend(): void {
    const shooting = this.#attempts.filter(({ code, shots }) => code === null && shots.length > 0)
    for (const attempt of shooting) this.#guarded(() => this.#shoot(attempt))
  }

  #shoot(attempt: Attempt): void {
    if (this.#isSettled) return
    const payload = this.#race.payload()
    attempt.shots.push({ payload, sentMs: performance.now(), sentAtMs: Date.now() })
    attempt.socket.send(payload, (error) => {
      if (error !== null) this.#onError(attempt, error)
    })
  }

  #hear(attempt: Attempt, received: Uint8Array): void {
    const receivedMs = performance.now()
    if (this.#isSettled) return
    const shot = attempt.shots.find(({ payload }) => this.#race.isReply(received, payload))
    if (shot === undefined) return this.#passOver(received)
    const { sentAtMs, sentMs } = shot
    this.#settle()
    this.#outcome.resolve({
      ok: true,
      address: attempt.address,
      reply: received,
      rttMs: receivedMs - sentMs,
      sentAtMs,
    })
  }

  #passOver(received: Uint8Array): void {
    this.#firstOther ??= received
    this.#others += 1
    this.#otherBytes += received.length
    if (this.#others >= maxOthers || this.#otherBytes >= maxOtherBytes) this.#fail(floodFailure(this.#race.label))
  }

  #onError(attempt: Attempt, error: NodeJS.ErrnoException): void {
    if (this.#isSettled || attempt.code !== null) return
    attempt.code = attemptCode({ address: attempt.address, error })
    if (isOwnTrouble(attempt.code)) return this.#reject(new OwnTrouble(attempt.code, error))
    close(attempt.socket)
    if (this.#attempts.length < this.#race.addresses.length) return this.#attemptNext()
    const codes = this.#attempts.map(({ code }) => code).filter((code) => code !== null)
    if (codes.length === this.#attempts.length) this.#fail(connectFailure(codes, this.#race.label))
  }

  /** A callback that throws is a bug: it rejects the race instead of escaping into the event loop. */
  #guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#reject(error)
    }
  }

  #fail(failure: NetFailure | 'aborted'): void {
    this.#settle()
    this.#outcome.resolve({ ok: false, failure, other: this.#firstOther })
  }

  #reject(error: unknown): void {
    this.#settle()
    this.#outcome.reject(error)
  }

  #settle(): void {
    this.#isSettled = true
    clearTimeout(this.#nextTimer)
    clearTimeout(this.#resendTimer)
    this.#signal.removeEventListener('abort', this.#onAbort)
    for (const { socket } of this.#attempts) close(socket)
  }
}

/** The lookup returns the literal address, so that Node never asks a name server. */
function open(address: string): Socket {
  const family = address.includes(':') ? 6 : 4
  return createSocket({ type: `udp${family}`, lookup: (host, _options, callback) => callback(null, host, family) })
}

/** Ignores that a failed socket may be closed already. */
function close(socket: Socket): void {
  socket.removeAllListeners('message')
  try {
    socket.close()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SOCKET_DGRAM_NOT_RUNNING')) throw error
  }
}

function floodFailure(label: string): NetFailure {
  const message = `${label} sent a flood of datagrams, none of which answers what was sent`
  return { phase: 'transfer', code: 'udp_flood', message }
}
