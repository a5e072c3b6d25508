// What has to hold once nothing has gone wrong for a while.
import assert from 'node:assert/strict'
import { assertCalls, isAwaited } from './call-check.ts'
import type { Context } from './context.ts'
import type { ModelBus } from './model-bus.ts'
import {
  type DayRow,
  type DeliveryRow,
  type IncidentRow,
  isCalled,
  type ModelDatabase,
  type MonitorRow,
} from './model-database.ts'
import { tellingOf } from './maintenance-check.ts'
import { isEndedByPerson } from './people.ts'
import type { Targets } from './targets.ts'

/** A check begins so long after the time of its round, at most, and an outage may begin or end meanwhile. */
const checkMs = 30_000
const claimMs = 60_000
/** Results that were on their way while the clock was set again and again are of a time that came more than once. */
const mostJumpsJudged = 2
/** Results that arrived just now are on their way. */
const waitMs = 30_000
/** So many rounds before the end nothing went wrong any more. */
const judgedRounds = 8

type Ended = {
  bus: ModelBus
  targets: Targets
  /** The names of those that run. */
  engines: readonly string[]
}

export function assertEnd(context: Context, { bus, targets, engines }: Ended): void {
  const { database } = context
  assert.ok(bus.stream.oldestMs < waitMs, `Results wait for ${bus.stream.oldestMs} ms to be stored.`)
  // What a clock that jumps makes older than two hours, or of the future, is set aside.
  if (!context.clock.hasJumped) assert.deepEqual(database.rejected, [], 'Results were set aside.')
  assertDays(database)
  context.watchdogs.assertEnd(waitMs)
  assertChecked(context)
  assertShared(database, engines)
  const probed = [...database.incidents.values()].filter(({ monitorId }) => !isOfCalled(database, monitorId))
  for (const incident of probed) assertOutage(context, incident, targets)
  for (const incident of database.incidents.values()) assertAlerts(context, incident)
  assertOneEach(context, targets, probed)
  assertCalls(context, targets)
  for (const monitor of database.monitors.values()) assertStanding(context, monitor, targets)
}

function isOfCalled(database: ModelDatabase, monitorId: string): boolean {
  const monitor = database.monitorById(monitorId)
  return monitor !== undefined && isCalled(monitor)
}

/** A job that is dead is found out once its deadline has passed, if one is known since the story began. */
function assertStanding(context: Context, monitor: MonitorRow, targets: Targets): void {
  const { database, virtual } = context
  const { id, key } = monitor
  const outage = targets.outageAt(id, virtual.nowMs)
  if (isCalled(monitor) && outage?.isSilent === true && !isAwaited(context, monitor)) return
  assert.equal(database.states.get(key)?.status === 'down', outage !== null, `Whether ${id} is down in the end`)
}

/**
 * Each location has checked each monitor whenever it was due, and what it found was folded. Where the clock went back, a
 * round may have the time of one that was stored before and folded by no engine, as its monitor was paused: then it is
 * taken for the same, and the next one counts.
 */
function assertChecked({ database, clock }: Context): void {
  const nowMs = database.nowMs()
  const probed = [...database.monitors.values()].filter((monitor) => !isCalled(monitor))
  for (const { id, key, intervalSeconds, locations } of probed) {
    const intervalMs = intervalSeconds * 1000
    const from = nowMs - waitMs - judgedRounds * intervalMs
    const rounds = [...(database.results.get(key)?.values() ?? [])].filter(({ round }) => round / 1000 >= from)
    for (const location of locations) {
      const own = rounds.filter(({ locationId }) => locationId === database.locations.get(location))
      assert.ok(own.length >= judgedRounds, `${id} was checked from ${location} ${own.length} times of ${judgedRounds}`)
    }
    const folded = database.states.get(key)?.lastCheckedAt ?? 0
    const missedMs = clock.hasJumped ? intervalMs : 0
    assert.ok(folded / 1000 >= nowMs - waitMs - intervalMs - missedMs, `${id} was folded last at ${folded}`)
  }
}

/** Every partition is held by an engine that runs, and none holds more than its share. */
function assertShared({ partitions, nowMs }: ModelDatabase, engines: readonly string[]): void {
  const share = Math.ceil(partitions.length / engines.length)
  const held = partitions.filter(({ heldUntilMs }) => heldUntilMs >= nowMs())
  for (const engine of engines) {
    const own = held.filter(({ owner }) => owner === engine)
    assert.ok(own.length <= share, `${engine} holds ${own.length} partitions, and its share is ${share}.`)
  }
  const owned = held.filter(({ owner }) => engines.includes(owner ?? ''))
  assert.equal(owned.length, partitions.length, 'Partitions that are held')
}

/** Every contact was told of its beginning, and of its end, or is to be told again after a failure. */
function assertAlerts({ database, clock, watchdogs }: Context, incident: IncidentRow): void {
  const { id, resolvedMs } = incident
  const deliveries = [...database.deliveries.values()].filter(({ incidentId }) => incidentId === id)
  const telling = tellingOf({ database, clock, watchdogs }, incident)
  if (telling === 'untold') assert.equal(deliveries.length, 0, `Deliveries of ${id}, which lies in a maintenance`)
  if (telling !== 'told' && deliveries.length === 0) return
  const hasRecovered = resolvedMs !== null && !isEndedByPerson(database, id)
  const types = hasRecovered ? ['monitor.down', 'monitor.up'] : ['monitor.down']
  for (const contactId of database.contacts.keys())
    for (const type of types) {
      const all = deliveries.filter((each) => each.contactId === contactId && each.alert.type === type)
      const [delivery, ...others] = all
      assert.ok(delivery !== undefined && others.length === 0, `${all.length} deliveries of ${type} of ${id}`)
      if (isPutOff({ database, clock }, delivery)) continue
      assert.equal(delivery.state, 'delivered', `The delivery ${delivery.id}`)
      assert.ok(watchdogs.attempts.tellings.has([id, contactId, type].join()), `${type} of ${id} is not told.`)
    }
}

/** Whether an alert could leave now and has not left. */
export function isAlertDue({ database, clock }: PutOff): boolean {
  return [...database.deliveries.values()].some(
    (each) => each.state === 'pending' && !isPutOff({ database, clock }, each),
  )
}

type PutOff = Pick<Context, 'database' | 'clock'>

/** It failed and waits for its next attempt, or for the end of what comes before it. */
function isPutOff({ database, clock }: PutOff, { state, attempt, dueMs, contactId, afterId }: DeliveryRow): boolean {
  if (state !== 'pending') return false
  const nowMs = database.nowMs()
  if (attempt > 0 && dueMs > nowMs) return true
  if (isJumpUnknown({ database, clock }) && (dueMs > nowMs || hasClaimToCome(database, contactId))) return true
  const before = database.deliveries.get(afterId ?? '')
  return before !== undefined && isPutOff({ database, clock }, before)
}

/** No engine ran when the clock jumped: what was due by the old time waits for that to come again. */
function isJumpUnknown({ database, clock }: PutOff): boolean {
  return database.jumps.length < clock.jumps
}

/** So do all alerts to a contact to which an attempt was begun then that did not end. */
function hasClaimToCome({ deliveries, nowMs }: ModelDatabase, contactId: string): boolean {
  return [...deliveries.values()].some(
    (each) => each.contactId === contactId && each.state === 'pending' && (each.claimedMs ?? 0) > nowMs() - claimMs,
  )
}

/** It runs from a failure within an outage to an answer after it. */
function assertOutage(context: Context, incident: IncidentRow, targets: Targets): void {
  const { clock, database, watchdogs } = context
  const outage = outageOf(context, incident, targets)
  assert.ok(outage !== null, `There was no outage at the incident ${incident.id}.`)
  const { id, startedMs, resolvedMs } = incident
  // What would end before it began ends as it begins, which a clock that went back brings about.
  if (resolvedMs === null || resolvedMs === startedMs || isEndedByPerson(database, id)) return
  if (clock.jumps > mostJumpsJudged) return
  const moments = clock.momentsOf(resolvedMs, watchdogs.courses.get(id)?.endedMs ?? Infinity)
  const isAfter = moments.some((atMs) => atMs >= outage.toMs - checkMs)
  assert.ok(isAfter, `The incident ${id} ended before its outage.`)
}

function outageOf(
  { clock, watchdogs }: Context,
  { id, monitorId, startedMs }: IncidentRow,
  targets: Targets,
): { fromMs: number; toMs: number } | null {
  const moments = clock.momentsOf(startedMs, watchdogs.courses.get(id)?.openedMs ?? Infinity)
  const isAt = (fromMs: number, toMs: number): boolean =>
    moments.some((atMs) => atMs >= fromMs - checkMs && atMs < toMs)
  // The later one, where the clock came through this time twice.
  return targets.outages(monitorId).findLast(({ fromMs, toMs }) => isAt(fromMs, toMs)) ?? null
}

/** No two incidents of one outage. */
function assertOneEach(context: Context, targets: Targets, incidents: readonly IncidentRow[]): void {
  const { database } = context
  const of = new Map<object, string>()
  for (const incident of incidents) {
    const outage = outageOf(context, incident, targets) ?? assert.fail('checked before')
    const former = of.get(outage)
    assert.ok(
      former === undefined || isEndedByPerson(database, former),
      `Two incidents of one outage of ${incident.monitorId}`,
    )
    of.set(outage, incident.id)
  }
}

/** The sums of days are those of the stored results, but for maintenance that counts in no uptime. */
function assertDays({ results, days }: ModelDatabase): void {
  const counted = new Map<string, DayRow>()
  for (const of of results.values())
    for (const { monitorKey, round, verdict, isInMaintenance } of of.values()) {
      if (isInMaintenance) continue
      const place = `${monitorKey}/${new Date(round / 1000).toISOString().slice(0, 10)}`
      const day = counted.get(place) ?? { checks: 0, up: 0, down: 0, restricted: 0, latencySumMs: 0, latencyCount: 0 }
      day.checks += 1
      if (verdict.status === 'up') day.up += 1
      if (verdict.status === 'down') day.down += 1
      if (verdict.status === 'degraded') day.restricted += 1
      if (verdict.status !== 'down' && verdict.latencyMs !== null) {
        day.latencySumMs += verdict.latencyMs
        day.latencyCount += 1
      }
      counted.set(place, day)
    }
  assert.deepEqual(days, counted, 'The sums of days')
}
