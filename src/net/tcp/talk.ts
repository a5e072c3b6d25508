import { TLSSocket } from 'node:tls'
import type { Phases } from '#core/results/result.ts'
import { brokenFailure, lateFailure, timeoutFailure } from '#net/dial/connect-failure.ts'
import { attend, closeGently, type Connection, discard, readUnbuffered, release } from '#net/dial/connection.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { addTime, noTimes, type PhaseTimes, wholeMs } from '#net/dial/phase-times.ts'
import { labelOf, type Parts, reach } from '#net/dial/reach.ts'
import type { OwnTls } from '#net/tls/own-tls.ts'
import { secure, type TlsSession } from '#net/tls/tls.ts'
import { handshakeFailure } from '#net/tls/tls-failure.ts'
import { createByteQueue } from './byte-queue.ts'
import { closedFailure, injectedFailure, openFailure, problemFailure, tooMuchFailure } from './reply-failure.ts'

/** A protocol of messages in which a secret may be told, and what is said next depends on what was heard. */
export type TalkRequest = {
  /** Name or literal address, without brackets. */
  host: string
  port: number
  /**
   * `tls`: TLS begins before anything is said. `upgrade`: it begins when `startTls` is called. `none`: there is none, and
   * nothing is said to a public address.
   */
  security: 'tls' | 'upgrade' | 'none'
  /** How TLS is spoken. Default: as usual. */
  tls?: Omit<OwnTls, 'host'> | undefined
  /** What the server has to agree to within the handshake of TLS (ALPN, RFC 7301). Default: nothing. */
  protocol?: string
  /** Holds the conversation. What it rejects with ends the talk: a fault of `peer.fault`, or else a bug. */
  speak: (peer: Peer) => Promise<void>
  /** Limit of all bytes that are accepted from the server. */
  maxBytes: number
  /** The text of a time-out names this time; `signal` ends the talk. */
  timeoutMs: number
}

/** The server, as the one who speaks with it sees it. `awaited` is the name in texts of what is read. */
export type Peer = {
  send: (bytes: Uint8Array) => void
  /** So many bytes, which stay as they are. */
  take: (count: number, awaited: string) => Promise<Buffer>
  /** Without its end; LF ends a line, and CR before it is dropped. */
  takeLine: (awaited: string) => Promise<string>
  /** Hands over all that comes, for protocols that read by themselves. */
  relay: (relayed: Relayed, awaited: string) => Promise<void>
  startTls: () => Promise<void>
  /** What is awaited from now on counts as `transferMs`, what was awaited before as `ttfbMs`. */
  beginWork: () => void
  /** To be thrown: ends the talk with this text. */
  fault: (message: string) => Error
}

export type Relayed = {
  /** The bytes are only valid during the call. */
  onBytes: (bytes: Buffer) => void
  /** Nothing more will come; `over` has to settle then. */
  onEnd: () => void
  /** Whether enough was heard: if not, an end of the connection is a fault. */
  over: Promise<boolean>
}

export type TalkOutcome = {
  /** From the start to the end of what was said, in whole milliseconds. */
  latencyMs: number
  phases: Phases
  tls: TlsSession | null
} & ({ ok: true; address: string } | { ok: false; failure: NetFailure })

/** Connects, and speaks with the server to the end or to the first fault. */
export async function talk(parts: Parts, request: TalkRequest, signal: AbortSignal): Promise<TalkOutcome> {
  const { host, port, security, timeoutMs } = request
  const times = noTimes()
  const startedAt = performance.now()
  let session: TlsSession | null = null
  const seen = (): Omit<TalkOutcome, 'ok' | 'failure' | 'address'> => ({
    latencyMs: Math.round(performance.now() - startedAt),
    phases: wholeMs(times),
    tls: session,
  })
  const reached = await reach(
    parts,
    { host, port, isTls: security !== 'none', isFresh: true, timeoutMs },
    { signal, times },
  )
  if (!reached.ok) return { ...seen(), ok: false, failure: reached.failure }
  const { address } = reached.connection
  const conversation = new Conversation({ parts, request, signal, times }, reached.connection)
  try {
    await conversation.open()
    await request.speak(conversation)
    closeGently(conversation.connection)
    session = conversation.session
    return { ...seen(), ok: true, address }
  } catch (error) {
    session = conversation.session
    if (error instanceof Fault && error.failure.code === 'unexpected_reply') closeGently(conversation.connection)
    else discard(conversation.connection)
    if (!(error instanceof Fault)) throw error
    return { ...seen(), ok: false, failure: error.failure }
  }
}

class Fault extends Error {
  readonly failure: NetFailure
  constructor(failure: NetFailure) {
    super(failure.message)
    this.failure = failure
  }
}

type Course = { parts: Parts; request: TalkRequest; signal: AbortSignal; times: PhaseTimes }

/** A connection whose bytes are kept until they are asked for, at most `maxBytes` of them. */
class Conversation implements Peer {
  connection: Connection
  session: TlsSession | null = null
  readonly #course: Course
  readonly #label: string
  /** Not yet asked for. */
  readonly #received = createByteQueue()
  #byteCount = 0
  #ending: ((awaited: string) => NetFailure) | null = null
  #wake: () => void = ignore
  #stop: () => void = ignore
  #phase: 'ttfbMs' | 'transferMs' = 'ttfbMs'

  constructor(course: Course, connection: Connection) {
    this.#course = course
    this.#label = labelOf(course.request.host, course.request.port)
    this.connection = connection
  }

  async open(): Promise<void> {
    const { security } = this.#course.request
    if (security === 'tls') return this.#secure()
    if (security === 'upgrade') this.#stop = readUnbuffered(this.connection)
    else {
      const failure = openFailure(this.connection.address, this.#label)
      if (failure !== null) throw new Fault(failure)
    }
    this.#listen()
  }

  send(bytes: Uint8Array): void {
    this.connection.socket.write(bytes)
  }

  async take(count: number, awaited: string): Promise<Buffer> {
    // What will not be accepted need not be waited for.
    if (count > this.#course.request.maxBytes) throw new Fault(this.#tooMuch(awaited))
    await this.#until(() => this.#received.bytes().length >= count, awaited)
    return this.#received.cut(count)
  }

  async takeLine(awaited: string): Promise<string> {
    let searched = 0
    let end = -1
    await this.#until(() => {
      const bytes = this.#received.bytes()
      end = bytes.indexOf(0x0a, searched)
      searched = bytes.length
      return end !== -1
    }, awaited)
    return this.#received
      .cut(end + 1)
      .toString('utf8', 0, end)
      .replace(/\r$/, '')
  }

  async relay({ onBytes, onEnd, over }: Relayed, awaited: string): Promise<void> {
    let isEnough: boolean | null = null
    let isEnded = false
    const settle = (found: boolean): void => {
      isEnough = found
      this.#wake()
    }
    over.then(settle, () => settle(false))
    const isOver = (): boolean => {
      const { length } = this.#received.bytes()
      if (length > 0) onBytes(this.#received.cut(length))
      if (this.#ending !== null && !isEnded) {
        isEnded = true
        onEnd()
      }
      return isEnough !== null
    }
    await this.#until(isOver, awaited, true)
    if (isEnough === false && this.#ending !== null) throw new Fault(this.#ending(awaited))
  }

  async startTls(): Promise<void> {
    this.#stop()
    release(this.connection)
    if (this.#received.bytes().length > 0) throw new Fault(injectedFailure(this.#label, 'TLS'))
    await this.#secure()
  }

  beginWork(): void {
    this.#phase = 'transferMs'
  }

  fault(message: string): Error {
    return new Fault(problemFailure(message))
  }

  async #secure(): Promise<void> {
    const { parts, request, signal, times } = this.#course
    const { tls: own } = request
    const chosen =
      own === undefined
        ? { ok: true as const, context: parts.tlsContext() }
        : parts.ownContext({ host: request.host, ...own })
    if (!chosen.ok) throw new Fault(chosen.failure)
    const { context } = chosen
    const startedAt = performance.now()
    const sight = parts.traffic.sight()
    const target = {
      host: request.host,
      label: this.#label,
      context,
      acceptsAny: own?.acceptsAny,
      isHeld: true,
      sight,
      ...(request.protocol === undefined ? {} : { protocols: [request.protocol] }),
    } as const
    const secured = await secure(this.connection, target, signal)
    addTime(times, 'tlsMs', performance.now() - startedAt)
    if (!secured.ok) {
      const { failure } = secured
      throw new Fault(failure === 'aborted' ? timeoutFailure('tls', request.timeoutMs, this.#label) : failure)
    }
    this.connection = secured.connection
    this.session = secured.session
    const { socket } = secured.connection
    if (request.protocol !== undefined && !(socket instanceof TLSSocket && socket.alpnProtocol === request.protocol))
      throw new Fault(problemFailure(`${this.#label} does not agree to speak ${request.protocol} within TLS`))
    this.#listen()
    this.connection.socket.resume()
  }

  #listen(): void {
    attend(this.connection, {
      onData: (bytes) => this.#receive(bytes),
      onEnd: () => this.#end((awaited) => closedFailure(this.#label, awaited, this.#received.bytes().length > 0)),
      onError: (error) => this.#end(() => this.#broken(error)),
    })
  }

  #receive(bytes: Buffer): void {
    if (this.#ending !== null) return
    this.#byteCount += bytes.length
    this.#received.add(bytes)
    if (this.#byteCount > this.#course.request.maxBytes) this.#end((awaited) => this.#tooMuch(awaited))
    else this.#wake()
  }

  #end(ending: (awaited: string) => NetFailure): void {
    this.#ending ??= ending
    this.#wake()
  }

  /** With TLS 1.3 a server judges the client's certificate after the handshake, and says so by an alert. */
  #broken(error: NodeJS.ErrnoException): NetFailure {
    const isAlert = error.code?.startsWith('ERR_SSL_') === true
    return isAlert ? handshakeFailure(error, this.#label) : brokenFailure(error, 'request', this.#label)
  }

  #tooMuch(awaited: string): NetFailure {
    return tooMuchFailure(this.#label, awaited, this.#course.request.maxBytes)
  }

  /** Waits for more bytes until they are enough; the end of the connection or of the time is a fault. */
  async #until(isEnough: () => boolean, awaited: string, outlivesEnd = false): Promise<void> {
    const { request, signal, times } = this.#course
    const startedAt = performance.now()
    try {
      while (!isEnough()) {
        if (this.#ending !== null && !outlivesEnd) throw new Fault(this.#ending(awaited))
        if (signal.aborted) throw new Fault(lateFailure('request', request.timeoutMs, `waiting for ${awaited}`))
        await this.#change()
      }
    } finally {
      addTime(times, this.#phase, performance.now() - startedAt)
    }
  }

  #change(): Promise<void> {
    const { signal } = this.#course
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wake = ignore
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#wake = wake
      signal.addEventListener('abort', wake)
    })
  }
}

function ignore(): void {}
