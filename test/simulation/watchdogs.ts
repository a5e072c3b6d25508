// What has to hold after every step, and what has to hold in the end.
import assert from 'node:assert/strict'
import type { Result } from '#core/results/result.ts'
import { resultKey } from '#store/results/store-batch.ts'
import { AskedRounds } from './asked-rounds.ts'
import { Attempts } from './attempts.ts'
import { type CallWatch, createCallWatch } from './call-watch.ts'
import { assertClosedInTime, type WatchedEngine } from './closing-check.ts'
import { assertFold } from './fold-check.ts'
import type { ModelDatabase, ModelTransaction, StateRow } from './model-database.ts'
import { SentResults } from './sent-results.ts'
import type { Clock, VirtualTime } from './virtual-time.ts'

export type Watchdogs = {
  /** An engine has told the broker that it needs these results no more. */
  acknowledged: (results: readonly Result[]) => void
  /** What engines have asked of locations. */
  readonly asked: AskedRounds
  /** What probers gave to the bus. */
  readonly sent: SentResults
  readonly attempts: Attempts
  /** An engine has started, under the name of its process. */
  started: (engine: WatchedEngine) => void
  /** How many of those are not there now, neither stored nor set aside. */
  lost: () => number
  /** `by` is the name of a process; a person has none. */
  committed: (tx: ModelTransaction, by?: string) => void
  /** What jobs say to monitors that wait to be called. */
  readonly calls: CallWatch
  /** Nothing that was promised or sent is lost, but for what was sent within the last `onTheirWayMs`. */
  assertEnd: (onTheirWayMs: number) => void
  /** Looks at a rule. */
  watch: (rule: () => void) => void
  /** When an incident was written, and its end, in virtual time. */
  readonly courses: ReadonlyMap<string, Course>
}

export type Course = { openedMs: number; endedMs: number }

export type WatchdogsOptions = {
  database: ModelDatabase
  clock: Clock
  virtual: Pick<VirtualTime, 'nowMs'>
  /** Told of a rule that is broken, because the product goes on whatever is thrown at it. */
  onBroken: (error: unknown) => void
}

export function createWatchdogs({ database, clock, virtual, onBroken }: WatchdogsOptions): Watchdogs {
  const seen = new Map<number, StateRow>()
  const promised: Result[] = []
  const asked = new AskedRounds()
  const attempts = new Attempts({ database, clock, virtual })
  const sent = new SentResults(virtual)
  const engines = new Map<string, WatchedEngine>()
  const courses = new Map<string, Course>()
  const follow = (before: StateRow | undefined, { incidentId }: StateRow): void => {
    const { nowMs } = virtual
    if (before?.incidentId === incidentId) return
    const ended = courses.get(before?.incidentId ?? '')
    if (ended !== undefined) ended.endedMs = nowMs
    if (incidentId !== null) courses.set(incidentId, { openedMs: nowMs, endedMs: Infinity })
  }
  const watch = (rule: () => void): void => {
    try {
      rule()
    } catch (error) {
      onBroken(error)
    }
  }
  const calls = createCallWatch({ database, clock, virtual, watch })
  const lookAt = (key: number, by: string | undefined): void => {
    const after = database.states.get(key) ?? assert.fail('A state is gone.')
    const before = seen.get(key)
    seen.set(key, { ...after })
    follow(before, after)
    assertIncident(database, key, after)
    assertProblem(database, key, after)
    calls.committed(key)
    if (before === undefined) return
    assertFold(database, { key, before, after, asked, calls, mayGoBack: clock.hasJumped })
    const engine = engines.get(by ?? '')
    if (engine !== undefined && !clock.hasJumped)
      assertClosedInTime(database, { engine, key, before, after, asked, sent })
  }
  return {
    asked,
    sent,
    attempts,
    courses,
    watch,
    calls,
    started: (engine) => engines.set(engine.name, engine),
    assertEnd: (onTheirWayMs) => {
      calls.assertEnd((result) => isThere(database, result))
      sent.assertStored(database, onTheirWayMs)
    },
    acknowledged: (results) =>
      watch(() => {
        promised.push(...results)
        for (const result of results)
          assert.ok(isThere(database, result), `Acknowledged and not stored: ${JSON.stringify(result)}`)
      }),
    lost: () => promised.filter((result) => !isThere(database, result)).length,
    committed: ({ touched }, by) =>
      watch(() => {
        for (const key of touched) lookAt(key, by)
      }),
  }
}

/** Results without a verdict are stored nowhere. */
function isThere(database: ModelDatabase, { monitorId, round, location, verdict }: Result): boolean {
  const monitor = database.monitorById(monitorId)
  if (verdict === null || monitor === undefined) return true
  const locationId = database.locations.get(location) ?? -1
  const stored = database.results.get(monitor.key)?.get(resultKey(monitor.key, round, locationId))
  if (stored?.locationId === locationId && stored.round === round) return true
  return database.rejected.some(
    ({ result }) => result.monitorId === monitorId && result.round === round && result.location === location,
  )
}

function assertIncident(database: ModelDatabase, key: number, { status, incidentId }: StateRow): void {
  const { id } = database.monitors.get(key) ?? assert.fail('A monitor is gone.')
  const running = [...database.incidents.values()].filter(
    ({ monitorId, resolvedMs }) => monitorId === id && resolvedMs === null,
  )
  assert.deepEqual(
    running.map((incident) => incident.id),
    status === 'down' ? [incidentId] : [],
    `The running incidents of ${id}`,
  )
}

function assertProblem({ problems, monitors }: ModelDatabase, key: number, { problemAt }: StateRow): void {
  const running = [...problems.values()].filter(({ monitorKey, endedAt }) => monitorKey === key && endedAt === null)
  assert.deepEqual(
    running.map(({ startedAt }) => startedAt),
    problemAt === null ? [] : [problemAt],
    `The running problems of ${monitors.get(key)?.id}`,
  )
}
