/** Far above what all threads of a machine check in a second. */
const perSecond = 100_000
/** What is counted while the process that reads it stands still comes at once. */
const atOnce = 10 * perSecond

/**
 * Tells whether checks are counted that no process can have made: a histogram counts them one by one, which would take
 * the thread that does. `now` is a clock in milliseconds that never goes back.
 */
export function createCountLimit(now: () => number): (checks: number) => boolean {
  let left = atOnce
  let lookedMs = now()
  return (checks) => {
    const ms = now()
    left = Math.min(atOnce, left + ((ms - lookedMs) / 1_000) * perSecond) - checks
    lookedMs = ms
    return left < 0
  }
}
