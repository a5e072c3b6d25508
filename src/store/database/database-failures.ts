import { DatabaseError } from 'pg'

/** The values themselves are refused, however often they are sent: PostgreSQL error classes 22 and 23. */
export function isDataError(error: unknown): boolean {
  const code = codeOf(error)
  // A second running incident or problem is a matter of memory that is behind, not of the values.
  return code !== uniqueViolation && (code.startsWith('22') || code.startsWith('23'))
}

/** The monitor was deleted while its result was on the way. */
export function isMissingMonitor(error: unknown): boolean {
  return codeOf(error) === foreignKeyViolation
}

/** A lock could not be had within lock_timeout. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === lockNotAvailable
}

/** A statement took longer than statement_timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === queryCanceled
}

/** A deadlock or a serialization failure: the same transaction may succeed a moment later. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error))
}

/** The server said nothing for so long that the client gave it up; pg gives this no code. */
export function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** A statement names a table that is not there. */
export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === undefinedTable
}

const conflicts = new Set(['40001', '40P01'])
const uniqueViolation = '23505'
const foreignKeyViolation = '23503'
const lockNotAvailable = '55P03'
const queryCanceled = '57014'
const undefinedTable = '42P01'

function codeOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : ''
}
