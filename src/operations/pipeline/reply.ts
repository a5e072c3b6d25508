import type { AppError } from '#core/language/error.ts'
import { apiResource, wellKnown } from '#core/language/well-known.ts'
import type { Reply } from './operation.ts'

/**
 * The error body of the specification, with the headers its status asks for. `publicUrl` has no final slash; `resource`
 * is what was asked.
 */
export function errorReply(error: AppError, publicUrl: string, resource = apiResource(publicUrl)): Reply {
  return {
    status: error.status,
    body: {
      error: error.code,
      message: error.message,
      ...(error.fields === undefined ? {} : { fields: error.fields }),
    },
    headers: {
      ...(error.status === 401 ? { 'WWW-Authenticate': challenge(error.code, resource) } : {}),
      ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) }),
    },
  }
}

const tokenProblems = new Set(['invalid_api_key', 'token_expired'])

/** RFC 6750 3: a challenge names an error only when a token was sent. RFC 9728 5.1: where the resource's metadata are. */
function challenge(code: string, resource: string): string {
  const metadata = `resource_metadata="${wellKnown(resource, 'oauth-protected-resource')}"`
  const error = tokenProblems.has(code) ? ', error="invalid_token"' : ''
  return `Bearer realm="perigee"${error}, ${metadata}`
}
