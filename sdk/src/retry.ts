import { ConnectionError, PerigeeError } from './errors.ts'

const firstWaitMs = 250
const longestWaitMs = 8_000
/** Answers after which the same request may succeed. */
const passing = new Set([500, 502, 503, 504])

/**
 * Milliseconds to wait before the next attempt, or null where there must be none. A request that was too many (429) was
 * not done, so that any may be repeated; otherwise only one that is safe to repeat is.
 */
export function waitBefore(
  error: unknown,
  { attempt, mayRepeat }: { attempt: number; mayRepeat: boolean },
): number | null {
  const backoffMs = Math.min(longestWaitMs, firstWaitMs * 2 ** attempt) * (0.5 + Math.random() / 2)
  if (error instanceof ConnectionError) return mayRepeat ? backoffMs : null
  if (!(error instanceof PerigeeError)) return null
  const isPassing =
    error.status === 429 || (mayRepeat && passing.has(error.status) && error.code !== 'payments_disabled')
  return isPassing ? Math.max(backoffMs, (error.retryAfterSeconds ?? 0) * 1000) : null
}

/** Ends early with the signal; the next attempt then fails by it. */
export async function pauseFor(waitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, waitMs)
    signal.addEventListener('abort', done)
  })
}
