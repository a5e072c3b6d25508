import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { policySchema } from '#core/contacts/escalation.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { addContact, addWorkspace } from '../../../test/support/alerts.ts'
import { testApi } from '../../../test/support/api.ts'

const one = z.strictObject({ data: policySchema })
const many = z.strictObject({ data: z.array(policySchema) })
const refusal = z.looseObject({ error: z.string(), fields: z.record(z.string(), z.array(z.string())).optional() })

describe('escalation policies', async () => {
  const api = await testApi()
  let ann = ''

  beforeEach(async () => {
    await api.database.pool.query('delete from escalation_policies')
    await api.database.pool.query('delete from alert_channels')
    ann = await addContact(api.database, { workspaceId: api.workspaceId, name: 'Ann' })
  })

  const policyOf = (change: Record<string, unknown> = {}) => ({
    name: 'Operations',
    steps: [{ after_minutes: 0, contact_ids: [ann], schedule_ids: [] }],
    ...change,
  })
  const create = async (change: Record<string, unknown> = {}) => {
    const answer = await api.post('/escalation-policies', policyOf(change))
    assert.equal(answer.status, 201, answer.text)
    return one.parse(answer.body).data
  }
  const list = async () => many.parse((await api.get('/escalation-policies')).body).data

  it('are made, read, changed, listed and deleted', async () => {
    const made = await create()
    assert.deepEqual(made, { id: made.id, ...policyOf(), repeats: 0, is_default: false, tags: [] })
    assert.deepEqual(one.parse((await api.get(`/escalation-policies/${made.id}`)).body).data, made)
    const changed = await api.request('PATCH', `/escalation-policies/${made.id}`, { body: { repeats: 3 } })
    assert.deepEqual(one.parse(changed.body).data, { ...made, repeats: 3 })
    const { id, ...sent } = one.parse(changed.body).data
    assert.equal((await api.request('PATCH', `/escalation-policies/${id}`, { body: sent })).status, 200)
    assert.deepEqual(await list(), [{ id, ...sent }])
    assert.equal((await api.request('DELETE', `/escalation-policies/${id}`)).status, 204)
    assert.deepEqual(await list(), [])
    assert.equal((await api.get(`/escalation-policies/${id}`)).status, 404)
    const { entries } = await listAuditEntries(api.database, {
      workspaceId: api.workspaceId,
      before: null,
      limit: 100,
    })
    const actions = entries.flatMap(({ action, target }) => (target.kind === 'escalation_policy' ? [action] : []))
    assert.deepEqual(actions.slice(0, 2), ['delete_escalation_policy', 'update_escalation_policy'])
  })

  it('name only contacts of the workspace, but keep those that were deleted', async () => {
    const stranger = await addContact(api.database, { workspaceId: await addWorkspace(api.database) })
    for (const id of [stranger, randomUUID()]) {
      const steps = [
        { after_minutes: 0, contact_ids: [ann] },
        { after_minutes: 5, contact_ids: [id] },
      ]
      const refused = await api.post('/escalation-policies', policyOf({ steps }))
      assert.equal(refused.status, 422)
      assert.deepEqual(Object.keys(refusal.parse(refused.body).fields ?? {}), ['steps.1.contact_ids'])
    }
    const { id, ...sent } = await create()
    assert.equal((await api.request('DELETE', `/alert-channels/${ann}`)).status, 204)
    assert.equal((await api.request('PATCH', `/escalation-policies/${id}`, { body: sent })).status, 200)
  })

  it('are fifty at most', async () => {
    for (let count = 0; count < 50; count += 1) await create({ name: `Policy ${count}` })
    const refused = await api.post('/escalation-policies', policyOf())
    assert.deepEqual([refused.status, refusal.parse(refused.body).error], [422, 'limit_reached'])
  })

  it('of which one is the default', async () => {
    const first = await create({ is_default: true })
    const second = await create({ is_default: true })
    assert.deepEqual(
      (await list()).map(({ id, is_default: is }) => [id, is]),
      [
        [first.id, false],
        [second.id, true],
      ],
    )
  })

  it('are named by monitors of their workspace', async () => {
    const { id } = await create()
    const monitor = { name: 'Shop', url: 'https://shop.example' }
    const made = await api.post('/monitors', { ...monitor, escalation_policy_id: id })
    assert.equal(made.status, 201, made.text)
    assert.match(made.text, new RegExp(`"escalation_policy_id":"${id}"`))
    const refused = await api.post('/monitors', { ...monitor, escalation_policy_id: randomUUID() })
    assert.deepEqual(Object.keys(refusal.parse(refused.body).fields ?? {}), ['escalation_policy_id'])
  })

  it('of others are not there', async () => {
    const { id } = await create()
    await api.database.pool.query('update escalation_policies set workspace_id = $1', [
      await addWorkspace(api.database),
    ])
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { body: { name: 'Mine' } } : {}
      assert.equal((await api.request(method, `/escalation-policies/${id}`, body)).status, 404)
    }
    assert.deepEqual(await list(), [])
  })
})
