import { DatabaseError } from 'pg'
import { isLockTimeout } from '#store/database/database-failures.ts'
import { StartError } from '#store/database/start-error.ts'

/** What the database says is for the operator to mend: a full disk, a missing right, a table that is being changed. */
export function explained(error: unknown, what: string): Error {
  if (isLockTimeout(error))
    return new StartError('A table is being changed for longer than a minute. Try again when that is done.', {
      cause: error,
    })
  if (error instanceof DatabaseError) return new StartError(`${what}: ${error.message}.`, { cause: error })
  return error instanceof Error ? error : new Error(`${what}.`, { cause: error })
}
