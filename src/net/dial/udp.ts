import type { Phases } from '#core/results/result.ts'
import { timeoutFailure } from './connect-failure.ts'
import { raceDatagrams } from './datagram-race.ts'
import { interleave } from './dial.ts'
import { isPublicAddress } from './guard.ts'
import type { NetFailure } from './net-failure.ts'
import { addTime, noTimes, wholeMs } from './phase-times.ts'
import { labelOf, locate, type Parts, tellFailure } from './reach.ts'

export type UdpRequest = {
  host: string
  port: number
  /** Makes the datagram: once for each address and once more later, so that each can have a nonce of its own. */
  payload: () => Uint8Array
  /** Whether a received datagram answers the one that was sent. Other datagrams are skipped, up to a limit. */
  isReply: (received: Uint8Array, sent: Uint8Array) => boolean
  /** `signal` ends the exchange; this is the time it leaves, from which half time is reckoned. */
  timeoutMs: number
  /** When the datagram is sent once more. Default: at half time. */
  resendMs?: number
  /** What is sent or answered is a secret: nothing is sent to a public address. */
  staysPrivate?: boolean
}

export type UdpOutcome = { latencyMs: number; phases: Phases } & (
  | {
      ok: true
      address: string
      reply: Uint8Array
      /** From the sending of the datagram that was answered to its answer, in fractions of a millisecond. */
      rttMs: number
      /** When that datagram was sent by this machine's clock, in whole milliseconds since 1970. */
      sentAtMs: number
    }
  | {
      ok: false
      failure: NetFailure
      /** The first datagram that came and was no answer. */
      other: Uint8Array | null
    }
)

export async function exchangeDatagrams(parts: Parts, request: UdpRequest, signal: AbortSignal): Promise<UdpOutcome> {
  const { host, port, timeoutMs, payload, isReply } = request
  const times = noTimes()
  const startedAt = performance.now()
  const timed = (): Pick<UdpOutcome, 'latencyMs' | 'phases'> => ({
    latencyMs: Math.round(performance.now() - startedAt),
    phases: wholeMs(times),
  })
  const located = await locate(parts, { host, port, isFresh: true, timeoutMs }, { signal, times })
  if (!located.ok) return { ...timed(), ok: false, failure: located.failure, other: null }
  const label = labelOf(host, port)
  const sendingAt = performance.now()
  const resendMs = request.resendMs ?? Math.max(0, (timeoutMs - (sendingAt - startedAt)) / 2)
  const addresses = interleave(located.addresses)
  if (request.staysPrivate === true && addresses.some(isPublicAddress))
    return { ...timed(), ok: false, failure: openFailure(label), other: null }
  const heard = await raceDatagrams({ addresses, port, payload, isReply, resendMs, label }, signal)
  if (heard.ok) {
    parts.traffic.heard(heard.address)
    addTime(times, 'ttfbMs', performance.now() - sendingAt)
    return { ...timed(), ...heard }
  }
  if (heard.other !== null) parts.traffic.heard()
  if (heard.failure !== 'aborted') tellFailure(parts.traffic, heard.failure, addresses)
  return { ...timed(), ...heard, failure: named(heard.failure, timeoutMs, label) }
}

/** Everybody on the way to a public address would read what is said. */
function openFailure(label: string): NetFailure {
  const message = `${label} is at a public address, to which nothing is sent in clear text`
  return { phase: 'request', code: 'encryption_required', message }
}

function named(failure: NetFailure | 'aborted', timeoutMs: number, label: string): NetFailure {
  if (failure === 'aborted') return timeoutFailure('request', timeoutMs, label)
  if (failure.code !== 'connection_refused') return failure
  return { ...failure, message: `${failure.message}: nothing listens on this UDP port` }
}
