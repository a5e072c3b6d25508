import type { Admission } from '#operations/admission/admission.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Write = (message: string, details?: Record<string, unknown>) => void

/** What signing in works with. */
export type PeopleParts = Pick<
  Services,
  'database' | 'secrets' | 'publicUrl' | 'signUp' | 'carriers' | 'isForbiddenAddress'
> & {
  limits: Pick<Limits, 'countSignIn' | 'countPassword' | 'countAccount' | 'countMail' | 'countMailbox'>
  admission: Pick<Admission, 'within'>
  log: { debug: Write; warn: Write; error: Write }
  now: () => Date
  /** Default: better-auth's own, of which each hash takes 32 MB and some 60 ms of the processor. */
  passwords?: Passwords
}

/** Hashes passwords to store, and compares those that are given with what is stored. */
export type Passwords = {
  hash: (password: string) => Promise<string>
  verify: (given: { hash: string; password: string }) => Promise<boolean>
}

/** Where better-auth is served. */
export const authPath = '/auth'

/** Set by ourselves on every request, so that a header of the client's does not count. */
export const addressHeader = 'x-perigee-address'
/** The same, as limits count it. */
export const addressGroupHeader = 'x-perigee-address-group'

/** Sign cookies and links, the current one first, as the secret keys do. No secret of better-auth's own exists. */
export function authSecrets(secrets: Pick<PeopleParts['secrets'], 'signatures'>): readonly [string, ...string[]] {
  return secrets.signatures('sign-in', 'better-auth')
}

/**
 * How the names of our cookies begin. On https browsers keep a name with `__Host-` for this host alone (RFC 6265bis
 * 4.1.3.2): another site below the same domain can set none that we would take for ours.
 */
export function cookiePrefix(publicUrl: string): string {
  return `${publicUrl.startsWith('https://') ? '__Host-' : ''}${ownPrefix}`
}

export function sessionCookieName(publicUrl: string): string {
  return `${cookiePrefix(publicUrl)}.session_token`
}

const ownPrefix = 'perigee'
/** The names of before. Until then every cookie with one that was set before the change has ended by itself. */
const earlierPrefix = `__Secure-${ownPrefix}`
const earlierUntil = Date.UTC(2027, 1, 1)

/** The header `Cookie` with names of before as they are now, so that the change of names signed nobody out. */
export function withCurrentNames(cookies: string, { publicUrl, now }: { publicUrl: string; now: Date }): string {
  if (now.getTime() >= earlierUntil || cookies.includes(`${sessionCookieName(publicUrl)}=`)) return cookies
  return publicUrl.startsWith('https://')
    ? cookies.replaceAll(`${earlierPrefix}.`, `${cookiePrefix(publicUrl)}.`)
    : cookies
}
