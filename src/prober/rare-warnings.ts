/** `times` is how often it happened, this time included. */
export type RareWarn = (message: string, details: Record<string, unknown>, times: number) => void

const quietMs = 3_600_000
/** Errors may name targets: beyond so many different ones the oldest is forgotten. */
const maxKnown = 1_000

/**
 * Warnings that every check may give again: each is said at once and then at most once an hour, with the number of
 * times it happened since. Equal are those of equal message and details, whatever round they are about. `now` is a
 * clock that never goes back.
 */
export function rarely(say: RareWarn, now: () => number): RareWarn {
  const known = new Map<string, { saidMs: number; unsaid: number }>()
  return (message, details, times) => {
    const { monitor_id: _, round: __, ...others } = details
    const key = JSON.stringify([message, others])
    const earlier = known.get(key)
    if (earlier !== undefined && now() - earlier.saidMs < quietMs) {
      earlier.unsaid += times
      return
    }
    known.delete(key)
    const [oldest] = known.keys()
    if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
    known.set(key, { saidMs: now(), unsaid: 0 })
    say(message, details, times + (earlier?.unsaid ?? 0))
  }
}
