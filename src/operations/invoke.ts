import { AppError, fail } from '#core/error.ts'
import { rateClass, rateHeaders } from '#core/rate-limit.ts'
import type { Authenticate, Credentials } from './authenticate.ts'
import type { Limits } from './limits.ts'
import type { AnyOperation, Caller, RawRequest, Reply } from './operation.ts'
import { errorReply } from './reply.ts'
import type { Services } from './services.ts'

/** What every call needs and no call owns. */
export type Frame = { services: Services; authenticate: Authenticate; limits: Limits; now: () => Date }

/**
 * The one pipeline of every transport. It stops at the first of 401, 429, 403, 404, 400/413/415, 422
 * (decisions.md C6). Refusals are replies; whatever else is thrown is a bug and stays thrown.
 */
export async function invoke(
  operation: AnyOperation,
  request: RawRequest & { credentials: Credentials },
  frame: Frame,
): Promise<Reply> {
  const { services } = frame
  const now = frame.now()
  let counted: Record<string, string> = {}
  try {
    const caller = await frame.authenticate(request.credentials, now)
    const rate = await frame.limits.countRequest(rateClass(operation.method), caller.tokenId)
    counted = rateHeaders(rate)
    if (rate.isExceeded) throw tooMany(rate.limit, rate.resetSeconds)
    assertScope(operation, caller)
    const reply = await operation.perform({ caller, now, services }, request)
    return { ...reply, headers: { ...reply.headers, ...counted } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const reply = errorReply(error, services.publicUrl)
    return { ...reply, headers: { ...reply.headers, ...counted } }
  }
}

function tooMany(limit: number, retryAfterSeconds: number): AppError {
  return fail('rate_limited', `More than ${limit} requests within a minute. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

/** A read token can never change or spend anything (specification, Scopes). */
function assertScope(operation: AnyOperation, caller: Caller): void {
  if (operation.scope === 'write' && caller.scope !== 'write')
    throw fail('insufficient_scope', 'This operation needs a token with the write scope.')
}
