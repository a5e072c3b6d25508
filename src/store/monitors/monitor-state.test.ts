import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { addRunningIncident, createMonitor, openRunningIncident } from '../../../test/support/monitors.ts'
import { until } from '../../../test/support/until.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { type StateChange, writeStates } from '#store/results/store-batch.ts'
import { refreshVersion, restartMonitors } from './monitor-state.ts'

describe('restarting a monitor', async () => {
  const api = await testApi({ maxConnections: 3, operations: monitorOperations })
  const { database } = api
  const at = new Date('2026-11-21T12:00:00Z')
  const before = new Date('2026-11-21T11:00:00Z')

  async function rowOf(id: string) {
    const { rows } = await database.pool.query<Record<string, unknown>>(
      `select m.version as monitor_version, s.version, s.current_status, s.consecutive_failures, s.consecutive_successes,
        s.round_at, s.incident_id, s.problem_at, s.monitor_key::integer as key
      from monitors m join monitor_state s on s.monitor_key = m.key where m.id = $1`,
      [id],
    )
    return rows[0] ?? assert.fail()
  }

  it('raises both versions, zeroes the streaks and folds no earlier round', async () => {
    const monitor = await createMonitor(api)
    await addRunningIncident(database, monitor, before)
    await database.transaction((tx) => restartMonitors(tx, { monitorIds: [monitor.id], at, reason: 'Test.' }))
    const { key: _key, round_at: _round, ...row } = await rowOf(monitor.id)
    assert.deepEqual(row, {
      monitor_version: 2,
      version: 2,
      current_status: 'pending',
      consecutive_failures: 0,
      consecutive_successes: 0,
      incident_id: null,
      problem_at: null,
    })
  })

  for (const minutes of [-1, 1])
    it(`folds no round of before and every round of after, for a caller whose clock is ${minutes} min off`, async () => {
      const monitor = await createMonitor(api)
      const clock = 'select clock_timestamp() as now'
      const earlier = (await database.pool.query<{ now: Date }>(clock)).rows[0]?.now ?? assert.fail()
      const wrong = new Date(earlier.getTime() + minutes * 60_000)
      await database.transaction((tx) => restartMonitors(tx, { monitorIds: [monitor.id], at: wrong, reason: 'Test.' }))
      const { round_at: folded } = await rowOf(monitor.id)
      const later = (await database.pool.query<{ now: Date }>(clock)).rows[0]?.now ?? assert.fail()
      assert.ok(folded instanceof Date && folded >= earlier && folded <= later)
    })

  it('never moves the last folded round back', async () => {
    const monitor = await createMonitor(api)
    const later = new Date('2099-01-01T00:00:00Z')
    await addRunningIncident(database, monitor, later)
    await database.transaction((tx) => restartMonitors(tx, { monitorIds: [monitor.id], at, reason: 'Test.' }))
    assert.deepEqual((await rowOf(monitor.id))['round_at'], later)
    const problems = await database.query
      .selectFrom('problems')
      .select(['started_at', 'ended_at'])
      .where('started_at', '=', later)
      .execute()
    assert.deepEqual(problems, [{ started_at: later, ended_at: later }])
  })

  it('keeps a fold of the version before from being written', async () => {
    const monitor = await createMonitor(api)
    const { key } = await rowOf(monitor.id)
    await database.transaction((tx) => restartMonitors(tx, { monitorIds: [monitor.id], at, reason: 'Test.' }))
    const fold: StateChange = {
      monitorKey: Number(key),
      version: 1,
      status: 'down',
      failures: 1,
      successes: 0,
      round: at.getTime() * 1000,
      incidentId: null,
      problemAt: null,
      deadline: null,
    }
    const written = await database.transaction((tx) => writeStates(tx, [fold]))
    assert.deepEqual([written, (await rowOf(monitor.id))['current_status']], [new Set(), 'pending'])
  })

  it('waits for a fold under way and resolves the incident that it opens', async () => {
    const monitor = await createMonitor(api)
    const { key } = await rowOf(monitor.id)
    const { restarted, incidentId } = await database.transaction(async (tx) => {
      await tx.query
        .selectFrom('monitor_state')
        .select('version')
        .where('monitor_key', '=', String(key))
        .forUpdate()
        .execute()
      const restart = { monitorIds: [monitor.id], at, reason: 'Test.' }
      const waiting = database.transaction((other) => restartMonitors(other, restart))
      await untilSomebodyWaits()
      return { restarted: waiting, incidentId: await openRunningIncident(tx, monitor, before) }
    })
    await restarted
    const incident = await database.query
      .selectFrom('incidents')
      .select('status')
      .where('id', '=', incidentId)
      .executeTakeFirst()
    assert.equal(incident?.status, 'resolved')
    assert.equal((await rowOf(monitor.id))['current_status'], 'pending')
  })

  function untilSomebodyWaits(): Promise<void> {
    return until('the restart waits for a lock', async () => {
      const waiting = await database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return waiting.rowCount !== 0
    })
  }

  it('leaves the streaks alone when only settings changed', async () => {
    const monitor = await createMonitor(api)
    const incidentId = await addRunningIncident(database, monitor, before)
    await database.transaction((tx) => refreshVersion(tx, monitor.id))
    const row = await rowOf(monitor.id)
    assert.deepEqual(
      [row['version'], row['monitor_version'], row['current_status'], row['consecutive_failures'], row['incident_id']],
      [2, 2, 'down', 3, incidentId],
    )
  })
})
