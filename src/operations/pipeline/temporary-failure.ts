import { type AppError, fail } from '#core/language/error.ts'
import { isDatabaseAway } from '#store/database/database-away.ts'
import { isConflict } from '#store/database/database-failures.ts'

const retryAfterSeconds = 5

/** The 503 for a failure that may be over a moment later; null for a bug. */
export function temporaryFailure(error: unknown): AppError | null {
  const reason = reasonOf(error)
  if (reason === null) return null
  return fail('unavailable', `${reason} Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds, cause: error })
}

function reasonOf(error: unknown): string | null {
  if (isDatabaseAway(error)) return 'The service cannot reach its database now.'
  return isConflict(error) ? 'Too many changes met one another.' : null
}
