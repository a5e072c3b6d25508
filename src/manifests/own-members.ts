import { hasAnyOf } from './shapes.ts'

/**
 * Whether an object is a file with these members, and not what a server answers that does not have it: members that
 * such an answer may have as well count only where none says what went wrong.
 */
export function hasOwnMembers(value: Readonly<Record<string, unknown>>, own: readonly string[]): boolean {
  return hasAnyOf(value, own) || (hasAnyOf(value, sharedMembers) && !hasAnyOf(value, membersOfAnswers))
}

const sharedMembers = ['name', 'version', 'description', 'type', 'time']

/** By which servers say what went wrong; some are those of RFC 9457. */
const membersOfAnswers = ['message', 'error', 'errors', 'status', 'statusCode', 'code', 'title', 'detail']
