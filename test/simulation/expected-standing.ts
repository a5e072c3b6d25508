// What a round makes of a monitor, said once more and apart from the product, so that no change of its rules goes along.
import type { Standing, Thresholds } from '#core/incidents/evaluation.ts'
import type { ResultStatus } from '#core/results/result.ts'

export type HeardRound = {
  /** What the locations found that answered in time. */
  statuses: readonly ResultStatus[]
  /** How many locations took part. */
  taking: number
}

/** Whether enough of those who took part agree that the target is down. */
export function hasFailed({ statuses, taking }: HeardRound, confirmationThreshold: number): boolean {
  const failures = statuses.filter((status) => status === 'down').length
  return failures > 0 && failures >= Math.min(confirmationThreshold, taking)
}

/**
 * What a call says of its run, and whether its address says that the run failed; or that no call came in time, or that a
 * run did not end in time.
 */
export type HeardCall = { status: ResultStatus; isReportedFailure: boolean } | 'missed' | 'overrun'

const silence = { status: 'down', isReportedFailure: false } as const

/** Each call is a round of its own. A job that reports its failure is believed at once. */
export function standingAfterCall(before: Standing, call: HeardCall, thresholds: Thresholds): Standing | null {
  const { status, isReportedFailure } = call === 'missed' || call === 'overrun' ? silence : call
  const failureThreshold = isReportedFailure ? 1 : thresholds.failureThreshold
  const round: HeardRound = { statuses: [status], taking: 1 }
  return expectedStanding(before, round, { ...thresholds, failureThreshold, confirmationThreshold: 1 })
}

/** Null where nothing was heard. */
export function expectedStanding(
  before: Standing,
  round: HeardRound,
  thresholds: Thresholds & { confirmationThreshold: number },
): Standing | null {
  const { failureThreshold, recoveryThreshold, confirmationThreshold } = thresholds
  if (round.statuses.length === 0) return null
  if (hasFailed(round, confirmationThreshold)) {
    const failures = before.failures + 1
    return { status: failures >= failureThreshold ? 'down' : before.status, failures, successes: 0 }
  }
  // Too few failed, and no other location got an answer: that says nothing.
  if (round.statuses.every((status) => status === 'down')) return before
  const successes = before.successes + 1
  if (before.status === 'down' && successes < recoveryThreshold) return { status: 'down', failures: 0, successes }
  const isClean = round.statuses.every((status) => status === 'up')
  return { status: isClean ? 'up' : 'degraded', failures: 0, successes: 0 }
}
