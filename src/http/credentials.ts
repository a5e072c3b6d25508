import { type SessionCredential, isOwnOrigin } from '#operations/session-credential.ts'

const bearer = /^Bearer +(\S+) *$/i

/**
 * Tokens of a request, X-API-Key before `Authorization: Bearer` (decisions.md C31). Other schemes, such as the
 * `Payment` of a paid retry, are no credential of a caller (specification, Credentials 4).
 */
export function tokensOf(headers: Headers): string[] {
  const key = headers.get('x-api-key')?.trim() ?? ''
  const token = bearer.exec(headers.get('authorization')?.trim() ?? '')?.[1] ?? ''
  return [key, token].filter((text) => text !== '')
}

/** A browser's session, where there may be one. `publicUrl` is the origin of our own pages. */
export function sessionOf({ method, headers }: Request, publicUrl: string): SessionCredential | null {
  const workspace = headers.get('x-perigee-workspace')?.trim() ?? ''
  if (workspace === '' || !headers.has('cookie')) return null
  return { headers, workspace, isOwnOrigin: isOwnOrigin({ method, headers }, publicUrl) }
}
