import { createGuard, type Guard, withoutBrackets } from '#net/dial/guard.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import type { Parts } from '#net/dial/reach.ts'

export type GitRepository = {
  /**
   * The address of the repository: https, or http where it leads to a private address. Without query, user or password.
   */
  url: URL
  credentials: GitCredentials | null
}

export type GitCredentials = { user: string; password: string }

/** The value of the header `authorization` (RFC 7617). */
export function basicAuthorization({ user, password }: GitCredentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/**
 * Without TLS, only private addresses that the installation admits may be dialled, so that code and credentials stay in
 * the operator's own networks.
 */
export function partsFor(parts: Parts, { url }: GitRepository): Parts {
  return url.protocol === 'https:' ? parts : { ...parts, guard: insideOnly(parts.guard) }
}

/** The same failure in words that suit a repository. */
export function inWords(failure: NetFailure, { url }: GitRepository): NetFailure {
  if (failure.code !== 'forbidden_address' || url.protocol === 'https:') return failure
  const host = withoutBrackets(url.hostname)
  const message = `http:// is only for private addresses that this installation admits, which ${host} is not: use https://`
  return { ...failure, message }
}

function insideOnly(guard: Guard): Guard {
  const publicOnly = createGuard('none')
  return { ...guard, isAllowed: (address) => guard.isAllowed(address) && !publicOnly.isAllowed(address) }
}
