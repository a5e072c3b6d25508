import { DatabaseError } from 'pg'

/**
 * Whether a query failed for want of a database that answers: it cannot be reached, shuts down, has no connection,
 * memory or disk left, took too long, or takes no changes now, as a standby does. Such a query may succeed a moment
 * later; any other failure is a bug of ours.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof DatabaseError) return isServerAway(error.code ?? '')
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  if (!(error instanceof Error)) return false
  return clientTexts.has(error.message) || isSocketFailure(error) || isDatabaseAway(error.cause)
}

/**
 * Connection exceptions, insufficient resources, what an operator's intervention ends, a server that only reads, and
 * errors of its disk. PostgreSQL, Appendix A.
 */
const awayClasses = new Set(['08', '53'])
const awayCodes = new Set(['57P01', '57P02', '57P03', '57P04', '57014', '55P03', '25006', '58030'])

function isServerAway(code: string): boolean {
  return awayClasses.has(code.slice(0, 2)) || awayCodes.has(code)
}

/** pg gives these no code; tests make it say most of them. */
const clientTexts = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
])

const socketCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

/** A file that is missing is ENOENT too, but no socket's. */
function isSocketFailure(error: Error): boolean {
  if (!('code' in error) || !('syscall' in error)) return false
  return socketCodes.has(String(error.code)) && socketCalls.has(String(error.syscall))
}
