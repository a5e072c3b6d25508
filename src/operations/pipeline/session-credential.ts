import type { Person } from '#core/people/person.ts'

/**
 * What the browser of a signed-in person sends. Only our own pages can add the header that names the workspace: to
 * pages of other origins no preflight allows it.
 */
export type SessionCredential = {
  /** The headers of the request, cookies among them. */
  headers: Headers
  /** The header X-Perigee-Workspace, unvalidated; ignored by operations in which a person acts in no workspace. */
  workspace: string
  /** Whether the page that sent it is ours. */
  isOwnOrigin: boolean
}

export type Session = { id: string; person: Person }

/** Null without a session, or when it has ended. */
export type ReadSession = (headers: Headers) => Promise<Session | null>

/** Browsers send `Origin` with every request that may change something, and `Sec-Fetch-Site` with the others. */
export function isOwnOrigin({ method, headers }: Pick<Request, 'method' | 'headers'>, publicUrl: string): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return origin === new URL(publicUrl).origin
  if (method !== 'GET' && method !== 'HEAD') return false
  return ['same-origin', null].includes(headers.get('sec-fetch-site'))
}
