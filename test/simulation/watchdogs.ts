// What has to hold after every step, and what has to hold in the end.
import assert from 'node:assert/strict'
import type { Alert } from '#core/contacts/alerting.ts'
import type { Assignment } from '#core/monitors/check.ts'
import { resultKey } from '#store/results/store-batch.ts'
import type { Result } from '#core/results/result.ts'
import { type CallWatch, createCallWatch } from './call-watch.ts'
import type { ModelDatabase, ModelTransaction, StateRow } from './model-database.ts'
import { assertFold } from './fold-check.ts'
import type { Clock, VirtualTime } from './virtual-time.ts'

export type Watchdogs = {
  /** An engine has told the broker that it needs these results no more. */
  acknowledged: (results: readonly Result[]) => void
  /** An engine has asked a location for these rounds. */
  asked: (list: readonly Assignment[]) => void
  /** How many of those are not there now, neither stored nor set aside. */
  lost: () => number
  committed: (tx: ModelTransaction) => void
  /** What jobs say to monitors that wait to be called. */
  readonly calls: CallWatch
  /** Nothing that was promised is lost. */
  assertEnd: () => void
  /** A person got a message. */
  told: (deliveryId: string, alert: Alert) => void
  /** By incident, contact and type: how often it was told. */
  readonly tellings: ReadonlyMap<string, number>
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
  const askedRounds = new Map<string, Set<number>>()
  const tellings = new Map<string, number>()
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
  return {
    tellings,
    courses,
    calls,
    assertEnd: () => calls.assertEnd((result) => isThere(database, result)),
    acknowledged: (results) =>
      watch(() => {
        promised.push(...results)
        for (const result of results)
          assert.ok(isThere(database, result), `Acknowledged and not stored: ${JSON.stringify(result)}`)
      }),
    asked: (list) => {
      for (const { monitorId, round } of list) {
        const rounds = askedRounds.get(monitorId) ?? new Set()
        askedRounds.set(monitorId, rounds.add(round))
      }
    },
    lost: () => promised.filter((result) => !isThere(database, result)).length,
    committed: ({ touched }) =>
      watch(() => {
        for (const key of touched) {
          const after = database.states.get(key) ?? assert.fail('A state is gone.')
          const before = seen.get(key)
          seen.set(key, { ...after })
          follow(before, after)
          const asked = askedRounds.get(database.monitors.get(key)?.id ?? '') ?? noRounds
          if (before !== undefined) assertFold(database, { key, before, after, asked, mayGoBack: clock.hasJumped })
          assertIncident(database, key, after)
          calls.committed(key)
        }
      }),
    told: (deliveryId, { type }) =>
      watch(() => {
        const delivery = database.deliveries.get(deliveryId) ?? assert.fail('A message of no delivery.')
        const { incidentId, contactId } = delivery
        const of = (kind: string): string => [incidentId, contactId, kind].join()
        if (type === 'monitor.up') assert.ok(tellings.has(of('monitor.down')), `An end is told first: ${deliveryId}`)
        else assert.ok(!tellings.has(of('monitor.up')), `An outage is told after its end: ${deliveryId}`)
        tellings.set(of(type), (tellings.get(of(type)) ?? 0) + 1)
      }),
  }
}

const noRounds: ReadonlySet<number> = new Set()

/** Results without a verdict are stored nowhere. */
function isThere(database: ModelDatabase, { monitorId, round, location, verdict }: Result): boolean {
  const monitor = database.monitorById(monitorId)
  if (verdict === null || monitor === undefined) return true
  const key = resultKey(monitor.key, round, database.locations.get(location) ?? -1)
  if (database.results.get(monitor.key)?.has(key) === true) return true
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
