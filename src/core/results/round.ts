import type { Verdict } from './result.ts'

/** What a round came to (decisions.md A2). */
export type RoundOutcome =
  | { type: 'failed'; report: Report; locations: string[] }
  /** Some failures, too few to confirm, beside a location that got an answer; or a degraded result. */
  | { type: 'partial'; report: Report; locations: string[] }
  | { type: 'clean'; report: Report }
  /** Failures, too few to confirm, and nobody who saw it work: like no data it touches no streak. */
  | { type: 'undecided'; report: Report }
  /** Nobody answered: it neither adds to a streak nor resets one. */
  | { type: 'no_data' }

/**
 * A round closes this long after the timeout of its check, so that a location far away still counts. A check that has not
 * begun by then is of no use.
 */
export const roundGraceMs = 10_000

/** Results of older rounds are refused and kept by no broker, so the rows before them may be merged. */
export const oldestRoundMs = 7_200_000

/** One location's word on a round. */
export type Report = { location: string; verdict: Verdict }

/** The locations that take part, and what they said so far. Locations are few: at most ten. */
export type Round = {
  /** Locations that were asked and have not answered yet. */
  waiting: string[]
  taking: number
  /** Failures and degraded results in the order of arrival, which decides only the quoted cause. */
  failures: Report[]
  degraded: Report[]
  clean: Report | null
}

export function openRound(locations: readonly string[]): Round {
  return { waiting: [...locations], taking: locations.length, failures: [], degraded: [], clean: null }
}

/**
 * Adds a location's answer, null where it could not tell. False when the location was not waited for: it does not
 * take part, or has answered before.
 */
export function addReport(round: Round, location: string, verdict: Verdict | null): boolean {
  const place = round.waiting.indexOf(location)
  if (place === -1) return false
  round.waiting.splice(place, 1)
  if (verdict === null) return true
  const report = { location, verdict }
  if (verdict.status === 'down') round.failures.push(report)
  else if (verdict.status === 'degraded') round.degraded.push(report)
  else round.clean ??= report
  return true
}

/**
 * The outcome once it is certain: enough failures at any moment, anything else when all have answered or the deadline
 * has passed. Null while it is open. Locations that could not tell, or said nothing, took part all the same: that they
 * are unwell makes the others no more certain (docs/decisions/rounds-and-time.md).
 */
export function outcomeOf(
  round: Round,
  settings: { confirmationThreshold: number; isPastDeadline: boolean },
): RoundOutcome | null {
  const needed = Math.min(settings.confirmationThreshold, round.taking)
  const [failure] = round.failures
  const [degraded] = round.degraded
  if (failure !== undefined && round.failures.length >= needed)
    return { type: 'failed', report: failure, locations: codesOf(round.failures) }
  if (round.waiting.length > 0 && !settings.isPastDeadline) return null
  const worst = failure ?? degraded
  if (worst === undefined) return round.clean === null ? { type: 'no_data' } : { type: 'clean', report: round.clean }
  if (degraded === undefined && round.clean === null) return { type: 'undecided', report: worst }
  return { type: 'partial', report: worst, locations: codesOf([...round.failures, ...round.degraded]) }
}

function codesOf(reports: Report[]): string[] {
  return reports.map(({ location }) => location).toSorted()
}
