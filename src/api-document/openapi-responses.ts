import type { AnyOperation, Success } from '#operations/pipeline/operation.ts'
import { parameterNames } from '#operations/pipeline/query.ts'
import { type JsonSchema, schemaRoot } from './openapi-schemas.ts'

/** Answers that read the same for every operation, by status. */
const refusals: Readonly<Record<number, { name: string; description: string }>> = {
  400: { name: 'BadRequest', description: 'The request could not be read, or is not valid.' },
  401: { name: 'Unauthorized', description: 'The token is missing, wrong, revoked or expired.' },
  402: { name: 'PaymentRequired', description: 'The operation has to be paid for.' },
  403: { name: 'Forbidden', description: 'The token lacks the write scope.' },
  404: { name: 'NotFound', description: 'There is no such resource in this workspace.' },
  413: { name: 'TooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not `application/json`.' },
  422: { name: 'Unprocessable', description: 'The request was understood and refused; `fields` says which parts.' },
  429: { name: 'RateLimited', description: 'Too many requests, failed sign-ins or confirmation mails.' },
  503: {
    name: 'Unavailable',
    description: 'Not possible now: the service has more to do than it can, or payments are switched off.',
  },
}
/** The 402 of an operation that costs nothing: another plan is the way on, so the answer carries no challenge. */
const planRequired = { name: 'PlanRequired', description: 'The plan of the workspace does not include this.' }
const unchanged = { name: 'Unchanged', description: 'The client has this answer: `If-None-Match` names its tag.' }
const internal = { name: 'Internal', description: 'Something went wrong on the server. Try again later.' }

const errorContent = {
  'application/json': { schema: { $ref: `${schemaRoot}Error` } },
  'application/problem+json': { schema: { $ref: `${schemaRoot}ErrorProblem` } },
}
const paymentContent = { 'application/problem+json': { schema: { $ref: `${schemaRoot}PaymentRequired` } } }

const commonHeaderNames = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Ignored-Parameters']

export const headerComponents: JsonSchema = {
  'RateLimit-Limit': header('Requests allowed in the window of one minute.', { type: 'integer', minimum: 1 }),
  'RateLimit-Remaining': header('Requests left in the window.', { type: 'integer', minimum: 0 }),
  'RateLimit-Reset': header('Seconds until the window ends.', { type: 'integer', minimum: 1 }),
  'Ignored-Parameters': header(
    'The query parameters that this operation does not know: the first 20 names, percent-encoded.',
    { type: 'string' },
  ),
  Link: header('Where the list goes on: the address of the next page, with `rel="next"` (RFC 8288).', {
    type: 'string',
  }),
  Location: header('Where what was made is read (RFC 9110).', { type: 'string', format: 'uri' }),
  ETag: header('A weak tag for `If-None-Match` (RFC 9110 13.1.2); answers of more than 131,072 characters have none.', {
    type: 'string',
  }),
  'Retry-After': header('Seconds to wait.', { type: 'integer', minimum: 1 }),
  'Payment-Receipt': header('If this request was paid: base64url JSON with the reference of the payment.', {
    type: 'string',
  }),
  'PAYMENT-REQUIRED': header('An offer of x402 v2 in base64 JSON, where the service is paid by a chain.', {
    type: 'string',
  }),
  'PAYMENT-RESPONSE': header('What became of a payment by x402 v2, in base64 JSON.', { type: 'string' }),
  'WWW-Authenticate': header('A challenge: `Bearer` with `resource_metadata` on 401, `Payment` on 402.', {
    type: 'string',
  }),
}

/** The refusals that some operation can answer. */
export function responseComponents(operations: readonly AnyOperation[]): JsonSchema {
  const used = new Set(
    operations.flatMap((operation) =>
      refusalStatuses(operation)
        .filter((status) => status !== 402 || !needsPlan(operation))
        .map(String),
    ),
  )
  const entries = Object.entries(refusals)
    .filter(([status]) => used.has(status))
    .map(([status, refusal]) => [refusal.name, refusalResponse(status, refusal)])
  return {
    ...Object.fromEntries(entries),
    ...(operations.some(needsPlan)
      ? { [planRequired.name]: { description: planRequired.description, content: errorContent } }
      : {}),
    [internal.name]: { description: internal.description, content: errorContent },
    [unchanged.name]: { description: unchanged.description, headers: headerReferences(['ETag']) },
  }
}

type Answers = {
  /** The schema of a success. */
  schemaOf: (success: Success) => JsonSchema | undefined
  /** Whether what it makes has an address of its own. */
  makesReadable: boolean
}

/** All answers of one operation. */
export function responsesOf(operation: AnyOperation, { schemaOf, makesReadable }: Answers): JsonSchema {
  const successes = [operation.success, ...(operation.otherSuccess === undefined ? [] : [operation.otherSuccess])]
  const headers = [
    ...commonHeaderNames,
    ...(operation.paid === true ? ['Payment-Receipt', 'PAYMENT-RESPONSE'] : []),
    ...(parameterNames(operation).has('cursor') ? ['Link'] : []),
    ...(operation.method === 'GET' ? ['ETag'] : []),
  ]
  return {
    ...Object.fromEntries(
      successes.map((success) => {
        const own = makesReadable && success.status === 201 ? [...headers, 'Location'] : headers
        return [success.status, successResponse(success, schemaOf(success), own)]
      }),
    ),
    ...(operation.method === 'GET' ? { 304: { $ref: `#/components/responses/${unchanged.name}` } } : {}),
    ...Object.fromEntries(refusalStatuses(operation).map((status) => [status, referTo(status, operation)])),
    default: { $ref: `#/components/responses/${internal.name}` },
  }
}

function refusalStatuses(operation: AnyOperation): number[] {
  const general = operation.body === undefined ? [] : [400, 413, 415]
  const query = operation.query?.refusal === 400 ? [400] : []
  return [...new Set([...operation.errors, ...general, ...query, 429, 503])].toSorted((a, b) => a - b)
}

function needsPlan({ paid, errors }: AnyOperation): boolean {
  return paid !== true && errors.includes(402)
}

function referTo(status: number, operation: AnyOperation): JsonSchema {
  const refusal = status === 402 && needsPlan(operation) ? planRequired : refusals[status]
  if (refusal === undefined) throw new Error(`No answer is described for status ${status}.`)
  return { $ref: `#/components/responses/${refusal.name}` }
}

function successResponse(
  { description, asMarkdown, texts }: Success,
  schema: JsonSchema | undefined,
  headers: readonly string[],
): JsonSchema {
  const types = [
    ...(asMarkdown === undefined ? [] : ['text/markdown']),
    ...(texts === undefined ? [] : texts.map(({ type }) => type)),
  ]
  const content = {
    ...(schema === undefined ? {} : { 'application/json': { schema } }),
    ...Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
  }
  return {
    description,
    headers: headerReferences(headers),
    ...(Object.keys(content).length === 0 ? {} : { content }),
  }
}

function refusalResponse(status: string, { description }: { description: string }): JsonSchema {
  const retry = ['Retry-After']
  const headers = {
    401: ['WWW-Authenticate'],
    402: ['WWW-Authenticate', 'PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'],
    429: retry,
    503: retry,
  }[status]
  return {
    description,
    ...(headers === undefined ? {} : { headers: headerReferences(headers) }),
    content: status === '402' ? paymentContent : errorContent,
  }
}

function headerReferences(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function header(description: string, schema: JsonSchema): JsonSchema {
  return { description, schema }
}
