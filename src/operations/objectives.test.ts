import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { dayMs } from '#core/language/utc-day.ts'
import { sloDetailSchema, sloSchema } from '#core/objectives/slo.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { addContact } from '../../test/support/alerts.ts'
import { testApi } from '../../test/support/api.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { givePast } from '../../test/support/objectives.ts'

const one = z.strictObject({ data: sloSchema })
const detail = z.strictObject({ data: sloDetailSchema })
const many = z.strictObject({ data: z.array(sloSchema) })
const refusal = z.looseObject({ error: z.string(), fields: z.record(z.string(), z.array(z.string())).optional() })

describe('service level objectives', async () => {
  const now = new Date()
  const api = await testApi({ maxConnections: 5, now: () => now })
  const { database, workspaceId } = api
  const shop = await createMonitor(api, { name: 'Shop', tags: ['production'] })
  const blog = await createMonitor(api, { name: 'Blog' })
  const ann = await addContact(database, { workspaceId, name: 'Ann' })
  const other = await api.addWorkspace()

  beforeEach(async () => {
    await database.pool.query('delete from slos')
  })

  const given = { name: 'Checkout', monitor_ids: [shop.id], objective: 99.9 }
  const create = async (change: Record<string, unknown> = {}) => {
    const answer = await api.post('/slos', { ...given, ...change })
    assert.equal(answer.status, 201, answer.text)
    return one.parse(answer.body).data
  }
  const patch = (id: string, body: unknown) => api.request('PATCH', `/slos/${id}`, { body })

  it('are made, read, changed, listed and deleted', async () => {
    const made = await create()
    const usual = { tags: [], window_days: 30, alerts: false, alert_channel_ids: null, alarm: null, monitor_count: 1 }
    assert.partialDeepStrictEqual(made, { ...given, ...usual, escalation_policy_id: null })
    const { monitors, ...read } = detail.parse((await api.get(`/slos/${made.id}`)).body).data
    assert.deepEqual([read, monitors.length], [made, 1])
    assert.deepEqual(many.parse((await api.get('/slos')).body).data, [made])
    const changed = one.parse((await patch(made.id, { objective: 99.95, alert_channel_ids: [ann] })).body).data
    assert.deepEqual([changed.objective, changed.alert_channel_ids, changed.name], [99.95, [ann], 'Checkout'])
    assert.equal((await api.request('DELETE', `/slos/${made.id}`)).status, 204)
    assert.equal((await api.get(`/slos/${made.id}`)).status, 404)
    assert.deepEqual(many.parse((await api.get('/slos')).body).data, [])
    const { entries } = await listAuditEntries(database, { workspaceId, before: null, limit: 100 })
    const actions = entries.flatMap(({ action, target }) => (target.kind === 'slo' ? [action] : []))
    assert.deepEqual(actions.slice(0, 3), ['delete_slo', 'update_slo', 'create_slo'])
  })

  it('say how they stand, and which monitor took what', async () => {
    const nowMs = now.getTime()
    const sinceMs = nowMs - 100 * dayMs
    await givePast(database, shop.id, {
      sinceMs,
      nowMs,
      outages: [[nowMs - 10 * dayMs - 1_296_000, nowMs - 10 * dayMs]],
    })
    await givePast(database, blog.id, { sinceMs, nowMs })
    const { id } = await create({ monitor_ids: [blog.id, shop.id] })
    const { state, monitors } = detail.parse((await api.get(`/slos/${id}`)).body).data
    assert.deepEqual(
      [state.attained, state.is_met, state.measured_seconds, state.down_seconds],
      [99.975, true, 2 * 30 * 86_400, 1296],
    )
    assert.deepEqual(state.budget, {
      total_seconds: 5184,
      used_seconds: 1296,
      left_seconds: 3888,
      left_percent: 75,
      ends_at: null,
    })
    assert.deepEqual(
      monitors.map(({ name, budget_percent: part }) => [name, part]),
      [
        ['Shop', 25],
        ['Blog', 0],
      ],
    )
  })

  it('are unknown where nothing was measured yet', async () => {
    const { id } = await createMonitor(api, { name: 'New' })
    const { state } = await create({ monitor_ids: [id] })
    assert.deepEqual([state.measured_from, state.attained, state.is_met, state.budget], [null, null, null, null])
  })

  it('choose monitors by their ids or by tags, and one takes the place of the other', async () => {
    const { id } = await create()
    const byTag = one.parse((await patch(id, { tags: ['Production'] })).body).data
    assert.deepEqual([byTag.monitor_ids, byTag.tags, byTag.monitor_count], [null, ['Production'], 1])
    const byId = one.parse((await patch(id, { monitor_ids: [blog.id, shop.id] })).body).data
    assert.deepEqual([byId.monitor_ids, byId.tags], [[blog.id, shop.id], []])
    const { id: _id, monitor_count: _count, alarm: _alarm, state: _state, created_at: _at, ...sent } = byId
    assert.equal((await patch(id, sent)).status, 200)
  })

  const refused: [name: string, change: Record<string, unknown>, field: string][] = [
    ['monitors and tags', { tags: ['a'] }, 'monitor_ids'],
    ['neither monitors nor tags', { monitor_ids: null }, 'monitor_ids'],
    ['no monitors', { monitor_ids: [] }, 'monitor_ids'],
    ['a monitor that is not there', { monitor_ids: [randomUUID()] }, 'monitor_ids'],
    ['101 monitors', { monitor_ids: Array.from({ length: 101 }, () => randomUUID()) }, 'monitor_ids'],
    ['less than 50 percent', { objective: 49.999 }, 'objective'],
    ['100 percent', { objective: 100 }, 'objective'],
    ['four decimals', { objective: 99.9991 }, 'objective'],
    ['a window of 0 days', { window_days: 0 }, 'window_days'],
    ['a window of 91 days', { window_days: 91 }, 'window_days'],
    ['half a day', { window_days: 1.5 }, 'window_days'],
    ['a contact that is not there', { alert_channel_ids: [randomUUID()] }, 'alert_channel_ids'],
    ['an escalation policy that is not there', { escalation_policy_id: randomUUID() }, 'escalation_policy_id'],
    ['no name', { name: '' }, 'name'],
  ]
  for (const [name, change, field] of refused)
    it(`are refused with ${name}`, async () => {
      const answer = await api.post('/slos', { ...given, ...change })
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(Object.keys(refusal.parse(answer.body).fields ?? {}), [field])
    })

  for (const objective of [50, 99, 99.9, 99.95, 99.999])
    it(`may be ${objective} percent`, async () => assert.equal((await create({ objective })).objective, objective))

  for (const body of [{}, { monitor_ids: null }, { tags: [] }, { monitor_ids: null, tags: [] }])
    it(`are not changed by ${JSON.stringify(body)}`, async () => {
      const { id, name } = await create()
      const { status } = await patch(id, body)
      const after = detail.parse((await api.get(`/slos/${id}`)).body).data
      assert.deepEqual([after.monitor_ids, after.tags, after.name], [[shop.id], [], name])
      assert.equal(status, 'tags' in body && !('monitor_ids' in body) ? 200 : 422)
    })

  const policyOf = async (of: { workspaceId: string; token: string }) => {
    const contact = await addContact(database, { workspaceId: of.workspaceId, name: 'Bob' })
    const steps = [{ after_minutes: 0, contact_ids: [contact] }]
    const answer = await api.post('/escalation-policies', { name: 'Ops', steps }, { token: of.token })
    assert.equal(answer.status, 201, answer.text)
    return z.object({ data: z.object({ id: z.uuid() }) }).parse(answer.body).data.id
  }

  it('name an escalation policy of their workspace', async () => {
    const [own, foreign] = [await policyOf(api), await policyOf(other)]
    const { id } = await create({ escalation_policy_id: own })
    const answer = await patch(id, { escalation_policy_id: foreign })
    assert.deepEqual(
      [answer.status, Object.keys(refusal.parse(answer.body).fields ?? {})],
      [422, ['escalation_policy_id']],
    )
    assert.equal(one.parse((await patch(id, { name: 'Shop' })).body).data.escalation_policy_id, own)
    assert.equal((await api.request('DELETE', `/escalation-policies/${own}`)).status, 204)
    assert.equal(detail.parse((await api.get(`/slos/${id}`)).body).data.escalation_policy_id, null)
  })

  it('have an alarm that can be acknowledged, once', async () => {
    const { id } = await create({ alerts: true })
    const acknowledge = (sent: { token?: string } = {}) => api.post(`/slos/${id}/acknowledge`, undefined, sent)
    assert.equal(one.parse((await acknowledge()).body).data.alarm, null)
    await database.pool.query(`update slos set alarm = 'burning', alarm_id = gen_random_uuid(), alarm_at = $1`, [now])
    const since = now.toISOString()
    const burns = { reason: 'burning', since, acknowledged_at: null, acknowledged_by: null }
    assert.deepEqual(detail.parse((await api.get(`/slos/${id}`)).body).data.alarm, burns)
    assert.deepEqual(
      [(await acknowledge({ token: other.token })).status, (await acknowledge({ token: api.readToken })).status],
      [404, 403],
    )
    const first = await acknowledge()
    const { alarm } = one.parse(first.body).data
    assert.deepEqual([first.status, alarm], [200, { ...burns, acknowledged_at: since, acknowledged_by: alarm?.acknowledged_by }]) // prettier-ignore
    assert.notEqual(alarm?.acknowledged_by ?? '', '')
    assert.deepEqual(one.parse((await acknowledge()).body).data.alarm, alarm)
    const { entries } = await listAuditEntries(database, { workspaceId, before: null, limit: 100 })
    const acknowledged = entries.filter(({ action, target }) => action === 'acknowledge_slo' && target.id === id)
    assert.equal(acknowledged.length, 1)
  })

  it('are of their workspace', async () => {
    const { id } = await create()
    const { token } = other
    assert.equal((await api.get(`/slos/${id}`, { token })).status, 404)
    assert.equal((await api.request('PATCH', `/slos/${id}`, { token, body: { name: 'x' } })).status, 404)
    assert.equal((await api.request('DELETE', `/slos/${id}`, { token })).status, 404)
    assert.deepEqual(many.parse((await api.get('/slos', { token })).body).data, [])
    assert.equal((await api.post('/slos', given, { token })).status, 422)
    assert.equal((await api.post('/slos', given, { token: api.readToken })).status, 403)
  })

  it('are a hundred at most', async () => {
    await Promise.all(Array.from({ length: 100 }, () => create()))
    const answer = await api.post('/slos', given)
    assert.deepEqual([answer.status, refusal.parse(answer.body).error], [422, 'limit_reached'])
  })
})
