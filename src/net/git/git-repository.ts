import { createGuard, type Guard, withoutBrackets } from '#net/dial/guard.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import type { Parts } from '#net/dial/reach.ts'

export type GitRepository = {
  /** Of the repository itself, https; http only where it leads to a private address. No query, user or password. */
  url: URL
  credentials: GitCredentials | null
}

export type GitCredentials = { user: string; password: string }

/** The value of a header `authorization`, RFC 7617. */
export function basicAuthorization({ user, password }: GitCredentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/**
 * The parts with which a repository is reached. What travels without TLS stays in networks of the operator's own: then
 * only private addresses that the installation admits may be dialled.
 */
export function partsFor(parts: Parts, { url }: GitRepository): Parts {
  return url.protocol === 'https:' ? parts : { ...parts, guard: insideOnly(parts.guard) }
}

/** The same failure in words that fit a repository. */
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
