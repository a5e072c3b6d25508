import { isObject } from '#api-document/openapi-schemas.ts'
import type { Reply } from '#operations/pipeline/operation.ts'

/** Of draft-payment-transport-mcp-00. */
const paymentRequiredCode = -32042
const credentialMember = 'org.paymentauth/credential'
const receiptName = 'org.paymentauth/receipt'

/**
 * What asks for a payment (decisions.md A10). It is no error of the SDK on purpose: the SDK takes one of its own with
 * this code for an elicitation, and turns it into another on the revision of 2026-07-28.
 */
export function paymentRequired(challenges: NonNullable<Reply['challenges']>, problem: unknown): Error {
  const message = isObject(problem) && typeof problem['message'] === 'string' ? problem['message'] : 'Payment required.'
  return Object.assign(new Error(message), {
    code: paymentRequiredCode,
    data: { httpStatus: 402, challenges, problem },
  })
}

/** The credential of a message: in the `_meta` of its parameters, or of the message itself, which the draft allows too. */
export function credentialIn(message: unknown): unknown {
  if (!isObject(message)) return undefined
  const { params } = message
  return memberOf(isObject(params) ? params['_meta'] : undefined) ?? memberOf(message['_meta'])
}

/** Messages as the SDK takes them: it refuses those that have members of their own. */
export function withoutMeta(body: unknown): unknown {
  return Array.isArray(body) ? body.map(plainMessage) : plainMessage(body)
}

function plainMessage(message: unknown): unknown {
  if (!isObject(message)) return message
  const { _meta, ...plain } = message
  return plain
}

/** What proves to the payer that we were paid, where a result carries it. */
export function receiptMember(receipt: Reply['receipt']): { _meta?: Record<string, unknown> } {
  return receipt === undefined ? {} : { _meta: { [receiptName]: receipt } }
}

function memberOf(meta: unknown): unknown {
  return isObject(meta) ? meta[credentialMember] : undefined
}
