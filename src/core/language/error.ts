/**
 * Every code that a caller can meet, with its usual HTTP status. Codes may be added but are never renamed, because
 * clients decide by them (docs/versioning.md).
 */
const errorStatuses = {
  invalid_json: 400,
  bad_request: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  token_expired: 401,
  not_signed_in: 401,
  not_a_member: 401,
  provider_required: 401,
  forbidden_origin: 401,
  session_required: 401,
  payment_required: 402,
  insufficient_scope: 403,
  insufficient_role: 403,
  budget_exceeded: 403,
  wrong_person: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  plan_required: 422,
  limit_reached: 422,
  idempotency_key_reused: 422,
  claim_required: 422,
  contact_unconfirmed: 422,
  contact_disabled: 422,
  delivery_failed: 422,
  not_renewable: 422,
  unsupported_kind: 422,
  unknown_software: 422,
  unrecognized_format: 422,
  no_fix_version: 422,
  not_verifiable: 422,
  still_open: 422,
  last_owner: 422,
  domain_not_proved: 422,
  domain_taken: 422,
  not_by_hand: 422,
  rate_limited: 429,
  // Codes of the endpoints for agents (docs/agents.md).
  invalid_request: 400,
  invalid_login_hint: 400,
  invalid_issuer: 400,
  invalid_signature: 400,
  invalid_audience: 400,
  expired: 400,
  replay_detected: 400,
  missing_verified_email: 400,
  invalid_claim_token: 401,
  claimed_or_in_flight: 409,
  claim_expired: 410,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  invalid_client: 401,
  access_denied: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  temporarily_unavailable: 503,
  internal: 500,
  payments_disabled: 503,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatuses

/** Problems by the name of the field, as the error body shows them. */
export type Fields = Record<string, string[]>

export type ErrorOptions = { fields?: Fields; status?: number; retryAfterSeconds?: number; cause?: unknown }

/** A caller's mistake, or a refusal that the caller is told. Any other error that is thrown is a bug. */
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
