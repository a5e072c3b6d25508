import { createSecureContext, type SecureContext } from 'node:tls'
import type { NetFailure } from '#net/dial/net-failure.ts'

/** How TLS is spoken with one host. Other hosts, to which redirects lead, are spoken with as usual. */
export type OwnTls = {
  /** Name or literal address, without brackets. */
  host: string
  /** In PEM: the only authorities that are trusted. Default: those of this machine. */
  authorities?: string | undefined
  /** In PEM, with its private key: what is shown to a server that asks for a certificate. */
  client?: string | undefined
  /** Whether a certificate counts that is not valid for the host. Default: false. */
  acceptsAny?: boolean | undefined
}

export type ContextFor = { ok: true; context: SecureContext } | { ok: false; failure: NetFailure }

/** Building a context costs as much as a handshake, so those of so many monitors are kept. */
const maxKept = 100

export function createOwnContexts(): (own: OwnTls) => ContextFor {
  const kept = new Map<string, ContextFor>()
  return (own) => {
    const key = JSON.stringify([own.authorities, own.client])
    const known = kept.get(key) ?? contextFor(own)
    kept.delete(key)
    kept.set(key, known)
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    return known
  }
}

/** OpenSSL may refuse what could be read when the monitor was made, such as a key that is too short for it. */
function contextFor({ authorities, client }: OwnTls): ContextFor {
  try {
    const trusted = authorities === undefined ? {} : { ca: authorities }
    const shown = client === undefined ? {} : { cert: client, key: client }
    return { ok: true, context: createSecureContext({ ...trusted, ...shown }) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const message = `The monitor's own certificates cannot be used (${code})`
    return { ok: false, failure: { phase: 'tls', code: 'own_certificates', message } }
  }
}
