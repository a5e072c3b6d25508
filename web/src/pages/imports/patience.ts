import { ApiError } from '../../api/ask.ts'

const longestWaitMs = 60_000
/** What another request holds is free within a minute; the limits count by the minute. */
const mostWaits = 20

/**
 * Asks again where the service says that it is too early. Null where it is not wanted any more. A refusal that says no
 * time is thrown.
 */
export async function patiently<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onWaiting: (isWaiting: boolean) => void,
): Promise<T | null> {
  for (let waits = 0; !signal.aborted; waits += 1) {
    try {
      return await work()
    } catch (error) {
      const seconds = error instanceof ApiError ? error.headers.get('retry-after') : null
      if (seconds === null || waits === mostWaits) throw error
      onWaiting(true)
      await wait(Number(seconds) * 1000, signal)
      onWaiting(false)
    }
  }
  return null
}

/** Ends early when it is not wanted any more. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(longestWaitMs, Math.max(1000, ms)))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
