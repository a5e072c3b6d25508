// What every caller is answered, from the rules of roles alone: nothing here asks the product.
import type { ErrorCode } from '#core/language/error.ts'
import type { AnyOperation } from '#operations/pipeline/operation.ts'

export const callerNames = [
  'nobody',
  'expired token',
  'revoked token',
  'read token',
  'viewer',
  'member',
  'unclaimed agent',
  'token of another workspace',
  'owner of another workspace',
  'owner of another workspace who names this one',
] as const
export type CallerName = (typeof callerNames)[number]

/**
 * `refused`: with this code. `foreign`: the ids of this workspace are answered like ids that are nowhere. `allowed`: the
 * caller may do it. `apart`: the operation asks for no workspace and acts for its caller alone.
 */
export type Expected = { is: 'refused'; code: ErrorCode } | { is: 'foreign' | 'allowed' | 'apart' }

const foreign = { is: 'foreign' } as const
const allowed = { is: 'allowed' } as const
const apart = { is: 'apart' } as const
const refused = (code: ErrorCode): Expected => ({ is: 'refused', code })

/** Anybody may ask what a monitor costs, and pay for one. */
const openToNobody: ReadonlySet<string> = new Set(['create_monitor', 'quote_monitor'])
/** Members remove none but themselves. The operation is open to viewers, because they may leave. */
const forOwners: ReadonlySet<string> = new Set(['remove_member'])

export function expectedOf(operation: AnyOperation, caller: CallerName): Expected {
  return operation.actsFor === 'person' ? ofPersons(caller) : ofWorkspaces(operation, caller)
}

function ofPersons(caller: CallerName): Expected {
  if (caller === 'nobody') return refused('not_signed_in')
  if (isProgram(caller)) return refused('session_required')
  return caller === 'viewer' || caller === 'member' ? allowed : apart
}

function ofWorkspaces(operation: AnyOperation, caller: CallerName): Expected {
  const { name, surface, scope, role } = operation
  const isForOwners = role === 'owner' || forOwners.has(name)
  switch (caller) {
    case 'nobody':
      return openToNobody.has(name) ? apart : refused('missing_api_key')
    case 'expired token':
      return refused('token_expired')
    case 'revoked token':
      return refused('invalid_api_key')
    case 'read token':
      if (surface === 'console') return refused('session_required')
      return scope === 'write' ? refused('insufficient_scope') : allowed
    case 'viewer':
      if (scope === 'write') return refused('insufficient_scope')
      return isForOwners ? refused('insufficient_role') : allowed
    case 'member':
      return isForOwners ? refused('insufficient_role') : allowed
    case 'unclaimed agent':
    case 'token of another workspace':
      return surface === 'console' ? refused('session_required') : foreign
    case 'owner of another workspace':
      return foreign
    case 'owner of another workspace who names this one':
      return refused('not_a_member')
  }
}

function isProgram(caller: CallerName): boolean {
  return caller.endsWith('token') || caller.endsWith('agent') || caller.startsWith('token')
}
