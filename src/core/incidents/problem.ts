import type { RoundOutcome } from '#core/results/round.ts'

/** A run of rounds that were not clean; the daily bars list it. `at` is in microseconds since 1970. */
export type Problem = { at: number; status: 'down' | 'degraded'; locations: string[] }

/**
 * What a round changes about the running problem. `ended` and `begun` are both set when one status follows the other.
 */
export type ProblemStep = {
  problem: Problem | null
  ended: Problem | null
  begun: { problem: Problem; error: string | null } | null
  /** The running problem, once more locations have seen it. */
  grown: Problem | null
}

export function nextProblem(running: Problem | null, outcome: RoundOutcome, time: number): ProblemStep {
  switch (outcome.type) {
    case 'no_data':
    case 'undecided':
      return { problem: running, ended: null, begun: null, grown: null }
    case 'clean':
      return { problem: null, ended: running, begun: null, grown: null }
    case 'failed':
      return step(running, { at: time, status: 'down', locations: outcome.locations }, outcome.report.verdict.error)
    case 'partial':
      return step(running, { at: time, status: 'degraded', locations: outcome.locations }, outcome.report.verdict.error)
  }
}

function step(running: Problem | null, now: Problem, error: string | null): ProblemStep {
  if (running?.status !== now.status)
    return { problem: now, ended: running, begun: { problem: now, error }, grown: null }
  const added = now.locations.filter((location) => !running.locations.includes(location))
  if (added.length === 0) return { problem: running, ended: null, begun: null, grown: null }
  const grown = { ...running, locations: [...running.locations, ...added] }
  return { problem: grown, ended: null, begun: null, grown }
}
