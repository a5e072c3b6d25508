/** Every code a caller can meet, with the HTTP status it usually has. Specification, Errors; decisions.md B20a. */
export const errorStatuses = {
  invalid_json: 400,
  bad_request: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  token_expired: 401,
  payment_required: 402,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  plan_required: 422,
  limit_reached: 422,
  idempotency_key_reused: 422,
  contact_unconfirmed: 422,
  contact_disabled: 422,
  delivery_failed: 422,
  not_renewable: 422,
  unsupported_kind: 422,
  rate_limited: 429,
  internal: 500,
  payments_disabled: 503,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatuses

/** Problems by field name, as the error body shows them. */
export type Fields = Record<string, string[]>

export type ErrorOptions = { fields?: Fields; status?: number; retryAfterSeconds?: number; cause?: unknown }

/** A caller's mistake or a refusal that the caller is told about. Anything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: Fields | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = options.status ?? errorStatuses[code]
    this.fields = options.fields
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

export function fail(code: ErrorCode, message: string, options: ErrorOptions = {}): AppError {
  return new AppError(code, message, options)
}

export function invalidFields(fields: Fields, options: { status?: number } = {}): AppError {
  const [first] = Object.entries(fields)
  const message = first === undefined ? 'The request is not valid.' : `${first[0]}: ${first[1][0] ?? 'is not valid'}`
  return new AppError('validation_failed', message, { ...options, fields })
}
