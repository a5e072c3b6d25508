import { describeCertificate, type PeerCertificate } from './certificate.ts'
import { timeoutFailure } from '#net/dial/connect-failure.ts'
import { closeGently } from '#net/dial/connection.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { addTime, noTimes, wholeMs } from '#net/dial/phase-times.ts'
import { labelOf, type Parts, reach } from '#net/dial/reach.ts'
import { chainOf, shakeHands, type TlsSession } from './tls.ts'
import type { Phases } from '#core/results/result.ts'

export type TlsProbeRequest = {
  host: string
  port: number
  /** The text of a time-out names this time; `signal` ends the exchange. */
  timeoutMs?: number
}

/** What one handshake shows. A bad certificate is included: `problem` says what is wrong with it. */
export type TlsSight = {
  address: string
  session: TlsSession
  /**
   * From the server's own certificate towards its root, which is included if this machine knows it or the server sent
   * it.
   */
  chain: PeerCertificate[]
  problem: NetFailure | null
}

export type TlsProbeOutcome = { latencyMs: number; phases: Phases } & (
  | { ok: true; sight: TlsSight }
  | { ok: false; failure: NetFailure }
)

/**
 * Makes one handshake and sends nothing through the tunnel. It offers no ALPN name, because a port may serve any
 * protocol.
 */
export async function probeTls(parts: Parts, request: TlsProbeRequest, signal: AbortSignal): Promise<TlsProbeOutcome> {
  const { host, port, timeoutMs } = request
  const label = labelOf(host, port)
  const times = noTimes()
  const startedAt = performance.now()
  const timed = (): Pick<TlsProbeOutcome, 'latencyMs' | 'phases'> => ({
    latencyMs: Math.round(performance.now() - startedAt),
    phases: wholeMs(times),
  })
  const reached = await reach(parts, { host, port, isTls: true, isFresh: true, timeoutMs }, { signal, times })
  if (!reached.ok) return { ...timed(), ok: false, failure: reached.failure }
  const shakenAt = performance.now()
  const sight = parts.traffic.sight()
  const shaken = await shakeHands(reached.connection, { host, label, context: parts.tlsContext(), sight }, signal)
  addTime(times, 'tlsMs', performance.now() - shakenAt)
  if (!shaken.ok) {
    const failure = shaken.failure === 'aborted' ? timeoutFailure('tls', timeoutMs, label) : shaken.failure
    if (sight !== null) sight.failure = failure
    return { ...timed(), ok: false, failure }
  }
  const { connection, socket, session, problem } = shaken
  const chain = chainOf(socket)
    .map(describeCertificate)
    .filter((certificate) => certificate !== null)
  closeGently(connection)
  return { ...timed(), ok: true, sight: { address: connection.address, session, chain, problem } }
}
