import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { maxRoutesOfIncident, maxRoutesOfMonitor, type Route } from '#core/incidents/route.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { deleteWorkspace } from '#store/workspaces/workspace-removal.ts'
import { testApi } from '../../../test/support/api.ts'
import { addRunningIncident, createMonitor } from '../../../test/support/monitors.ts'
import { testHop, testRoute } from '../../../test/support/routes.ts'
import { dumpOf } from '../../../test/support/secret-search.ts'
import { forgetRoutes, keepRoute, type KeptRoute, readIncidentRoutes, readMonitorRoutes } from './routes.ts'

const opened = new Date('2026-05-04T12:00:00Z')

function minutesAfter(minutes: number): Date {
  return new Date(opened.getTime() + minutes * 60_000)
}

/** Routes are told apart by the number of their hops. */
function routeOf(hops: number): Route {
  return testRoute({ hops: Array.from({ length: hops }, (_, index) => testHop(index + 1)) })
}

function lengths(kept: readonly KeptRoute[]): (string | number | null)[][] {
  return kept.map(({ location, route, before }) => [location, route.hops.length, before?.route.hops.length ?? null])
}

describe('routes at rest', async () => {
  const api = await testApi({ operations: monitorOperations })
  const { database } = api
  const { secrets } = api.services

  type Kept = { minutes?: number; hops?: number; location?: string; isFailure?: boolean }
  const keep = (monitorId: string, kept: Kept = {}): Promise<void> => {
    const { minutes = 0, hops = 3, location = 'amsterdam', isFailure = true } = kept
    return keepRoute(database, secrets, {
      monitorId,
      location,
      isFailure,
      takenAt: minutesAfter(minutes),
      route: routeOf(hops),
    })
  }
  const monitor = (): Promise<MonitorRecord> =>
    createMonitor(api, { keep_evidence: true, locations: ['amsterdam', 'boston'] })
  const ofMonitor = (id: string): Promise<KeptRoute[]> => readMonitorRoutes(database, secrets, id)
  const ofIncident = (id: string): Promise<KeptRoute[]> => readIncidentRoutes(database, secrets, id)
  async function count(monitorId: string): Promise<number> {
    const { rows } = await database.pool.query('select from monitor_routes where monitor_id = $1', [monitorId])
    return rows.length
  }

  it('come back as they were, and show nothing of their text', async () => {
    const { id } = await monitor()
    const route = testRoute({ end: 'unreachable', end_reason: 'prohibited', end_code: 13 })
    await keepRoute(database, secrets, { monitorId: id, location: 'boston', isFailure: true, takenAt: opened, route })
    const [kept] = await ofMonitor(id)
    assert.deepEqual(kept, {
      location: 'boston',
      locationName: kept?.locationName,
      isFailure: true,
      takenAt: opened,
      route,
      before: null,
    })
    const dump = await dumpOf(database.pool)
    const rows = Object.entries(dump).find(([name]) => name.endsWith('monitor_routes'))?.[1] ?? ''
    for (const text of ['203.0.113.7', 'prohibited', Buffer.from('203.0.113.7').toString('hex')])
      assert.ok(rows !== '' && !rows.includes(text))
  })

  it('are bound to their rows', async () => {
    const [one, other] = [await monitor(), await monitor()]
    for (const { id } of [one, other]) await keep(id)
    await database.pool.query(
      `update monitor_routes set content = (select content from monitor_routes where monitor_id = $1)
      where monitor_id = $2`,
      [one.id, other.id],
    )
    await assert.rejects(ofMonitor(other.id))
  })

  it('are one of each location while the monitor is up, the newest', async () => {
    const { id } = await monitor()
    await keep(id, { isFailure: false, hops: 1 })
    await keep(id, { isFailure: false, hops: 2, minutes: 1 })
    await keep(id, { isFailure: false, hops: 3, minutes: -1 })
    await keep(id, { isFailure: false, hops: 4, location: 'boston' })
    assert.deepEqual(lengths(await ofMonitor(id)), [
      ['amsterdam', 2, null],
      ['boston', 4, null],
    ])
    assert.equal(await count(id), 2)
  })

  it('have after a failure what the way of their location was before, also when that is another one later', async () => {
    const made = await monitor()
    const incidentId = await addRunningIncident(database, made, opened)
    await keep(made.id, { isFailure: false, hops: 1, minutes: -600 })
    await keep(made.id, { hops: 2, minutes: 1 })
    await keep(made.id, { hops: 5, minutes: 2, location: 'boston' })
    await keep(made.id, { isFailure: false, hops: 4, minutes: 60 })
    assert.deepEqual(lengths(await ofIncident(incidentId)), [
      ['amsterdam', 2, 1],
      ['boston', 5, null],
    ])
    assert.deepEqual((await ofIncident(incidentId))[0]?.before?.takenAt, minutesAfter(-600))
  })

  it('are of an incident from shortly before it opened up to its end, but not of the one before it', async () => {
    const made = await monitor()
    const first = await addRunningIncident(database, made, opened)
    for (const minutes of [-16, -14, 0, 5]) await keep(made.id, { minutes, hops: minutes + 20 })
    assert.deepEqual(
      lengths(await ofIncident(first)).map(([, hops]) => hops),
      [6, 20, 25],
    )
    await database.pool.query("update incidents set status = 'resolved', resolved_at = $2 where id = $1", [
      first,
      minutesAfter(6),
    ])
    const second = await addRunningIncident(database, made, minutesAfter(10))
    for (const minutes of [6, 7, 10]) await keep(made.id, { minutes, hops: minutes + 20 })
    assert.deepEqual(
      lengths(await ofIncident(second)).map(([, hops]) => hops),
      [27, 30],
    )
    assert.deepEqual(
      lengths(await ofIncident(first)).map(([, hops]) => hops),
      [6, 20, 25, 26],
    )
  })

  it(`are ${maxRoutesOfMonitor} of a monitor after failures, the newest, and ${maxRoutesOfIncident} of an incident`, async () => {
    const made = await monitor()
    const incidentId = await addRunningIncident(database, made, opened)
    await keep(made.id, { isFailure: false, minutes: -5 })
    for (let minutes = 0; minutes < maxRoutesOfMonitor + 3; minutes += 1) await keep(made.id, { minutes })
    assert.equal(await count(made.id), maxRoutesOfMonitor + 1)
    const kept = await ofIncident(incidentId)
    assert.deepEqual([kept.length, kept[0]?.takenAt], [maxRoutesOfIncident, minutesAfter(3)])
  })

  it('make the oldest of their workspace go when that has too much', async () => {
    const [old, fresh] = [await monitor(), await monitor()]
    await keep(old.id, { minutes: -60 })
    await database.pool.query('update monitor_routes set bytes = 20971520 where monitor_id = $1', [old.id])
    await keep(fresh.id, { minutes: 9_000 })
    assert.deepEqual([await count(old.id), await count(fresh.id)], [0, 1])
  })

  it('are kept of no monitor that is gone, keeps no evidence, or is not checked there', async () => {
    const plain = await createMonitor(api, { locations: ['amsterdam'] })
    const { id } = await monitor()
    for (const isFailure of [true, false]) {
      await keep(randomUUID(), { isFailure })
      await keep(plain.id, { isFailure })
      await keep(id, { isFailure, location: 'chennai' })
    }
    assert.deepEqual([await count(plain.id), await count(id)], [0, 0])
  })

  it('are forgotten, the oldest first, and go with their monitor and their workspace', async () => {
    const [old, deleted, fresh] = [await monitor(), await monitor(), await monitor()]
    for (const { id } of [deleted, fresh]) await keep(id, { minutes: 10_000 })
    await keep(old.id, { minutes: -50_000 })
    assert.equal(await forgetRoutes(database, minutesAfter(-49_999), 500), 1)
    await api.request('DELETE', `/monitors/${deleted.id}`)
    assert.deepEqual([await count(old.id), await count(deleted.id), await count(fresh.id)], [0, 0, 1])
    await database.transaction((tx) => deleteWorkspace(tx, { workspaceId: api.workspaceId, at: opened }))
    assert.equal(await count(fresh.id), 0)
  })
})
