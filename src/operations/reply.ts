import type { AppError } from '#core/error.ts'
import type { Reply } from './operation.ts'

/** The error body of the specification, with the headers its status asks for. `publicUrl` has no final slash. */
export function errorReply(error: AppError, publicUrl: string): Reply {
  return {
    status: error.status,
    body: {
      error: error.code,
      message: error.message,
      ...(error.fields === undefined ? {} : { fields: error.fields }),
    },
    headers: {
      ...(error.status === 401 ? { 'WWW-Authenticate': challenge(error.code, publicUrl) } : {}),
      ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) }),
    },
  }
}

/** RFC 6750 3: a challenge names an error only when a token was sent. RFC 9728 5.1: where the metadata are. */
function challenge(code: string, publicUrl: string): string {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"`
  const error = code === 'missing_api_key' ? '' : ', error="invalid_token"'
  return `Bearer realm="perigee"${error}, ${metadata}`
}
