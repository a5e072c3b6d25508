import type { AppError } from '#core/language/error.ts'
import { apiResource, wellKnown } from '#core/language/well-known.ts'
import type { Reply } from './operation.ts'

/**
 * A refusal with the headers that its status needs. `publicUrl` has no final slash; `resource` is the protected
 * resource that was asked for (RFC 9728).
 */
export function errorReply(error: AppError, publicUrl: string, resource = apiResource(publicUrl)): Reply {
  return {
    status: error.status,
    body: {
      error: error.code,
      message: tokenProblems.has(error.code)
        ? `${error.message} ${publicUrl}/auth.md says how programs get a token.`
        : error.message,
      ...(error.fields === undefined ? {} : { fields: error.fields }),
    },
    headers: {
      ...(error.status === 401 ? { 'WWW-Authenticate': challenge(error.code, resource) } : {}),
      ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) }),
    },
  }
}

const tokenProblems = new Set(['missing_api_key', 'invalid_api_key', 'token_expired'])

/**
 * A challenge names an error only when a token was sent (RFC 6750 3), and says where the metadata of the resource are
 * (RFC 9728 5.1).
 */
function challenge(code: string, resource: string): string {
  const metadata = `resource_metadata="${wellKnown(resource, 'oauth-protected-resource')}"`
  const isSent = tokenProblems.has(code) && code !== 'missing_api_key'
  const error = isSent ? ', error="invalid_token"' : ''
  return `Bearer realm="perigee"${error}, ${metadata}`
}
