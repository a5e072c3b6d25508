import { connectFailure } from '#net/dial/connect-failure.ts'
import { attemptCode, attemptDelayMs } from '#net/dial/dial.ts'
import type { FindEchoes } from './icmp-access.ts'
import type { Echoes } from './icmp-echoes.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { isOwnTrouble, OwnTrouble } from '#net/dial/own-trouble.ts'

export type PingSeries = {
  /** Checked addresses in the order of `interleave`; at least one. */
  addresses: readonly string[]
  packets: number
  spacingMs: number
  /** For texts. */
  host: string
}

export type PingHeard =
  | { ok: true; address: string; sent: number; rttsMs: readonly number[] }
  | { ok: false; failure: NetFailure | 'aborted'; sent: number }

/**
 * After the last echo, the race waits for further answers as long as this plus four times the slowest answer so far.
 */
const lateMs = 1000
const lateFactor = 4

const notReady = 'This machine was not ready to ping in time.'

type Attempt = {
  address: string
  sent: number
  rttsMs: number[]
  cancels: (() => void)[]
  timer: NodeJS.Timeout | undefined
  /** The code of an address to which nothing can even be sent. */
  code: string | null
}

/**
 * A series of echoes to the first address, and to the next as soon as one fails or has stayed silent for 250 ms. The
 * first address that answers wins: its series goes on to the end, the others are dropped. While no address has
 * answered, only `signal` ends the race. Rejects with `OwnTrouble`.
 */
export function racePings(findEchoes: FindEchoes, series: PingSeries, signal: AbortSignal): Promise<PingHeard> {
  if (signal.aborted) return Promise.resolve({ ok: false, failure: 'aborted', sent: 0 })
  return new PingRace(findEchoes, series, signal).heard
}

/** Owns the timers and the outstanding echoes of one race until it is settled. */
class PingRace {
  readonly #findEchoes: FindEchoes
  readonly #series: PingSeries
  readonly #signal: AbortSignal
  readonly #outcome = Promise.withResolvers<PingHeard>()
  readonly #attempts: Attempt[] = []
  readonly #onAbort = (): void => this.#onDeadline()
  #nextTimer: NodeJS.Timeout | undefined
  #winner: Attempt | null = null
  #isSettled = false

  constructor(findEchoes: FindEchoes, series: PingSeries, signal: AbortSignal) {
    this.#findEchoes = findEchoes
    this.#series = series
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort)
    this.#attemptNext()
  }

  get heard(): Promise<PingHeard> {
    return this.#outcome.promise
  }

  #attemptNext(): void {
    clearTimeout(this.#nextTimer)
    const { addresses } = this.#series
    const address = addresses[this.#attempts.length]
    if (this.#isSettled || this.#winner !== null || address === undefined) return
    const attempt: Attempt = { address, sent: 0, rttsMs: [], cancels: [], timer: undefined, code: null }
    this.#attempts.push(attempt)
    if (this.#attempts.length < addresses.length)
      this.#nextTimer = setTimeout(() => this.#attemptNext(), attemptDelayMs)
    this.#begin(attempt).catch((error: unknown) => this.#reject(error))
  }

  async #begin(attempt: Attempt): Promise<void> {
    const echoes = await this.#findEchoes(attempt.address.includes(':') ? 6 : 4)
    if (this.#isOver(attempt)) return
    if (echoes === null) this.#giveUp(attempt, 'ENETUNREACH')
    else this.#send(attempt, echoes)
  }

  #send(attempt: Attempt, echoes: Echoes): void {
    attempt.sent += 1
    attempt.cancels.push(
      echoes.send(attempt.address, {
        onReply: (rttMs) => this.#onReply(attempt, rttMs),
        onError: (error) => this.#onError(attempt, error),
      }),
    )
    if (attempt.sent < this.#series.packets)
      attempt.timer = setTimeout(() => this.#sendNext(attempt, echoes), this.#series.spacingMs)
    else this.#waitForLate(attempt)
  }

  #sendNext(attempt: Attempt, echoes: Echoes): void {
    try {
      this.#send(attempt, echoes)
    } catch (error) {
      this.#reject(error)
    }
  }

  #onReply(attempt: Attempt, rttMs: number): void {
    if (this.#isOver(attempt)) return
    attempt.rttsMs.push(rttMs)
    if (this.#winner === null) {
      this.#winner = attempt
      clearTimeout(this.#nextTimer)
      for (const other of this.#attempts) if (other !== attempt) drop(other)
    }
    if (attempt.rttsMs.length === this.#series.packets) this.#end()
    else if (attempt.sent === this.#series.packets) this.#waitForLate(attempt)
  }

  #waitForLate(attempt: Attempt): void {
    clearTimeout(attempt.timer)
    if (this.#winner !== attempt) return
    const slowestMs = Math.max(...attempt.rttsMs)
    attempt.timer = setTimeout(() => this.#end(), Math.max(lateMs, lateFactor * slowestMs))
  }

  /** An echo that could not be sent counts as lost, unless none could be sent. */
  #onError(attempt: Attempt, error: NodeJS.ErrnoException): void {
    if (this.#isOver(attempt)) return
    const code = attemptCode({ address: attempt.address, error })
    if (error instanceof OwnTrouble) this.#reject(error)
    else if (isOwnTrouble(code)) this.#reject(new OwnTrouble(code, error))
    else if (this.#winner === null) this.#giveUp(attempt, code)
  }

  #giveUp(attempt: Attempt, code: string): void {
    attempt.code = code
    drop(attempt)
    if (this.#attempts.length < this.#series.addresses.length) return this.#attemptNext()
    const codes = this.#attempts.map((each) => each.code).filter((each) => each !== null)
    if (codes.length === this.#attempts.length) this.#fail(connectFailure(codes, this.#series.host))
  }

  #isOver(attempt: Attempt): boolean {
    return this.#isSettled || attempt.code !== null || (this.#winner !== null && this.#winner !== attempt)
  }

  /**
   * No host can answer what was not sent: until the sockets are open, a missed deadline is the prober's own trouble.
   */
  #onDeadline(): void {
    const isUnsent = this.#attempts.every(({ sent, code }) => sent === 0 && code === null)
    if (!isUnsent) return this.#end()
    this.#reject(new OwnTrouble('EBUSY', new Error('No echo request was sent in time.'), notReady))
  }

  #end(): void {
    const winner = this.#winner
    if (winner === null) return this.#fail('aborted')
    this.#settle()
    this.#outcome.resolve({ ok: true, address: winner.address, sent: winner.sent, rttsMs: winner.rttsMs })
  }

  #fail(failure: NetFailure | 'aborted'): void {
    this.#settle()
    this.#outcome.resolve({ ok: false, failure, sent: Math.max(...this.#attempts.map(({ sent }) => sent)) })
  }

  #reject(error: unknown): void {
    this.#settle()
    this.#outcome.reject(error)
  }

  #settle(): void {
    this.#isSettled = true
    clearTimeout(this.#nextTimer)
    this.#signal.removeEventListener('abort', this.#onAbort)
    for (const attempt of this.#attempts) drop(attempt)
  }
}

function drop(attempt: Attempt): void {
  clearTimeout(attempt.timer)
  for (const cancel of attempt.cancels) cancel()
}
