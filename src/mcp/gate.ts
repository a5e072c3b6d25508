import { AppError, fail } from '#core/language/error.ts'
import { readJson } from '#http/body.ts'
import { isNamed, tokensOf } from '#http/credentials.ts'
import type { LongBodies } from '#http/json-thread.ts'
import { isObject } from '#api-document/openapi-schemas.ts'
import { toResponse } from '#http/response.ts'
import type { Place } from '#operations/admission/admission.ts'
import type { Credentials } from '#operations/pipeline/authenticate.ts'
import type { Frame } from '#operations/pipeline/invoke.ts'
import type { Caller } from '#operations/pipeline/operation.ts'
import { errorReply } from '#operations/pipeline/reply.ts'

/** A request that may be looked at. `caller` is null for a stranger. */
export type Admitted = { body: unknown; caller: Caller | null; credentials: Credentials }

/** A request whose sender is not known, and the id of the call in it, which the answer has to carry (JSON-RPC 2.0, 5). */
export type Unidentified = { refusal: AppError; id: CallId }

type CallId = string | number | null

export type Message = { method: string; params: Record<string, unknown> }

export type Gate = {
  frame: Frame
  /** Whether strangers may send it. */
  isOpen: (message: Message) => boolean
  longBodies: LongBodies
  /** Strangers may send nothing at all. */
  needsToken: boolean
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
 * the page that sends it: a page of another origin needs a token, which no browser adds by itself. Throws refusals.
 */
export async function admit(
  request: Request,
  credentials: Credentials,
  { frame, isOpen, longBodies, needsToken, place }: Gate & { place: Place },
): Promise<Admitted | Unidentified> {
  const { headers } = request
  assertOrigin(request, frame.services.publicUrl, credentials.tokens.length > 0)
  const caller = credentials.isNamed ? await callerOf(credentials, frame) : null
  // Beyond the limit of failures nothing more is read of what strangers send.
  if (caller instanceof AppError && caller.status !== 401) throw caller
  if (caller instanceof AppError) return { refusal: caller, id: idOf(await readBadly(request, place)) }
  if (caller === null && needsToken)
    return refuseStranger(credentials, { frame, id: idOf(await readBadly(request, place)) })
  if (caller === null) await assertCalm(frame, credentials.address)
  const most = caller === null ? maxStrangerBytes : maxBytes
  const body = await place.awaitCaller(() => readJson(request, most, longBodies))
  if (body === undefined) throw fail('invalid_json', 'Send a JSON-RPC message as the body.')
  const messages = messagesIn(body, headers.get('mcp-protocol-version') ?? batchRevision)
  if (caller !== null || messages.every((message) => isOpenMessage(message, isOpen)))
    return { body, caller, credentials }
  return refuseStranger(credentials, { frame, id: idOf(body) })
}

/** Counts as a failure of the address, as in every other part of the API. */
async function refuseStranger(
  credentials: Credentials,
  { frame, id }: { frame: Frame; id: CallId },
): Promise<Unidentified> {
  const refusal = await callerOf(credentials, frame)
  if (refusal instanceof AppError) return { refusal, id }
  throw new Error('A request without a credential has no caller.')
}

/**
 * A page whose origin is the very host that it asks has led its own name here (DNS rebinding), where that is not our
 * name: it is refused, token or not.
 */
function assertOrigin({ headers, url }: Request, publicUrl: string, hasToken: boolean): void {
  const origin = headers.get('origin')
  if (origin === null || origin === new URL(publicUrl).origin) return
  if (URL.canParse(origin) && new URL(origin).host === new URL(url).host)
    throw fail('forbidden_origin', `This endpoint is not called by the name ${new URL(url).host}.`, { status: 403 })
  if (!hasToken)
    throw fail('forbidden_origin', 'Pages from other origins need a token to call this endpoint.', { status: 403 })
}

/** `address` as limits count it. */
export function credentialsOf({ headers }: Request, address: string): Credentials {
  return { tokens: tokensOf(headers), isNamed: isNamed(headers), session: null, address, audience: 'mcp' }
}

/** The refusal of a bad credential, or of none, is returned. */
async function callerOf(credentials: Credentials, frame: Frame): Promise<Caller | AppError> {
  try {
    const caller = await frame.authenticate(credentials, frame.now())
    frame.admission.know(credentials, caller.workspaceId)
    return caller
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** As much as a stranger may send is read for the id; whatever is wrong with it, the credential is refused first. */
async function readBadly(request: Request, place: Place): Promise<unknown> {
  try {
    return await place.awaitCaller(() => readJson(request, maxStrangerBytes))
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Several messages at once have no id in common. */
function idOf(body: unknown): CallId {
  const id = isObject(body) ? body['id'] : null
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function messagesIn(body: unknown, revision: string): unknown[] {
  if (!Array.isArray(body)) return [body]
  if (revision !== batchRevision) throw fail('bad_request', `The revision ${revision} sends one message at a time.`)
  if (body.length > maxMessages) throw fail('bad_request', `Send at most ${maxMessages} messages at a time.`)
  return body
}

/** `resource` is the protected resource that was asked, without a final slash like `publicUrl`. */
type Refusing = { publicUrl: string; resource: string }

/** A refusal as clients of the protocol read it: JSON-RPC with the API's own body as its data. */
export function refusalResponse(error: AppError, { publicUrl, resource }: Refusing, id: CallId = null): Response {
  const { status, body, headers } = errorReply(error, publicUrl, resource)
  const code = error.code === 'invalid_json' ? -32_700 : -32_000
  const answer = { jsonrpc: '2.0', id, error: { code, message: error.message, data: body } }
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
