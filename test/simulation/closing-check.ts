import assert from 'node:assert/strict'
import { roundGraceMs } from '#core/results/round.ts'
import type { PresenceBook } from '#engine/locations/presence.ts'
import type { AskedRounds } from './asked-rounds.ts'
import { hasFailed } from './expected-standing.ts'
import { namesOf } from './fold-check.ts'
import { isCalled, type ModelDatabase, type MonitorRow, type StateRow } from './model-database.ts'
import type { SentResults } from './sent-results.ts'

/** An engine as the rules see it: what it knows of the probers, and its clock. */
export type WatchedEngine = {
  name: string
  presence: Pick<PresenceBook, 'hasHeard' | 'proberFor'>
  nowMs: () => number
}

type Step = {
  engine: WatchedEngine
  key: number
  before: StateRow
  after: StateRow
  asked: AskedRounds
  sent: SentResults
}

/**
 * A round whose deadline has not passed ends only once enough locations agree that the target is down, or once nothing
 * more can come: a location is waited for if its prober was there all the time, from before the round on.
 */
export function assertClosedInTime(database: ModelDatabase, { engine, key, before, after, asked, sent }: Step): void {
  const { lastCheckedAt: round, version } = after
  if (version !== before.version || round === null || round === before.lastCheckedAt) return
  const monitor = database.monitors.get(key) ?? assert.fail('A monitor is gone.')
  if (isCalled(monitor)) return
  const nowMs = engine.nowMs()
  if (nowMs >= round / 1000 + monitor.timeoutMs + roundGraceMs) return
  const stored = [...(database.results.get(key)?.values() ?? [])].filter((result) => result.round === round)
  const reports = namesOf(database, stored)
  const own = asked.askedBy(engine.name, { monitorId: monitor.id, round })
  const statuses = reports.map(({ status }) => status)
  if (hasFailed({ statuses, taking: own.length || monitor.locations.length }, monitor.confirmationThreshold)) return
  const known = own.length > 0 ? own : probersOf(engine, monitor, nowMs)
  for (const { location, prober } of known) {
    const isHeard = reports.some((report) => report.location === location)
    if (isHeard || sent.hasToldNothing(monitor.id, round, location)) continue
    const wasThere = engine.presence.hasHeard({ location, prober, askedMs: round / 1000 }, nowMs)
    assert.ok(!wasThere, `${monitor.id} was folded without waiting for ${location}`)
  }
}

/** Whom an engine asks that found the round begun. */
function probersOf(
  { presence }: WatchedEngine,
  { id, locations }: Pick<MonitorRow, 'id' | 'locations'>,
  nowMs: number,
): { location: string; prober: string }[] {
  return locations.flatMap((location) => {
    const prober = presence.proberFor(location, { id, needsBrowser: false }, nowMs)
    return prober === null ? [] : [{ location, prober }]
  })
}
