import { type AppError, fail } from '#core/language/error.ts'
import { mcpResource } from '#core/language/well-known.ts'
import { readJson } from '#http/body.ts'
import { isNamed, tokensOf } from '#http/credentials.ts'
import { isObject } from '#api-document/openapi-schemas.ts'
import { toResponse } from '#http/response.ts'
import type { Credentials } from '#operations/pipeline/authenticate.ts'
import type { Frame } from '#operations/pipeline/invoke.ts'
import type { Caller } from '#operations/pipeline/operation.ts'
import { errorReply } from '#operations/pipeline/reply.ts'

/** A request that may be looked at. `caller` is null for a stranger. */
export type Admitted = { body: unknown; caller: Caller | null; credentials: Credentials }

export type Message = { method: string; params: Record<string, unknown> }

export type Gate = {
  frame: Frame
  /** Whether strangers may send it. */
  isOpen: (message: Message) => boolean
}

/** An import of 5,000,000 characters, and the message around it. */
const maxBytes = 6_000_000
/** What strangers send is no larger than what the API takes of them. */
const maxStrangerBytes = 1024 * 1024
const maxMessages = 20
/** The last revision that knows several messages at once; its clients name no revision with a request. */
const batchRevision = '2025-03-26'

/**
 * Looks at everything but the protocol: where a request comes from, who sent it, and how large it is. Browsers name
 * the page that sends it, and a page of others may have led its own name here. Throws refusals.
 */
export async function admit(request: Request, address: string, { frame, isOpen }: Gate): Promise<Admitted> {
  const { headers } = request
  const origin = headers.get('origin')
  if (origin !== null && origin !== new URL(frame.services.publicUrl).origin)
    throw fail('forbidden_origin', 'Pages of other origins may not call this.', { status: 403 })
  const credentials = { tokens: tokensOf(headers), isNamed: isNamed(headers), session: null, address }
  const caller = credentials.isNamed ? await frame.authenticate(credentials, frame.now()) : null
  if (caller === null) await assertCalm(frame, address)
  const body = await readJson(request, caller === null ? maxStrangerBytes : maxBytes)
  if (body === undefined) throw fail('invalid_json', 'Send a message of JSON-RPC as the body.')
  const messages = messagesIn(body, headers.get('mcp-protocol-version') ?? batchRevision)
  if (caller === null && !messages.every((message) => isOpenMessage(message, isOpen)))
    throw fail('missing_api_key', 'Send an API token in the header X-API-Key or as a Bearer token.')
  return { body, caller, credentials }
}

function messagesIn(body: unknown, revision: string): unknown[] {
  if (!Array.isArray(body)) return [body]
  if (revision !== batchRevision) throw fail('bad_request', `The revision ${revision} sends one message at a time.`)
  if (body.length > maxMessages) throw fail('bad_request', `More than ${maxMessages} messages at once.`)
  return body
}

/** A refusal as clients of the protocol read it: JSON-RPC with the API's own body as its data. */
export function refusalResponse(error: AppError, publicUrl: string): Response {
  const { status, body, headers } = errorReply(error, publicUrl, mcpResource(publicUrl))
  const code = error.code === 'invalid_json' ? -32_700 : -32_000
  const answer = { jsonrpc: '2.0', id: null, error: { code, message: error.message, data: body } }
  return toResponse({ status, body: answer, ...(headers === undefined ? {} : { headers }) })
}

/** Looking around is free, and costs us something all the same. */
async function assertCalm({ limits }: Frame, address: string): Promise<void> {
  const { isExceeded, limit, resetSeconds } = await limits.countAgentCall(address)
  if (!isExceeded) return
  const message = `More than ${limit} requests without a token within a minute. Try again in ${resetSeconds} s.`
  throw fail('rate_limited', message, { retryAfterSeconds: resetSeconds })
}

/** What is no message is for the protocol to refuse. */
function isOpenMessage(message: unknown, isOpen: Gate['isOpen']): boolean {
  if (!isObject(message)) return true
  const { method, params } = message
  if (typeof method !== 'string') return true
  return isOpen({ method, params: isObject(params) ? params : {} })
}
