import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { foldRound, type Standing } from '#core/incidents/evaluation.ts'
import { addReport, openRound, outcomeOf, roundGraceMs } from '#core/results/round.ts'
import { isMissed, opensAtOnce } from '#core/monitors/heartbeat.ts'
import { lengthMs } from './call-watch.ts'
import { isCalled, type ModelDatabase, type MonitorRow, type ResultRow, type StateRow } from './model-database.ts'
import { followMs } from './virtual-time.ts'

const beingStoredMs = 10_000
/** For so long a time counts as just missed, and it is made up for within a tenth of the interval. */
const madeUpMs = 10_000 + 6_000

type Step = {
  key: number
  before: StateRow
  after: StateRow
  /** The rounds for which a location was ever asked. */
  asked: ReadonlySet<number>
  mayGoBack: boolean
}

/**
 * A state goes from one round to the next of which something was known in time, and to what the stored results of that
 * round make of it. So every state is what folding all stored results once more would come to.
 */
export function assertFold(database: ModelDatabase, { key, before, after, asked, mayGoBack }: Step): void {
  if (after.version !== before.version || isDeepStrictEqual(before, after)) return
  const monitor = database.monitors.get(key) ?? assert.fail('A monitor is gone.')
  if (isCalled(monitor)) return assertCallFold(database, { monitor, before, after })
  const { lastCheckedAt: round } = after
  // After the clock went back, rounds with earlier names come again.
  const isNext = round !== null && (mayGoBack ? round !== before.lastCheckedAt : round > before.round)
  assert.ok(isNext, `${monitor.id} was folded to ${round}, after ${before.round}`)
  const results = [...(database.results.get(key)?.values() ?? [])].filter(({ version }) => version === after.version)
  const passed = results.find(
    (result) => result.round > before.round && isDueBefore(round, result, monitor) && !isMadeUpFor(result, asked),
  )
  assert.ok(
    mayGoBack || passed === undefined,
    `${monitor.id} was folded to ${round}, after ${before.round}, without ${passed?.round}`,
  )
  const reports = results.filter((result) => result.round === round)
  // Where the clock went back, what was stored before may be of another round of the same name.
  const since = reports.filter(({ storedMs }) => storedMs >= round / 1000 - followMs && storedMs <= database.nowMs())
  const possible = [reports, ...(mayGoBack ? [since] : [])].flatMap((heard) =>
    standingsAfter(standingOf(before), monitor, namesOf(database, heard)),
  )
  assert.ok(
    possible.some((standing) => isDeepStrictEqual(standing, standingOf(after))),
    `${monitor.id} became ${JSON.stringify(standingOf(after))} by ${JSON.stringify(reports)}`,
  )
}

/** Each call, and each one that was missed, is a round of its own, whenever it is heard. */
function assertCallFold(
  database: ModelDatabase,
  { monitor, before, after }: Pick<Step, 'before' | 'after'> & { monitor: MonitorRow },
): void {
  const { id, key, locations } = monitor
  // Deadlines are put off, runs begin, and a clock that goes back is followed, beside all folds.
  if (isDeepStrictEqual(foldedOf(before), foldedOf(after))) return
  const results = database.results
    .get(key)
    ?.values()
    .filter(({ round }) => round === after.lastCheckedAt)
  const [result] = results ?? []
  assert.ok(result !== undefined, `${id} was folded to ${after.lastCheckedAt} without a result.`)
  const { round, verdict } = result
  const call = openRound(locations)
  addReport(call, locations[0] ?? '', verdict)
  const outcome = outcomeOf(call, { confirmationThreshold: 1, isPastDeadline: true }) ?? assert.fail()
  const thresholds = opensAtOnce(verdict) ? { ...monitor, failureThreshold: 1 } : monitor
  const { standing } = foldRound(standingOf(before), outcome, thresholds)
  assert.deepEqual(standingOf(after), standing, `${id} by ${JSON.stringify(verdict)}`)
  const nextMs = isMissed(verdict) ? monitor.intervalSeconds * 1000 : lengthMs(monitor)
  assert.ok((after.deadline ?? 0) >= round + nextMs * 1000, `The deadline of ${id} after ${JSON.stringify(verdict)}`)
}

function foldedOf({
  deadline: _deadline,
  callStartedMs: _started,
  round: _round,
  ...folded
}: StateRow): Partial<StateRow> {
  return folded
}

/** Whether a result of an earlier round was stored before the deadline of that, and well before the later one began. */
function isDueBefore(later: number, { round, storedMs }: ResultRow, { timeoutMs }: MonitorRow): boolean {
  return round < later && storedMs <= round / 1000 + timeoutMs + roundGraceMs && storedMs < later / 1000 - beingStoredMs
}

/**
 * An engine that takes over makes up for a time of which it knows nothing by a round of its own, also while what was found
 * at that time is on its way to the database. The round of that time is not folded then, even if the other one comes to
 * nothing.
 */
function isMadeUpFor({ round }: ResultRow, asked: ReadonlySet<number>): boolean {
  return [...asked].some((other) => other > round && other < round + madeUpMs * 1000)
}

function standingOf({ status, failures, successes }: StateRow): Standing {
  return { status, failures, successes }
}

type Named = { location: string; verdict: ResultRow['verdict'] }

function namesOf({ locations }: ModelDatabase, reports: readonly ResultRow[]): Named[] {
  const names = new Map(Array.from(locations, ([code, id]) => [id, code]))
  return reports.map(({ locationId, verdict }) => ({ location: names.get(locationId) ?? '', verdict }))
}

/** Locations that said nothing may have taken part, each of them. */
function standingsAfter(before: Standing, monitor: MonitorRow, reports: readonly Named[]): Standing[] {
  const silent = monitor.locations.filter((location) => !reports.some((report) => report.location === location))
  return [...silent.keys(), silent.length].flatMap((taking) => {
    const round = openRound([...reports.map(({ location }) => location), ...silent.slice(0, taking)])
    for (const { location, verdict } of reports) addReport(round, location, verdict)
    const { confirmationThreshold } = monitor
    const outcome = outcomeOf(round, { confirmationThreshold, isPastDeadline: true })
    return outcome === null ? [] : [foldRound(before, outcome, monitor).standing]
  })
}
