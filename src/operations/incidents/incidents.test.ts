import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { incidentDetailSchema, incidentSchema } from '#core/incidents/incident.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { addIncident, addRunningIncident, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { incidentOperations } from './incidents.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'

const operations = [...monitorOperations, ...incidentOperations]
const now = new Date('2026-11-21T12:00:00.000Z')
const before = new Date('2026-11-21T11:50:00.000Z')

function at(index: number): string {
  return new Date(before.getTime() + index * 1000).toISOString()
}

async function detailOf(api: TestApi, id: string) {
  const answer = await api.get(`/incidents/${id}`)
  assert.equal(answer.status, 200)
  return z.object({ data: incidentDetailSchema }).parse(answer.body).data
}

async function list(api: TestApi, token = api.token) {
  const answer = await api.get('/incidents', { token })
  return z.object({ data: z.array(incidentSchema) }).parse(answer.body).data
}

describe('incidents', async () => {
  const api = await testApi({ maxConnections: 5, operations, now: () => now })

  it('are shown with their events, oldest first', async () => {
    const monitor = await createMonitor(api)
    const id = await addRunningIncident(api.database, monitor, before)
    await api.post(`/incidents/${id}/acknowledge`)
    const { events, ...incident } = await detailOf(api, id)
    assert.deepEqual(incident, {
      id,
      monitor_id: monitor.id,
      monitor_name: 'Shop',
      status: 'acknowledged',
      title: 'Shop is down',
      cause: 'The connection was refused.',
      started_at: before.toISOString(),
      resolved_at: null,
      assignee: null,
      by_hand: false,
    })
    const [opened, acknowledged] = events
    assert.deepEqual([opened?.type, opened?.actor, opened?.at], ['opened', null, before.toISOString()])
    assert.deepEqual(opened?.details, { location_code: 'amsterdam', error: 'The connection was refused.' })
    assert.deepEqual(
      [acknowledged?.type, acknowledged?.at, acknowledged?.details],
      ['acknowledged', now.toISOString(), {}],
    )
    assert.equal(typeof acknowledged?.actor, 'string')
    assert.equal(events.length, 2)
  })

  it('keep the order of events of the same moment', async () => {
    const id = await addRunningIncident(api.database, await createMonitor(api), now)
    await api.post(`/incidents/${id}/acknowledge`)
    assert.deepEqual(
      (await detailOf(api, id)).events.map(({ type }) => type),
      ['opened', 'acknowledged'],
    )
  })

  it('are acknowledged once, by one of twenty at once', async () => {
    const id = await addRunningIncident(api.database, await createMonitor(api), before)
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(`/incidents/${id}/acknowledge`)))
    for (const { status, text } of answers) {
      assert.equal(status, 200)
      assert.match(text, /"status":"acknowledged"/)
    }
    assert.deepEqual(
      (await detailOf(api, id)).events.map(({ type }) => type),
      ['opened', 'acknowledged'],
    )
  })

  it('stay resolved when they are acknowledged afterwards', async () => {
    const monitor = await createMonitor(api)
    const id = await addRunningIncident(api.database, monitor, before)
    await api.post(`/monitors/${monitor.id}/pause`)
    const resolved = await detailOf(api, id)
    const answer = await api.post(`/incidents/${id}/acknowledge`)
    assert.equal(answer.status, 200)
    assert.deepEqual(await detailOf(api, id), resolved)
    assert.equal(resolved.status, 'resolved')
  })

  it('keep the name their monitor had', async () => {
    const monitor = await createMonitor(api, { name: 'Old name' })
    const id = await addRunningIncident(api.database, monitor, before)
    await api.request('PATCH', `/monitors/${monitor.id}`, { body: { name: 'New name' } })
    assert.equal((await detailOf(api, id)).monitor_name, 'Old name')
  })

  it('are read by a read token and acknowledged by a write token only', async () => {
    const id = await addRunningIncident(api.database, await createMonitor(api), before)
    const sent = { token: api.readToken }
    assert.equal((await api.get('/incidents', sent)).status, 200)
    assert.equal((await api.get(`/incidents/${id}`, sent)).status, 200)
    assert.deepEqual(refusalOf(await api.post(`/incidents/${id}/acknowledge`, undefined, sent)), [
      403,
      'insufficient_scope',
    ])
    assert.equal((await detailOf(api, id)).status, 'open')
  })

  it('belong to their workspace', async () => {
    const id = await addRunningIncident(api.database, await createMonitor(api), before)
    const { token } = await api.addWorkspace()
    assert.deepEqual(await list(api, token), [])
    for (const unknown of [id, randomUUID(), 'nonsense']) {
      assert.deepEqual(refusalOf(await api.get(`/incidents/${unknown}`, { token })), [404, 'not_found'])
      assert.deepEqual(refusalOf(await api.post(`/incidents/${unknown}/acknowledge`, undefined, { token })), [
        404,
        'not_found',
      ])
    }
    assert.equal((await detailOf(api, id)).status, 'open')
  })
})

describe('the list of incidents', async () => {
  const api = await testApi({ maxConnections: 5, operations })

  it('has the newest 500, newest first', async () => {
    assert.deepEqual(await list(api), [])
    const monitor = await createMonitor(api)
    for (let index = 0; index <= 500; index += 1)
      await addIncident(api.database, monitor, { startedAt: at(index), resolvedAt: at(index) })
    const incidents = await list(api)
    assert.equal(incidents.length, 500)
    assert.deepEqual([incidents[0]?.started_at, incidents[499]?.started_at], [at(500), at(1)])
  })
})
