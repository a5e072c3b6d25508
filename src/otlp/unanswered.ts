/**
 * Why a request by `fetch` had no answer, as the end of a sentence about its receiver. The address and its headers may
 * hold keys, and messages of errors may name them, so only the code of an error is told.
 */
export function unanswered(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null
  if (cause !== null && 'code' in cause && typeof cause.code === 'string')
    return `could not be reached, or broke off (${cause.code}).`
  return 'did not answer in time.'
}
