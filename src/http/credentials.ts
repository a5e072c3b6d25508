import { type SessionCredential, isOwnOrigin } from '#operations/pipeline/session-credential.ts'

const bearer = /^Bearer +(\S+) *$/i

/**
 * Tokens of a request, X-API-Key before `Authorization: Bearer`: that header may hold a payment credential (scheme
 * `Payment`) instead, which pays and names no caller.
 */
export function tokensOf(headers: Headers): string[] {
  const key = headers.get('x-api-key')?.trim() ?? ''
  const token = bearer.exec(headers.get('authorization')?.trim() ?? '')?.[1] ?? ''
  return [key, token].filter((text) => text !== '')
}

const payment = /^Payment +(\S+)$/i

/** Whether a request says who calls. A lone `Authorization: Payment` says who pays, not who calls. */
export function isNamed(headers: Headers): boolean {
  const authorization = headers.get('authorization')
  const isPaymentAlone = authorization === null || split(authorization).every((text) => payment.test(text))
  return headers.has('x-api-key') || !isPaymentAlone || headers.has('x-perigee-workspace')
}

/** The payment credential: undefined, the text after `Payment`, or a list of several (draft-httpauth-payment-00). */
export function paymentOf(headers: Headers): string | string[] | undefined {
  const [first, ...others] = split(headers.get('authorization') ?? '').flatMap((text) => payment.exec(text)?.[1] ?? [])
  return first === undefined || others.length === 0 ? first : [first, ...others]
}

/** Fields of one name arrive joined by commas; no credential here has one. */
function split(authorization: string): string[] {
  return authorization.split(',').map((text) => text.trim())
}

/** A browser's session, where there may be one. `publicUrl` is the origin of our own pages. */
export function sessionOf({ method, headers }: Request, publicUrl: string): SessionCredential | null {
  const workspace = headers.get('x-perigee-workspace')?.trim() ?? ''
  if (workspace === '' || !headers.has('cookie')) return null
  return { headers, workspace, isOwnOrigin: isOwnOrigin({ method, headers }, publicUrl) }
}
