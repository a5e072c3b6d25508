import { isObject } from '#api-document/openapi-schemas.ts'
import type { Reply } from '#operations/pipeline/operation.ts'

/** The names that draft-payment-transport-mcp-00 gives. */
const paymentRequiredCode = -32042
const credentialMember = 'org.paymentauth/credential'
const receiptName = 'org.paymentauth/receipt'

/**
 * Asks for a payment: JSON-RPC error -32042 with the challenges as its data (docs/mcp.md), and with what is due and how
 * to pay in its message, which is all that many clients show a model. It is no error of the SDK on purpose: the SDK
 * takes one of its own with this code for an elicitation, and turns it into another on the revision of 2026-07-28.
 */
export function paymentRequired({
  challenges,
  terms,
  body: problem,
}: Pick<Reply, 'challenges' | 'terms' | 'body'>): Error {
  const reason = isObject(problem) && typeof problem['message'] === 'string' ? problem['message'] : 'Payment required.'
  const message = [reason, ...(terms === undefined ? [] : [terms]), howToPay].join(' ')
  return Object.assign(new Error(message), {
    code: paymentRequiredCode,
    data: { httpStatus: 402, challenges, problem },
  })
}

const howToPay =
  'The challenges are in data.challenges: call the tool again with the same arguments and the answer to one of them in ' +
  `_meta["${credentialMember}"]. Nothing is charged twice. If you cannot pay, tell your user what is due.`

/** The credential of a message: in the `_meta` of its parameters, or of the message itself, which the draft allows too. */
export function credentialIn(message: unknown): unknown {
  if (!isObject(message)) return undefined
  const { params } = message
  return memberOf(isObject(params) ? params['_meta'] : undefined) ?? memberOf(message['_meta'])
}

/** Messages as the SDK takes them: it refuses a message with members that JSON-RPC does not know. */
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
