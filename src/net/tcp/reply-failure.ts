import { isPublicAddress } from '#net/dial/guard.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'

/** A reply that is no reply of the protocol, or that says no. */
export function problemFailure(message: string): NetFailure {
  return { phase: 'request', code: 'unexpected_reply', message }
}

export function tooMuchFailure(label: string, awaited: string, maxBytes: number): NetFailure {
  const message = `${label} sent more than ${maxBytes / 1024} KiB where ${awaited} was expected`
  return { phase: 'request', code: 'reply_too_long', message }
}

export function closedFailure(label: string, awaited: string, hasBegun: boolean): NetFailure {
  const where = hasBegun ? 'in the middle of' : 'instead of sending'
  return { phase: 'request', code: 'connection_closed', message: `${label} closed the connection ${where} ${awaited}` }
}

/** RFC 3207 6: any host on the way could have inserted what came in clear text after TLS was agreed on. */
export function injectedFailure(label: string, agreement: string): NetFailure {
  const message = `${label} sent more in clear text after it had agreed to ${agreement}, as an attacker on the way would`
  return { phase: 'tls', code: 'starttls_injected', message }
}

/** What speaks against clear text at an address: everybody on the way would read the password and the answers. */
export function openFailure(address: string, label: string): NetFailure | null {
  if (!isPublicAddress(address)) return null
  const message = `${label} is at a public address, to which nothing is said without TLS`
  return { phase: 'connect', code: 'tls_required', message }
}
