import { type AppError, type ErrorCode, fail } from '#core/language/error.ts'
import type { Reply } from '#operations/pipeline/operation.ts'

/** Every answer that may hold a secret, and every refusal (RFC 6749 5.1). */
export const unstored = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const

/** A refusal in the envelope of RFC 6749 5.2; `message` is what the API's own errors have. */
export function refusalReply(error: AppError): Reply {
  const { code, message, status } = asRefusal(error)
  return {
    status,
    body: { error: code, error_description: message, message },
    headers: {
      ...unstored,
      ...(status === 401 ? { 'WWW-Authenticate': agentChallenge({ error: code, description: message }) } : {}),
      ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) }),
    },
  }
}

/** `parameters` beside the error; texts of ours, which hold no quotation mark. */
export function agentChallenge(challenge: { error: string; description: string; maxAge?: number }): string {
  const { error, description, maxAge } = challenge
  const age = maxAge === undefined ? '' : `, max_age="${maxAge}"`
  return `AgentAuth error="${error}"${age}, error_description="${description}"`
}

const bodyProblems = new Set<ErrorCode>(['bad_request', 'invalid_json', 'unsupported_media_type'])

/** What a body is refused for elsewhere has one name here: "fix the request". */
function asRefusal(error: AppError): { code: string; message: string; status: number } {
  const { code, message, status } = error
  if (code === 'too_large') return { code: 'invalid_request', message, status }
  if (bodyProblems.has(code)) return { code: 'invalid_request', message, status: 400 }
  return { code, message, status }
}

export function invalidRequest(description: string): AppError {
  return fail('invalid_request', description)
}
