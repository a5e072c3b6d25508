import { AppError, fail } from '#core/language/error.ts'
import { type RateState, rateClass, rateHeaders } from '#core/language/rate-limit.ts'
import type { Admission, Place, Surface } from '#operations/admission/admission.ts'
import { type Authenticate, type AuthenticatePerson, type Credentials, consoleOnly } from './authenticate.ts'
import type { Limits } from './limits.ts'
import type { AnyOperation, Caller, RawRequest, Reply, WorkspaceVerb } from './operation.ts'
import { errorReply } from './reply.ts'
import type { Services } from './services.ts'

/** What all calls share. */
export type Frame = {
  services: Services
  authenticate: Authenticate
  authenticatePerson: AuthenticatePerson
  limits: Limits
  admission: Admission
  now: () => Date
}

/** Waits until a request is counted; throws when it is one too many. */
type Count = (counting: Promise<RateState>) => Promise<RateState>

/**
 * The one pipeline of every transport. A request that finds no place is 503. It stops at the first of 401, 429, 403, 404, 400/413/415, 422, so nothing about
 * a record is told to a caller who may not see it (docs/decisions/api-surface.md, "The order of refusals"). A refusal
 * becomes a reply; every other error is a bug and stays thrown.
 */
export async function invoke(
  operation: AnyOperation,
  request: RawRequest & { credentials: Credentials },
  frame: Frame,
): Promise<Reply> {
  let counted: Record<string, string> = {}
  const count: Count = async (counting) => {
    const rate = await counting
    counted = rateHeaders(rate)
    if (rate.isExceeded) throw tooMany(rate)
    return rate
  }
  try {
    const { admission } = frame
    const asked = { surface: surfaceOf(operation, request), caller: admission.callerOf(request.credentials) }
    const reply = await admission.within(asked, (place) =>
      perform(operation, readingApart(request, place), { ...frame, count }),
    )
    return { ...reply, headers: { ...reply.headers, ...counted } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const reply = errorReply(error, frame.services.publicUrl)
    return { ...reply, headers: { ...reply.headers, ...counted } }
  }
}

/** What is paid for asks the processor of the payment. */
function surfaceOf({ method, takesLong, paid }: AnyOperation, { payment, x402 }: RawRequest): Surface {
  const isPaying = payment !== undefined || (x402?.signature ?? null) !== null
  if (takesLong === true || (paid === true && isPaying)) return 'long'
  return rateClass(method)
}

/** A body that is slow in coming holds no place. */
function readingApart<Sent extends RawRequest>(request: Sent, { awaitCaller }: Place): Sent {
  return { ...request, readBody: (maxBytes) => awaitCaller(() => request.readBody(maxBytes)) }
}

async function perform(
  operation: AnyOperation,
  request: RawRequest & { credentials: Credentials },
  { services, authenticate, authenticatePerson, limits, admission, now: clock, count }: Frame & { count: Count },
): Promise<Reply> {
  const now = clock()
  if (operation.actsFor === 'person') {
    const caller = await authenticatePerson(request.credentials)
    admission.know(request.credentials, caller.person.id)
    await count(limits.countRequest(rateClass(operation.method), caller.tokenId))
    return operation.perform({ caller, now, services }, request)
  }
  if (operation.performForStranger !== null && !request.credentials.isNamed) {
    await count(limits.countStranger(request.credentials.address))
    return operation.performForStranger({ now, services }, request)
  }
  const caller = await authenticate(request.credentials, now)
  admission.know(request.credentials, caller.workspaceId)
  if (operation.surface === 'console' && caller.person === null) throw consoleOnly()
  const countAgain = (requests?: number): Promise<RateState> =>
    count(limits.countRequest(rateClass(operation.method), caller.tokenId, requests))
  const { limit } = await countAgain()
  assertAllowed(operation, caller)
  const countMore = async (requests: number): Promise<void> => {
    // A request that counts as more than a minute allows takes the whole minute; otherwise it could never be made.
    await countAgain(Math.min(requests, limit - 1))
  }
  const source = request.credentials.address
  return operation.perform({ caller, now, services, source, countMore }, request)
}

function tooMany({ limit, resetSeconds }: RateState): AppError {
  return fail('rate_limited', `More than ${limit} requests within a minute. Try again in ${resetSeconds} s.`, {
    retryAfterSeconds: resetSeconds,
  })
}

/** A read token can never change or spend anything; nor can a viewer. */
function assertAllowed(operation: WorkspaceVerb, { scope, role, person }: Caller): void {
  if (operation.scope === 'write' && scope !== 'write')
    throw fail(
      'insufficient_scope',
      person === null
        ? 'This operation needs a token with the write scope.'
        : 'Viewers of a workspace cannot change anything in it.',
    )
  if (operation.role === 'owner' && person !== null && role !== 'owner')
    throw fail('insufficient_role', 'Only owners of the workspace can do this.')
}
