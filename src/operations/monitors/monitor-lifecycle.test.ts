import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type Verdict, noPhases } from '#core/results/result.ts'
import { storeResults } from '#store/results/store-batch.ts'
import { forgetMonitor } from '#jobs/forget-monitor.ts'
import { testApi } from '../../../test/support/api.ts'
import {
  addResults,
  addRunningIncident,
  createMonitor,
  monitorOf,
  openRunningIncident,
  refusalOf,
} from '../../../test/support/monitors.ts'
import { until } from '../../../test/support/until.ts'
import { incidentOperations } from '#operations/incidents/incidents.ts'
import { monitorOperations } from './monitors.ts'

const heldBack = z.object({ held_back: z.object({ error: z.string(), message: z.string() }).optional() })
const operations = [...monitorOperations, ...incidentOperations]
const now = new Date('2026-11-21T12:00:00.000Z')
const before = new Date('2026-11-21T11:50:00.000Z')

describe('pausing and resuming', async () => {
  const api = await testApi({ maxConnections: 5, operations, now: () => now })

  it('stops the checks and resolves the running incident without an alert', async () => {
    const monitor = await createMonitor(api)
    const incidentId = await addRunningIncident(api.database, monitor, before)
    const paused = monitorOf(await api.post(`/monitors/${monitor.id}/pause`))
    assert.deepEqual(
      [paused.status, paused.current_status, paused.consecutive_failures, paused.next_check_at],
      ['paused', 'pending', 0, null],
    )
    const incident = await api.get(`/incidents/${incidentId}`)
    assert.match(
      incident.text,
      /"status":"resolved".*"resolved_at":"2026-11-21T12:00:00.000Z".*The monitor was paused\./,
    )
    const deliveries = await api.database.query.selectFrom('deliveries').select('id').execute()
    assert.deepEqual(deliveries, [])
  })

  it('begins anew on resume', async () => {
    const { id } = await createMonitor(api)
    await api.post(`/monitors/${id}/pause`)
    const resumed = monitorOf(await api.post(`/monitors/${id}/resume`))
    assert.deepEqual([resumed.status, resumed.current_status], ['enabled', 'pending'])
    assert.notEqual(resumed.next_check_at, null)
    const again = await api.post(`/monitors/${id}/resume`)
    assert.equal(heldBack.parse(again.body).held_back, undefined)
  })

  it('changes nothing the second time', async () => {
    const { id } = await createMonitor(api)
    const versions: number[] = []
    for (const verb of ['resume', 'pause', 'pause', 'resume', 'resume']) {
      const announced = api.changes.length
      assert.equal((await api.post(`/monitors/${id}/${verb}`)).status, 200)
      const { version } = await api.database.query
        .selectFrom('monitors')
        .select('version')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      versions.push(version, api.changes.length - announced)
    }
    assert.deepEqual(versions, [1, 0, 2, 1, 2, 0, 3, 1, 3, 0])
  })

  it('leaves a monitor paused that was paused for non-payment', async () => {
    const { id } = await createMonitor(api)
    await api.database.query
      .updateTable('monitors')
      .set({ status: 'paused', pause_reason: 'non_payment', billing_state: 'overdue' })
      .where('id', '=', id)
      .execute()
    const answer = await api.post(`/monitors/${id}/resume`)
    assert.deepEqual(
      [answer.status, monitorOf(answer).status, monitorOf(answer).billing_state],
      [200, 'paused', 'overdue'],
    )
    const message = 'This monitor is not paid for. Renew it to resume its checks.'
    assert.deepEqual(heldBack.parse(answer.body).held_back, { error: 'payment_required', message })
  })
})

describe('deleting a monitor', async () => {
  const api = await testApi({ maxConnections: 5, operations, now: () => now })

  it('resolves and keeps its incidents, and ends everything else', async () => {
    const monitor = await createMonitor(api)
    await addResults(api.database, monitor.id, [{ at: before }, { at: before, location: 'boston' }])
    const incidentId = await addRunningIncident(api.database, monitor, before)
    const deleted = await api.request('DELETE', `/monitors/${monitor.id}`)
    assert.deepEqual([deleted.status, deleted.text], [204, ''])
    assert.deepEqual(refusalOf(await api.get(`/monitors/${monitor.id}`)), [404, 'not_found'])
    assert.match((await api.get(`/incidents/${incidentId}`)).text, /"status":"resolved".*The monitor was deleted\./)
    for (const table of ['monitors', 'monitor_state', 'uptime_days', 'problems'] as const)
      assert.deepEqual(await api.database.query.selectFrom(table).selectAll().execute(), [], table)
    assert.equal(api.changes.at(-1)?.monitorId, monitor.id)
  })

  it('leaves the results to a job that removes them and no others', async () => {
    const [gone, kept] = [await createMonitor(api), await createMonitor(api)]
    const checks = Array.from({ length: 50 }, (_, index) => ({ at: new Date(before.getTime() + index * 1000) }))
    await addResults(api.database, gone.id, checks)
    await addResults(api.database, kept.id, checks)
    const { key } = await api.database.query
      .selectFrom('monitors')
      .select('key')
      .where('id', '=', gone.id)
      .executeTakeFirstOrThrow()
    await api.request('DELETE', `/monitors/${gone.id}`)
    const { rows } = await api.database.pool.query<{ payload: unknown }>(
      `select payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'forget_monitor' and payload ->> 'monitor_key' = $1`,
      [key],
    )
    assert.equal(rows.length, 1)
    await forgetMonitor(api.database, rows[0]?.payload)
    await forgetMonitor(api.database, rows[0]?.payload)
    const left = await api.database.query
      .selectFrom('results')
      .select('monitor_key')
      .where('monitor_key', '=', key)
      .execute()
    assert.equal(left.length, 0)
    const others = await api.database.query
      .selectFrom('results')
      .select('monitor_key')
      .where('monitor_key', '<>', key)
      .execute()
    assert.ok(others.length >= 50)
  })

  it('waits for what the engine is writing, and ends the incident that it opens', async () => {
    const monitor = await createMonitor(api)
    const { key, partition } = await api.database.query
      .selectFrom('monitors')
      .select(['key', 'partition'])
      .where('id', '=', monitor.id)
      .executeTakeFirstOrThrow()
    const verdict: Verdict = {
      status: 'down',
      statusCode: null,
      latencyMs: null,
      error: 'refused',
      phases: noPhases,
      details: {},
    }
    const result = { monitorKey: Number(key), version: 1, round: before.getTime() * 1000, locationId: 1, verdict }
    const { deleting, incidentId } = await api.database.transaction(async (tx) => {
      await storeResults(tx, [{ partition, epoch: 0 }], [result])
      const asked = api.request('DELETE', `/monitors/${monitor.id}`)
      await until('the delete waits for a lock', async () => {
        const waiting = await api.database.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return waiting.rowCount === 1
      })
      return { deleting: asked, incidentId: await openRunningIncident(tx, monitor, before) }
    })
    assert.equal((await deleting).status, 204)
    assert.match((await api.get(`/incidents/${incidentId}`)).text, /"status":"resolved"/)
  })

  it('answers one of twenty at once with 204, the others with 404', async () => {
    const { id } = await createMonitor(api)
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.request('DELETE', `/monitors/${id}`)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [204, ...Array.from({ length: 19 }, () => 404)])
  })

  it('gets along with changes, pauses and resumes of the same moment', async () => {
    const { id } = await createMonitor(api)
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () =>
        api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', timeout_ms: 700 } }),
      ),
      ...Array.from({ length: 5 }, () => api.post(`/monitors/${id}/pause`)),
      ...Array.from({ length: 5 }, () => api.post(`/monitors/${id}/resume`)),
      api.request('DELETE', `/monitors/${id}`),
    ])
    assert.ok(
      answers.every(({ status }) => [200, 204, 404].includes(status)),
      answers.map(({ text }) => text).join(),
    )
    assert.equal((await api.get(`/monitors/${id}`)).status, 404)
  })
})
