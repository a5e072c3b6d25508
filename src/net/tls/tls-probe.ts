import { createSecureContext, type SecureContext, type SecureVersion, type TLSSocket } from 'node:tls'
import { type ChainLink, describeLink } from './certificate.ts'
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
  /** Whether the server is asked for the state of its certificate (RFC 6066 8). Default: false. */
  asksStaple?: boolean
  /** The only versions that are offered, with all ciphers that these know. Default: those that are safe. */
  offers?: { oldest: SecureVersion; newest: SecureVersion }
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
  chain: ChainLink[]
  /** How the key of the connection was agreed on, such as `ECDH X25519`; null where the certificate's own key served. */
  agreement: { name: string; bits: number | null } | null
  /** What the server sent of the state of its certificate, encoded (RFC 6960); null for nothing, or where it was not asked. */
  staple: Buffer | null
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
  // What is kept of a failure is the usual handshake.
  const sight = request.offers === undefined ? parts.traffic.sight() : null
  let staple: Buffer | null = null
  const onStaple = request.asksStaple === true ? (response: Buffer | null) => void (staple = response) : undefined
  const context = contextOf(parts, request)
  const shaken = await shakeHands(reached.connection, { host, label, context, sight, onStaple }, signal)
  addTime(times, 'tlsMs', performance.now() - shakenAt)
  if (!shaken.ok) {
    const failure = shaken.failure === 'aborted' ? timeoutFailure('tls', timeoutMs, label) : shaken.failure
    if (sight !== null) sight.failure = failure
    return { ...timed(), ok: false, failure }
  }
  const { connection, socket, session, problem } = shaken
  const chain = chainOf(socket)
    .map(describeLink)
    .filter((link) => link !== null)
  const agreement = agreementOf(socket)
  closeGently(connection)
  const { address } = connection
  return { ...timed(), ok: true, sight: { address, session, chain, agreement, staple, problem } }
}

/** OpenSSL knows old versions and weak ciphers at its lowest level alone. */
function contextOf(parts: Parts, { offers }: TlsProbeRequest): SecureContext {
  if (offers === undefined) return parts.tlsContext()
  return createSecureContext({
    minVersion: offers.oldest,
    maxVersion: offers.newest,
    ciphers: 'ALL:COMPLEMENTOFALL:@SECLEVEL=0',
  })
}

/** Node tells nothing where no key was made for the connection. */
function agreementOf(socket: TLSSocket): TlsSight['agreement'] {
  const found = socket.getEphemeralKeyInfo()
  if (found === null || !('type' in found) || typeof found.type !== 'string') return null
  const { type, size } = found
  const name = 'name' in found && typeof found.name === 'string' ? ` ${found.name}` : ''
  return { name: `${type}${name}`, bits: size ?? null }
}
