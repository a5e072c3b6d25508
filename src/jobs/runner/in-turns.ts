import { setTimeout as wait } from 'node:timers/promises'

const second = 1000
const longestPauseMs = second
/**
 * How long a run rests after each step, in the time that the step took. Merging has to keep up with what comes;
 * everything else has a day for what takes minutes, and leaves the database to others meanwhile.
 */
export const rests = { keepingUp: 1, atLeisure: 3 }
/** How often a table that others use is asked for in one run, at growing distances. */
const attempts = 12
const firstRetryMs = 250
const longestRetryMs = 30 * second

/**
 * Repeats a step as long as it asks for more, and rests after each, so that the database is never busy with the past
 * alone. After a `busy` one it waits longer each time, and gives up in the end: there is another run.
 */
export async function inTurns(
  signal: AbortSignal,
  step: () => Promise<boolean | 'busy'>,
  rest: number = rests.atLeisure,
): Promise<void> {
  let refusals = 0
  while (!signal.aborted) {
    const startedAt = performance.now()
    const hasMore = await step()
    if (hasMore === false) return
    refusals = hasMore === 'busy' ? refusals + 1 : 0
    if (refusals >= attempts) return
    const restMs = Math.min((performance.now() - startedAt) * rest, longestPauseMs)
    const retryMs = Math.min(firstRetryMs * 2 ** (refusals - 1), longestRetryMs)
    await wait(refusals > 0 ? retryMs : restMs, undefined, { signal }).catch(() => {})
  }
}
