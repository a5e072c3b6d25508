import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Write = (message: string, details?: Record<string, unknown>) => void

/** What signing in works with. */
export type PeopleParts = Pick<Services, 'database' | 'secrets' | 'publicUrl' | 'signUp'> & {
  limits: Pick<Limits, 'countSignIn' | 'countPassword' | 'countMail'>
  log: { debug: Write; warn: Write; error: Write }
  now: () => Date
}

/** Where better-auth is served. */
export const authPath = '/auth'

/** Set by ourselves on every request, so that a header of the client's does not count. */
export const addressHeader = 'x-perigee-address'
/** The same, as limits count it. */
export const addressGroupHeader = 'x-perigee-address-group'

/** Signs cookies and links. No secret of better-auth's own exists. */
export function authSecret(secrets: Pick<PeopleParts['secrets'], 'sign'>): string {
  return secrets.sign('sign-in', 'better-auth')
}

/** Browsers let a name with this prefix be set by https answers only. */
export function sessionCookieName(publicUrl: string): string {
  return `${publicUrl.startsWith('https://') ? '__Secure-' : ''}${cookiePrefix}.session_token`
}

export const cookiePrefix = 'perigee'
