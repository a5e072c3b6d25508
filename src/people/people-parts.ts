import type { SignUp } from '#core/people/person.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Database } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'

type Write = (message: string, details?: Record<string, unknown>) => void

/** What signing in works with. */
export type PeopleParts = {
  database: Database
  secrets: Secrets
  limits: Pick<Limits, 'countSignIn' | 'countPassword' | 'countMail'>
  /** Root of the service, without a final slash. Its origin alone is listened to. */
  publicUrl: string
  signUp: SignUp
  log: { debug: Write; warn: Write; error: Write }
  now: () => Date
}

/** Where better-auth is served. */
export const authPath = '/auth'

/** Set by ourselves on every request, so that nobody else's word for an address counts. */
export const addressHeader = 'x-perigee-address'
/** The same, as limits count it. */
export const addressGroupHeader = 'x-perigee-address-group'

/** Signs cookies and links. No secret of better-auth's own exists. */
export function authSecret(secrets: Pick<Secrets, 'sign'>): string {
  return secrets.sign('sign-in', 'better-auth')
}

/** Browsers let a name with this prefix be set by https answers only. */
export function sessionCookieName(publicUrl: string): string {
  return `${publicUrl.startsWith('https://') ? '__Secure-' : ''}${cookiePrefix}.session_token`
}

export const cookiePrefix = 'perigee'
