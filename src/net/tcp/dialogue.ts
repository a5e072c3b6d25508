import type { Phases } from '#core/results/result.ts'
import { timeoutFailure } from '#net/dial/connect-failure.ts'
import { closeGently, type Connection, discard, readUnbuffered } from '#net/dial/connection.ts'
import { type Awaited, type LineConnection, openLines } from './line-connection.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { addTime, noTimes, type PhaseTimes, wholeMs } from '#net/dial/phase-times.ts'
import { labelOf, type Parts, reach } from '#net/dial/reach.ts'
import { injectedFailure } from './reply-failure.ts'
import { secure, type TlsSession } from '#net/tls/tls.ts'

export type DialogueStep = Awaited & {
  /** The line to send, without its end; null to wait for what the server says by itself. */
  send: ((ownAddress: string) => string) | null
  /** TLS begins after the reply. */
  isTlsNext?: true
}

/** A protocol of lines in which the server speaks first: each step sends at most a line, and reads a reply. */
export type DialogueRequest = {
  /** Name or literal address, without brackets. */
  host: string
  port: number
  /** TLS begins before the first step. */
  isTls: boolean
  steps: readonly DialogueStep[]
  /** Sent after the last step; the dialogue does not wait for an answer. */
  farewell: string
  /** Limit of what is accepted from the server, before TLS begins and again after that. */
  maxBytes: number
  /** The text of a time-out names this time; `signal` ends the dialogue. */
  timeoutMs?: number
}

export type DialogueOutcome = {
  /** From the start to the end of the last reply, in whole milliseconds. */
  latencyMs: number
  /** `ttfbMs` is the time of the first step, `transferMs` that of the others. */
  phases: Phases
  /** The replies of finished steps in their order; lines without their ends. */
  replies: readonly (readonly string[])[]
  tls: TlsSession | null
} & ({ ok: true; address: string } | { ok: false; failure: NetFailure })

/** Speaks a protocol of lines to its end, or to the first fault. */
export async function converse(parts: Parts, request: DialogueRequest, signal: AbortSignal): Promise<DialogueOutcome> {
  const { host, port, timeoutMs } = request
  const times = noTimes()
  const startedAt = performance.now()
  const talk: Talk = { parts, request, signal, times, label: labelOf(host, port), replies: [], tls: null }
  const seen = (): Omit<DialogueOutcome, 'ok' | 'failure' | 'address'> => ({
    latencyMs: Math.round(performance.now() - startedAt),
    phases: wholeMs(times),
    replies: talk.replies,
    tls: talk.tls,
  })
  const reached = await reach(
    parts,
    { host, port, isTls: usesTls(request), isFresh: true, timeoutMs },
    { signal, times },
  )
  if (!reached.ok) return { ...seen(), ok: false, failure: reached.failure }
  const { address } = reached.connection
  const failure = await speak(talk, reached.connection)
  return failure === null ? { ...seen(), ok: true, address } : { ...seen(), ok: false, failure }
}

type Talk = {
  parts: Parts
  request: DialogueRequest
  signal: AbortSignal
  times: PhaseTimes
  label: string
  replies: string[][]
  tls: TlsSession | null
}

/** One layer of the connection, in clear text or within TLS. */
type Layer = { ok: true; connection: Connection; lines: LineConnection; stop: () => void }
type Layered = Layer | { ok: false; failure: NetFailure }

function usesTls({ isTls, steps }: DialogueRequest): boolean {
  return isTls || steps.some((step) => step.isTlsNext === true)
}

async function speak(talk: Talk, reached: Connection): Promise<NetFailure | null> {
  const { request, signal, times } = talk
  let layer: Layered = request.isTls ? await openSecured(talk, reached) : openPlain(talk, reached)
  for (const step of request.steps) {
    if (!layer.ok) return layer.failure
    const { lines, connection } = layer
    const startedAt = performance.now()
    if (step.send !== null) lines.say(step.send(connection.socket.localAddress ?? '127.0.0.1'))
    const reply = await lines.reply(step, signal)
    addTime(times, talk.replies.length === 0 ? 'ttfbMs' : 'transferMs', performance.now() - startedAt)
    if (!reply.ok) {
      if (reply.failure.code === 'unexpected_reply') closeGently(connection)
      else discard(connection)
      return reply.failure
    }
    talk.replies.push(reply.lines)
    if (step.isTlsNext === true) layer = await upgrade(talk, layer)
  }
  if (!layer.ok) return layer.failure
  layer.lines.say(request.farewell)
  closeGently(layer.connection)
  return null
}

function openPlain(talk: Talk, connection: Connection): Layer {
  const stop = usesTls(talk.request) ? readUnbuffered(connection) : (): void => {}
  return { ok: true, connection, lines: openLayer(talk, connection), stop }
}

async function openSecured(talk: Talk, plain: Connection): Promise<Layered> {
  const { request, label, signal, parts } = talk
  const startedAt = performance.now()
  const target = { host: request.host, label, context: parts.tlsContext(), isHeld: true } as const
  const secured = await secure(plain, target, signal)
  addTime(talk.times, 'tlsMs', performance.now() - startedAt)
  if (!secured.ok) {
    const { failure } = secured
    return { ok: false, failure: failure === 'aborted' ? timeoutFailure('tls', request.timeoutMs, label) : failure }
  }
  const { connection, session } = secured
  talk.tls = session
  const lines = openLayer(talk, connection)
  connection.socket.resume()
  return { ok: true, connection, lines, stop: () => {} }
}

async function upgrade(talk: Talk, { connection, lines, stop }: Layer): Promise<Layered> {
  stop()
  if (lines.letGo()) return openSecured(talk, connection)
  discard(connection)
  return { ok: false, failure: injectedFailure(talk.label, 'STARTTLS') }
}

function openLayer({ label, request }: Talk, connection: Connection): LineConnection {
  return openLines(connection, { label, maxBytes: request.maxBytes, timeoutMs: request.timeoutMs })
}
