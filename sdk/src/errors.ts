import { type PaymentChallenge, readChallenges } from './payments.ts'

/** What the service answered in place of what was asked for. */
export type Refusal = {
  status: number
  headers: Headers
  /** JSON where it was JSON, otherwise text. */
  body: unknown
}

/** The service refused a request. `code` is for programs and never renamed, `message` is for people. */
export class PerigeeError extends Error {
  override readonly name: string = 'PerigeeError'
  readonly status: number
  /** The `error` of the body, such as `validation_failed`; `unknown` where the answer was not the service's own. */
  readonly code: string
  /** What is wrong with which field; nested fields are written with dots. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** Under this id the log of the service tells more. */
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly body: unknown

  constructor({ status, headers, body }: Refusal) {
    const told = isRecord(body) ? body : {}
    super(typeof told['message'] === 'string' ? told['message'] : `The service answered ${status}.`)
    this.status = status
    this.code = typeof told['error'] === 'string' ? told['error'] : 'unknown'
    this.fields = fieldsOf(told['fields'])
    this.requestId = headers.get('x-request-id')
    this.retryAfterSeconds = readRetryAfter(headers)
    this.body = body
  }
}

/** 401: the token is missing, wrong, revoked or expired. */
export class UnauthorizedError extends PerigeeError {
  override readonly name = 'UnauthorizedError'
}

/** 403: the token may only read. */
export class ForbiddenError extends PerigeeError {
  override readonly name = 'ForbiddenError'
}

/** 404: there is no such record in the workspace of the token. */
export class NotFoundError extends PerigeeError {
  override readonly name = 'NotFoundError'
}

/** 400 and 422: `fields` says what is wrong, where it is a field. */
export class ValidationError extends PerigeeError {
  override readonly name = 'ValidationError'
}

/** 429: too many requests, also after they were tried again. */
export class RateLimitError extends PerigeeError {
  override readonly name = 'RateLimitError'
}

/** 5xx: the service, or what it depends on, is not able to at the moment. */
export class ServerError extends PerigeeError {
  override readonly name = 'ServerError'
}

/** 402: it costs something that credit does not cover, or takes another plan (`plan_required`, without challenges). */
export class PaymentRequiredError extends PerigeeError {
  override readonly name = 'PaymentRequiredError'
  /** One for each way to pay; answer one of them with `credentialFor`. */
  readonly challenges: readonly PaymentChallenge[]
  /** Dollars with two decimals, such as `0.50`. */
  readonly amountDue: string | null

  constructor(refusal: Refusal) {
    super(refusal)
    this.challenges = readChallenges(refusal.headers.get('www-authenticate') ?? '')
    const due = isRecord(refusal.body) ? refusal.body['amount_due'] : undefined
    this.amountDue = typeof due === 'string' ? due : null
  }
}

/** The service was not reached, or the connection broke. Whether a change was made is not known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** The deadline of the call passed. Whether a change was made is not known. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

export function errorOf(refusal: Refusal): PerigeeError {
  switch (refusal.status) {
    case 400:
    case 422:
      return new ValidationError(refusal)
    case 401:
      return new UnauthorizedError(refusal)
    case 402:
      return new PaymentRequiredError(refusal)
    case 403:
      return new ForbiddenError(refusal)
    case 404:
      return new NotFoundError(refusal)
    case 429:
      return new RateLimitError(refusal)
    default:
      return refusal.status >= 500 ? new ServerError(refusal) : new PerigeeError(refusal)
  }
}

/** In seconds, or a date (RFC 9110 10.2.3). */
function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

function fieldsOf(value: unknown): Record<string, string[]> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, problems]) => [name, Array.isArray(problems) ? problems.map(String) : []]),
  )
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
