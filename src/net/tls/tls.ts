import { isIP } from 'node:net'
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  type PeerCertificate as NodeCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { describeCertificate, type PeerCertificate } from './certificate.ts'
import { attend, type Connection, discard, release, wrapConnection } from '#net/dial/connection.ts'
import { heldBytes } from '#net/dial/pace.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { maxChain } from '#core/incidents/evidence.ts'
import type { SeenTls, Sight } from '#net/ground/sight.ts'
import { certificateFailure, handshakeFailure } from './tls-failure.ts'

/** `isResumed`: an earlier session was taken up again, and `certificate` is the one of its full handshake. */
export type TlsSession = { protocol: string; cipher: string; certificate: PeerCertificate | null; isResumed: boolean }

/** A session that a server handed out, with the certificate that it showed in the full handshake. */
export type KeptSession = { session: Buffer; certificate: PeerCertificate }

/** Sessions that later handshakes take up again (RFC 8446 2.2; RFC 5077), by the `host:port` of their servers. */
export type Resumption = {
  /** Null where a full handshake is to be made. */
  find: (label: string) => KeptSession | null
  keep: (label: string, kept: KeptSession) => void
}

export type Secured =
  | { ok: true; connection: Connection; session: TlsSession }
  | { ok: false; failure: NetFailure | 'aborted' }

/** A finished handshake, even with a certificate that is not accepted. */
export type Shaken =
  | { ok: true; connection: Connection; socket: TLSSocket; session: TlsSession; problem: NetFailure | null }
  | { ok: false; failure: NetFailure | 'aborted' }

export type TlsTarget = {
  /** Name or literal address without brackets, for which the certificate has to be issued. */
  host: string
  /** `host:port` for texts. */
  label: string
  context: SecureContext
  /** ALPN names to offer (RFC 7301); default: none. */
  protocols?: readonly string[]
  /** Whether a certificate that is not valid for the host is no problem. Default: false. */
  acceptsAny?: boolean | undefined
  /** Asks for the state of the certificate (RFC 6066 8) and is told what came, null for nothing. Default: not asked. */
  onStaple?: ((response: Buffer | null) => void) | undefined
  /** Holds the server's first bytes until the socket is resumed, so that none are lost before a reader is attached. */
  isHeld?: true
  /** Default: the handshake is a full one, and its session is not kept. */
  resumption?: Resumption | undefined
  /** Where what is seen is kept. */
  sight?: Sight | null
}

/**
 * The one context of a process, because building one costs as much as a handshake. It trusts Node's roots and those of
 * NODE_EXTRA_CA_CERTS.
 */
export function createTlsContext(): SecureContext {
  return createSecureContext({})
}

/** Starts TLS over a connected socket. When this refuses the certificate, nothing was sent through the tunnel. */
export async function secure(plain: Connection, target: TlsTarget, signal: AbortSignal): Promise<Secured> {
  const shaken = await shakeHands(plain, target, signal)
  if (!shaken.ok) return shaken
  const { connection, session, problem } = shaken
  if (problem === null) return { ok: true, connection, session }
  discard(connection)
  return { ok: false, failure: problem }
}

/**
 * Judges the certificate after the handshake instead of letting Node refuse it, so that the failure can name its fault.
 */
export function shakeHands(plain: Connection, target: TlsTarget, signal: AbortSignal): Promise<Shaken> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      discard(plain)
      return resolve({ ok: false, failure: 'aborted' })
    }
    let named: NodeCertificate | undefined
    let seen: TlsSession | undefined
    const name = target.host.endsWith('.') ? target.host.slice(0, -1) : target.host
    const resumed = target.resumption?.find(target.label) ?? null
    // Node takes the last of these, though its types do not say so.
    const options = {
      socket: plain.socket,
      host: name,
      servername: isIP(name) === 0 ? name : '',
      secureContext: target.context,
      ...(target.protocols === undefined ? {} : { ALPNProtocols: [...target.protocols] }),
      rejectUnauthorized: false,
      requestOCSP: target.onStaple !== undefined,
      ...(resumed === null ? {} : { session: resumed.session }),
      checkServerIdentity: (_: string, certificate: NodeCertificate) => {
        named = certificate
        return checkServerIdentity(name, certificate)
      },
      highWaterMark: heldBytes,
    }
    const socket = connect(options)
    if (target.resumption !== undefined) keepSessions(socket, target, () => seen?.certificate ?? null)
    const connection = wrapConnection(socket, plain)
    function settle(outcome: Shaken): void {
      signal.removeEventListener('abort', onAbort)
      socket.removeListener('secureConnect', onSecure)
      if (!outcome.ok) discard(connection)
      resolve(outcome)
    }
    function onAbort(): void {
      settle({ ok: false, failure: 'aborted' })
    }
    function onSecure(): void {
      release(connection)
      if (target.isHeld === true) socket.pause()
      const chain = socket.authorized ? null : chainOf(socket)
      const problem = chain === null || target.acceptsAny === true ? null : judge(socket, name, chain)
      if (problem === null) connection.enter()
      else connection.enter(true)
      const session = describeSession(socket, { named, resumed })
      seen = session
      if (target.sight) target.sight.tls = seenTls(session, chain)
      settle({ ok: true, connection, socket, session, problem })
    }
    signal.addEventListener('abort', onAbort)
    socket.once('secureConnect', onSecure)
    if (target.onStaple !== undefined) socket.once('OCSPResponse', target.onStaple)
    attend(connection, {
      onError: (error) => {
        // OpenSSL's own codes are of what the server sent.
        if (error.code?.startsWith('ERR_SSL_') === true) connection.enter()
        settle({ ok: false, failure: handshakeFailure(error, target.label) })
      },
    })
  })
}

/** Node tells of sessions once the handshake is over. Servers of TLS 1.3 hand out several, some of them later. */
function keepSessions(
  socket: TLSSocket,
  { label, resumption }: Pick<TlsTarget, 'label' | 'resumption'>,
  certificateOf: () => PeerCertificate | null,
): void {
  socket.on('session', (session) => {
    const certificate = certificateOf()
    if (certificate !== null) resumption?.keep(label, { session, certificate })
  })
}

function judge(socket: TLSSocket, host: string, chain: readonly NodeCertificate[]): NetFailure {
  // Node's types say Error; at run time this is the code of what OpenSSL or the name check found.
  const reason: unknown = socket.authorizationError
  return certificateFailure({ code: String(reason), host, chain, now: new Date() })
}

/**
 * The certificates that the server sent, leaf first, and the issuer of the last one where this machine knows it. A root
 * names itself as its issuer, which ends the walk.
 */
export function chainOf(socket: TLSSocket): NodeCertificate[] {
  const chain: NodeCertificate[] = []
  const seen = new Set<string>()
  let certificate = socket.getPeerCertificate(true)
  while (
    certificate?.fingerprint256 !== undefined &&
    !seen.has(certificate.fingerprint256) &&
    chain.length < maxChainLength
  ) {
    seen.add(certificate.fingerprint256)
    chain.push(certificate)
    certificate = certificate.issuerCertificate
  }
  return chain
}

/** OpenSSL verifies no longer chain by default either. */
const maxChainLength = 100

/** The whole chain costs as much as a part of the handshake, and tells something only where it was not accepted. */
function seenTls({ protocol, cipher, certificate }: TlsSession, chain: readonly NodeCertificate[] | null): SeenTls {
  const own = certificate === null ? [] : [certificate]
  return { protocol, cipher, chain: chain === null ? own : chain.slice(0, maxChain).flatMap(described) }
}

function described(certificate: NodeCertificate): PeerCertificate[] {
  const shown = describeCertificate(certificate)
  return shown === null ? [] : [shown]
}

type Shown = { named: NodeCertificate | undefined; resumed: KeptSession | null }

/** In a resumed session the server shows no certificate. */
function describeSession(socket: TLSSocket, { named, resumed }: Shown): TlsSession {
  const isResumed = resumed !== null && socket.isSessionReused()
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().name,
    certificate: isResumed ? resumed.certificate : describeCertificate(named ?? socket.getPeerCertificate()),
    isResumed,
  }
}
