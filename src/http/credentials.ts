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
