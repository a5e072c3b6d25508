import { failureKey } from '#core/incidents/evidence.ts'
import type { Verdict } from '#core/results/result.ts'

/** Which failures are worth telling more of: those before an incident may open, and each that is another one. */
export type FailureStreaks = {
  /** `rounds` in a row open an incident. */
  isWanted: (monitorId: string, verdict: Verdict, rounds: number) => boolean
  /** Whether another failure of this key, which `failureKey` makes, would not be wanted. */
  isTold: (monitorId: string, key: string, rounds: number) => boolean
}

/** Beyond it the oldest is forgotten, which only has something told twice. */
const maxKnown = 10_000

export function createFailureStreaks(): FailureStreaks {
  const known = new Map<string, { key: string; rounds: number }>()
  return {
    isWanted: (monitorId, verdict, rounds) => {
      if (verdict.status !== 'down') {
        known.delete(monitorId)
        return false
      }
      const key = failureKey(verdict)
      const streak = known.get(monitorId)
      if (streak === undefined || streak.key !== key) {
        const [oldest] = known.keys()
        if (streak === undefined && known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
        known.set(monitorId, { key, rounds: 1 })
        return true
      }
      streak.rounds += 1
      return streak.rounds <= rounds
    },
    isTold: (monitorId, key, rounds) => {
      const streak = known.get(monitorId)
      return streak !== undefined && streak.key === key && streak.rounds >= rounds
    },
  }
}
