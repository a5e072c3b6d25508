import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { Report, RoundOutcome } from '#core/results/round.ts'

/** What an engine remembers of a monitor from round to round. */
export type Standing = {
  status: CurrentStatus
  /** Number of failed rounds in a row. */
  failures: number
  /** Number of rounds in a row that did not fail, counted while the monitor is down. */
  successes: number
}

export type Thresholds = { failureThreshold: number; recoveryThreshold: number }

export type Transition =
  | { type: 'none' }
  | { type: 'went_down'; report: Report }
  | { type: 'recovered'; report: Report }

/**
 * Folds one round into a monitor's standing (docs/decisions/rounds-and-time.md, docs/decisions/incidents.md).
 * `went_down` opens an incident, `recovered` ends it; the alert quotes the report.
 */
export function foldRound(
  standing: Standing,
  outcome: RoundOutcome,
  thresholds: Thresholds,
): { standing: Standing; transition: Transition } {
  switch (outcome.type) {
    case 'no_data':
    case 'undecided':
      return { standing, transition: { type: 'none' } }
    case 'failed':
      return foldFailure(standing, outcome.report, thresholds)
    case 'partial':
    case 'clean':
      return foldSuccess(
        standing,
        { report: outcome.report, status: outcome.type === 'clean' ? 'up' : 'degraded' },
        thresholds,
      )
  }
}

function foldFailure(
  standing: Standing,
  report: Report,
  { failureThreshold }: Thresholds,
): ReturnType<typeof foldRound> {
  const failures = standing.failures + 1
  if (standing.status === 'down' || failures < failureThreshold)
    return { standing: { status: standing.status, failures, successes: 0 }, transition: { type: 'none' } }
  return { standing: { status: 'down', failures, successes: 0 }, transition: { type: 'went_down', report } }
}

function foldSuccess(
  standing: Standing,
  { report, status }: { report: Report; status: 'up' | 'degraded' },
  { recoveryThreshold }: Thresholds,
): ReturnType<typeof foldRound> {
  if (standing.status !== 'down')
    return { standing: { status, failures: 0, successes: 0 }, transition: { type: 'none' } }
  const successes = standing.successes + 1
  if (successes < recoveryThreshold)
    return { standing: { status: 'down', failures: 0, successes }, transition: { type: 'none' } }
  return { standing: { status, failures: 0, successes: 0 }, transition: { type: 'recovered', report } }
}
