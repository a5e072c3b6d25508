import type { Verdict } from './result.ts'

/** The outcome of a round (docs/decisions/rounds-and-time.md, "What a round may claim"). */
export type RoundOutcome =
  | { type: 'failed'; report: Report; locations: string[] }
  /** Locations failed, too few to confirm, and another one got an answer; or a location found the target degraded. */
  | { type: 'partial'; report: Report; locations: string[] }
  | { type: 'clean'; report: Report }
  /** Locations failed, too few to confirm, and no location got an answer: like no data it touches no streak. */
  | { type: 'undecided'; report: Report }
  /** No location answered: the round neither adds to a streak nor resets one. */
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

/** The verdict is null where the prober could not tell. */
export type RoundAnswer = { location: string; verdict: Verdict | null }

/**
 * The witness of each location that names one: locations of one machine are one witness, because its troubles are those
 * of all of them. A location without a witness here is one by itself.
 */
export type Witnesses = ReadonlyMap<string, string>

/** The locations that take part, and their answers so far. Arrays suffice, for there are at most ten locations. */
export type Round = {
  /** Locations that have not answered yet. */
  waiting: string[]
  taking: readonly string[]
  witnesses: Witnesses
  /** Failures and degraded results in the order of arrival, which decides only the quoted cause. */
  failures: Report[]
  degraded: Report[]
  clean: Report | null
  /** Response times of the reports that were not down, and how many had one. */
  latencySumMs: number
  latencyCount: number
}

export const noWitnesses: Witnesses = new Map()

export function openRound(locations: readonly string[], witnesses: Witnesses = noWitnesses): Round {
  return {
    waiting: [...locations],
    taking: locations,
    witnesses,
    failures: [],
    degraded: [],
    clean: null,
    latencySumMs: 0,
    latencyCount: 0,
  }
}

/** A name that no machine's witness has. */
export function ownWitness(location: string): string {
  return `location ${location}`
}

/**
 * Adds the verdict of a location, null where the prober could not tell. False when the round does not wait for the
 * location, because it takes no part or has answered before.
 */
export function addReport(round: Round, location: string, verdict: Verdict | null): boolean {
  const place = round.waiting.indexOf(location)
  if (place === -1) return false
  round.waiting.splice(place, 1)
  if (verdict === null) return true
  const report = { location, verdict }
  if (verdict.status !== 'down' && verdict.latencyMs !== null) {
    round.latencySumMs += verdict.latencyMs
    round.latencyCount += 1
  }
  if (verdict.status === 'down') round.failures.push(report)
  else if (verdict.status === 'degraded') round.degraded.push(report)
  else round.clean ??= report
  return true
}

/** The mean response time of the locations that found the target up or degraded; null where none has one. */
export function meanLatencyMs({ latencySumMs, latencyCount }: Round): number | null {
  return latencyCount === 0 ? null : Math.round(latencySumMs / latencyCount)
}

/**
 * The outcome once it is certain: a failure as soon as enough locations on enough witnesses report it, anything else
 * when all have answered or the deadline has passed. Null while the round is open. Locations that could not tell, or said nothing, count as
 * taking part, since their trouble makes the others no more certain (docs/decisions/rounds-and-time.md).
 */
export function outcomeOf(
  round: Round,
  settings: { confirmationThreshold: number; isPastDeadline: boolean },
): RoundOutcome | null {
  const [failure] = round.failures
  const [degraded] = round.degraded
  if (failure !== undefined && isConfirmed(round, settings.confirmationThreshold))
    return { type: 'failed', report: failure, locations: codesOf(round.failures) }
  if (round.waiting.length > 0 && !settings.isPastDeadline) return null
  const worst = failure ?? degraded
  if (worst === undefined) return round.clean === null ? { type: 'no_data' } : { type: 'clean', report: round.clean }
  if (degraded === undefined && round.clean === null) return { type: 'undecided', report: worst }
  return { type: 'partial', report: worst, locations: codesOf([...round.failures, ...round.degraded]) }
}

/** Enough locations agree, and they do not all stand on the same few machines. */
function isConfirmed({ failures, taking, witnesses }: Round, threshold: number): boolean {
  if (failures.length < Math.min(threshold, taking.length)) return false
  if (witnesses.size === 0) return true
  const needed = Math.min(threshold, countWitnesses(taking, witnesses))
  return countWitnesses(codesOf(failures), witnesses) >= needed
}

function countWitnesses(locations: readonly string[], witnesses: Witnesses): number {
  return new Set(locations.map((location) => witnesses.get(location) ?? ownWitness(location))).size
}

function codesOf(reports: Report[]): string[] {
  return reports.map(({ location }) => location).toSorted()
}
