import type { Person } from '#core/people/person.ts'

/**
 * What the browser of somebody who is signed in sends. Only our own pages can add the header that names the
 * workspace: for those of other origins it takes a preflight, which nothing here answers.
 */
export type SessionCredential = {
  /** With the cookies. */
  headers: Headers
  /** As it was sent; of a person's own operations it names nothing. */
  workspace: string
  /** Whether the page that sent it is ours. */
  isOwnOrigin: boolean
}

export type Session = { id: string; person: Person }

/** Null when nobody is signed in, or no longer. */
export type ReadSession = (headers: Headers) => Promise<Session | null>

/** Browsers name the origin on every request that may change something, and where they do not, say whose it is. */
export function isOwnOrigin({ method, headers }: Pick<Request, 'method' | 'headers'>, publicUrl: string): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return origin === new URL(publicUrl).origin
  if (method !== 'GET' && method !== 'HEAD') return false
  return ['same-origin', null].includes(headers.get('sec-fetch-site'))
}
