import { setTimeout as delay } from 'node:timers/promises'

/**
 * For the rhythm of whatever a test plays: a caller's breath between two calls, the life of a process until it is
 * killed, an outage for as long as it lasts. A test that waits for what it tests waits `until` it is so. Ends early, and
 * without an error, when the signal is aborted.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {})
}
