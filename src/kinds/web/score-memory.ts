/**
 * Scores of the last hour: each measurement takes the service a minute and costs the operator's quota
 * (docs/decisions/targets-and-kinds.md, "Page speed").
 */
export type ScoreMemory = {
  /** Times are of one clock that never goes back, in milliseconds. */
  keep: (subject: string, score: number, nowMs: number) => void
  recall: (subject: string, nowMs: number) => number | null
}

const keptMs = 3_600_000
const maxSubjects = 10_000

export function createScoreMemory(): ScoreMemory {
  const scores = new Map<string, { score: number; atMs: number }>()
  return {
    keep: (subject, score, nowMs) => {
      // Deleted first, so that the order is that of age.
      scores.delete(subject)
      const [oldest] = scores.keys()
      if (scores.size >= maxSubjects && oldest !== undefined) scores.delete(oldest)
      scores.set(subject, { score, atMs: nowMs })
    },
    recall: (subject, nowMs) => {
      const known = scores.get(subject)
      return known === undefined || nowMs - known.atMs >= keptMs ? null : known.score
    },
  }
}
