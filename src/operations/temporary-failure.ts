import { type AppError, fail } from '#core/error.ts'
import { isDatabaseAway } from '#store/database-away.ts'

const retryAfterSeconds = 5

/** What to tell of a failure that may be over a moment later (specification, Errors, 5xx); null for a bug. */
export function temporaryFailure(error: unknown): AppError | null {
  if (!isDatabaseAway(error)) return null
  const message = `The service cannot reach its database now. Try again in ${retryAfterSeconds} s.`
  return fail('unavailable', message, { retryAfterSeconds, cause: error })
}
