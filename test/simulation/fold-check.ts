import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Standing } from '#core/incidents/evaluation.ts'
import { isOverrun } from '#core/monitors/heartbeat.ts'
import { roundGraceMs } from '#core/results/round.ts'
import type { AskedRounds } from './asked-rounds.ts'
import { type CallWatch, lengthMs } from './call-watch.ts'
import { expectedStanding, standingAfterCall } from './expected-standing.ts'
import { isCalled, type ModelDatabase, type MonitorRow, type ResultRow, type StateRow } from './model-database.ts'
import { followMs } from './virtual-time.ts'

const beingStoredMs = 10_000
const minuteMs = 60_000
/** For so long a time counts as just missed, and it is made up for within a tenth of the interval. */
const madeUpMs = 10_000 + 6_000

type Step = {
  key: number
  before: StateRow
  after: StateRow
  asked: AskedRounds
  calls: Pick<CallWatch, 'heard'>
  mayGoBack: boolean
}

/**
 * A state goes from one round to the next of which something was known in time, and to what the stored results of that
 * round make of it. So every state is what folding all stored results once more would come to.
 */
export function assertFold(database: ModelDatabase, step: Step): void {
  const { key, before, after, asked, calls, mayGoBack } = step
  if (after.version !== before.version || isDeepStrictEqual(before, after)) return
  const monitor = database.monitors.get(key) ?? assert.fail('A monitor is gone.')
  if (isCalled(monitor)) return assertCallFold(database, { monitor, before, after, calls, mayGoBack })
  const { lastCheckedAt: round } = after
  // After the clock went back, rounds with earlier names come again.
  const isNext = round !== null && (mayGoBack ? round !== before.lastCheckedAt : round > before.round)
  assert.ok(isNext, `${monitor.id} was folded to ${round}, after ${before.round}`)
  const results = [...(database.results.get(key)?.values() ?? [])].filter(({ version }) => version === after.version)
  const askedRounds = asked.roundsOf(monitor.id)
  const passed = results.find(
    (result) => result.round > before.round && isDueBefore(round, result, monitor) && !isMadeUpFor(result, askedRounds),
  )
  assert.ok(
    mayGoBack || passed === undefined,
    `${monitor.id} was folded to ${round}, after ${before.round}, without ${passed?.round}`,
  )
  const reports = results.filter((result) => result.round === round)
  // Where the clock went back, what was stored before may be of another round of the same name.
  const since = reports.filter(({ storedMs }) => storedMs >= round / 1000 - followMs && storedMs <= database.nowMs())
  const takings = [monitor.locations, ...asked.takingsOf(monitor.id, round)]
  const possible = [reports, ...(mayGoBack ? [since] : [])].flatMap((heard) =>
    standingsAfter(standingOf(before), { monitor, takings, reports: namesOf(database, heard) }),
  )
  assert.ok(
    possible.some((standing) => isDeepStrictEqual(standing, standingOf(after))),
    `${monitor.id} became ${JSON.stringify(standingOf(after))} by ${JSON.stringify(reports)}`,
  )
}

/** Each call, and each one that was missed, is a round of its own, whenever it is heard. */
function assertCallFold(
  database: ModelDatabase,
  { monitor, before, after, calls, mayGoBack }: Omit<Step, 'key' | 'asked'> & { monitor: MonitorRow },
): void {
  const { id, key } = monitor
  // Deadlines are put off, runs begin, and a clock that goes back is followed, beside all folds.
  if (isDeepStrictEqual(foldedOf(before), foldedOf(after))) return
  const results = database.results
    .get(key)
    ?.values()
    .filter(({ round }) => round === after.lastCheckedAt)
  const [result] = results ?? []
  assert.ok(result !== undefined, `${id} was folded to ${after.lastCheckedAt} without a result.`)
  const { round } = result
  const call = isOverrun(result.verdict) ? 'overrun' : calls.heard(id, round)
  const what = `${id} by ${JSON.stringify(call)} at ${round}`
  assert.deepEqual(standingOf(after), standingAfterCall(standingOf(before), call, monitor), what)
  // A run that does not end is no call. After the clock went back, deadlines are of an earlier time.
  if (call === 'overrun')
    return assert.ok(mayGoBack || (after.deadline ?? 0) >= (before.deadline ?? 0), `The deadline of ${what}`)
  const leastMs = nextDeadlineMs(monitor, { atMs: round / 1000, isMissed: call === 'missed' })
  assert.ok((after.deadline ?? 0) >= leastMs * 1000 - 1, `The deadline of ${what}`)
}

/** A schedule is due with each minute of the clock. */
function nextDeadlineMs(monitor: MonitorRow, { atMs, isMissed }: { atMs: number; isMissed: boolean }): number {
  const graceMs = monitor.graceSeconds * 1000
  if (monitor.schedule === null) return atMs + (isMissed ? monitor.intervalSeconds * 1000 : lengthMs(monitor))
  const afterMs = isMissed ? atMs - graceMs : atMs
  return (Math.floor(afterMs / minuteMs) + 1) * minuteMs + graceMs
}

function foldedOf({
  deadline: _deadline,
  callStartedMs: _started,
  runDue: _due,
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
function isMadeUpFor({ round }: ResultRow, asked: readonly number[]): boolean {
  return asked.some((other) => other > round && other < round + madeUpMs * 1000)
}

function standingOf({ status, failures, successes }: StateRow): Standing {
  return { status, failures, successes }
}

type Named = { location: string; status: ResultRow['verdict']['status'] }

export function namesOf({ locations }: ModelDatabase, reports: readonly ResultRow[]): Named[] {
  const names = new Map(Array.from(locations, ([code, id]) => [id, code]))
  return reports.map(({ locationId, verdict }) => ({ location: names.get(locationId) ?? '', status: verdict.status }))
}

type Heard = { monitor: MonitorRow; takings: readonly (readonly string[])[]; reports: readonly Named[] }

/**
 * The locations that an engine asked take part, or all of them where it found the round begun. Where two engines began
 * one, what others were asked for counts for one of them and not for the other.
 */
function standingsAfter(before: Standing, { monitor, takings, reports }: Heard): Standing[] {
  return takings.flatMap((taking) => {
    const own = reports.filter(({ location }) => taking.includes(location))
    const all = new Set([...taking, ...reports.map(({ location }) => location)])
    const rounds = [
      { statuses: own.map(({ status }) => status), taking: taking.length },
      { statuses: reports.map(({ status }) => status), taking: all.size },
    ]
    return rounds.flatMap((round) => expectedStanding(before, round, monitor) ?? [])
  })
}
