import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { policySchema } from '#core/contacts/escalation.ts'
import { incidentDetailSchema } from '#core/incidents/incident.ts'
import { resolveIncidents } from '#store/incidents/transitions.ts'
import { addContact, addDownAlert } from '../../../test/support/alerts.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'

const one = z.object({ data: policySchema })
const incident = z.object({ data: incidentDetailSchema })
const hourMs = 3_600_000

describe('another escalation policy during an outage', async () => {
  const api = await testApi()
  const { database, workspaceId } = api
  let ann = ''
  let bob = ''
  let monitorId = ''

  beforeEach(async () => {
    for (const table of [
      'incidents',
      'deliveries',
      'monitors',
      'escalation_policies',
      'alert_channels',
      'maintenance_windows',
    ])
      await database.pool.query(`delete from ${table}`)
    ann = await addContact(database, { workspaceId, name: 'Ann' })
    bob = await addContact(database, { workspaceId, name: 'Bob' })
    monitorId = (await createMonitor(api, { name: 'Shop' })).id
  })

  const add = async (name: string, change: Record<string, unknown> = {}): Promise<string> => {
    const steps = [ann, bob].map((id, index) => ({ after_minutes: index * 10, contact_ids: [id] }))
    const answer = await api.post('/escalation-policies', { name, steps, ...change })
    assert.equal(answer.status, 201, answer.text)
    return one.parse(answer.body).data.id
  }
  const patch = async (path: string, body: Record<string, unknown>): Promise<void> => {
    const answer = await api.request('PATCH', path, { body })
    assert.equal(answer.status, 200, answer.text)
  }
  const choose = (id: string | null) => patch(`/monitors/${monitorId}`, { name: 'Shop', escalation_policy_id: id })
  const tag = (...tags: string[]) => patch(`/monitors/${monitorId}`, { name: 'Shop', tags })
  const goDown = async (): Promise<string> => (await addDownAlert(database, { workspaceId, monitorId })).incidentId
  const news = async (id: string) =>
    incident.parse((await api.get(`/incidents/${id}`)).body).data.events.filter(({ type }) => type === 'policy_changed')
  const says = async (id: string) => (await news(id)).map(({ message }) => message)
  const next = async () =>
    (await database.pool.query<{ id: string }>(`select policy_id as id from alert_steps`)).rows.map(({ id }) => id)

  it('changes nothing of it, and its timeline says so', async () => {
    const [first, second] = [await add('First'), await add('Second')]
    await choose(first)
    const id = await goDown()
    await patch(`/monitors/${monitorId}`, { name: 'Store', interval_seconds: 120 })
    assert.deepEqual(await says(id), [])
    await choose(second)
    await choose(second)
    await choose(null)
    await choose(first)
    assert.deepEqual(await says(id), [
      'The monitor has the escalation policy “Second” now. This outage continues with “First”.',
      'The monitor has no escalation policy now. This outage continues with “First”.',
      'The monitor has the escalation policy “First” again. This outage continues with it.',
    ])
    assert.deepEqual((await news(id))[0]?.details, { policy_id: second, previous_policy_id: first })
    assert.deepEqual(await next(), [first])
  })

  it('comes by tags and the default as well, of the monitor or of the policy', async () => {
    const first = await add('First', { is_default: true })
    const id = await goDown()
    const tagged = await add('Tagged', { tags: ['shop'] })
    await tag('Shop')
    await patch(`/escalation-policies/${tagged}`, { tags: ['other'] })
    await patch(`/escalation-policies/${tagged}`, { name: 'Other' })
    await patch(`/escalation-policies/${tagged}`, { is_default: true })
    await add('Newest', { is_default: true })
    assert.deepEqual(await says(id), [
      'The monitor has the escalation policy “Tagged” now. This outage continues with “First”.',
      'The monitor has the escalation policy “First” again. This outage continues with it.',
      'The monitor has the escalation policy “Other” now. This outage continues with “First”.',
      'The monitor has the escalation policy “Newest” now. This outage continues with “First”.',
    ])
    assert.deepEqual(await next(), [first])
  })

  it('waits for the next one where it began without a policy', async () => {
    const id = await goDown()
    await choose(await add('Late'))
    await choose(null)
    assert.deepEqual(await says(id), [
      'The monitor has the escalation policy “Late” now. It takes effect with the next outage.',
      'The monitor has no escalation policy now. This takes effect with the next outage.',
    ])
    assert.deepEqual(await next(), [])
  })

  it('tells it where a maintenance withholds it', async () => {
    const now = Date.now()
    const time = { startsAt: new Date(now - hourMs), endsAt: new Date(now + hourMs) }
    await planMaintenance(database, { workspaceId, occurrences: [time] })
    const id = await goDown()
    await database.pool.query('delete from deliveries')
    await database.pool.query(
      `insert into withheld_alerts (incident_id, monitor_id, alert, at) values ($1, $2, '{}', now())`,
      [id, monitorId],
    )
    await choose(await add('Late'))
    await choose(null)
    assert.deepEqual(await says(id), [
      'The monitor has the escalation policy “Late” now. It alerts if this outage outlasts the maintenance.',
      'The monitor has no escalation policy now. The contacts of the monitor are alerted if this outage outlasts the maintenance.',
    ])
  })

  it('is nothing to outages that a person acknowledged, that are over, or of other monitors', async () => {
    const [first, second] = [await add('First', { is_default: true }), await add('Second')]
    const id = await goDown()
    const { id: other } = await createMonitor(api, { name: 'Blog' })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId: other })
    assert.equal((await api.post(`/incidents/${id}/acknowledge`)).status, 200)
    await choose(second)
    await database.transaction((tx) => resolveIncidents(tx, [{ incidentId: id, at: new Date(), message: 'Up.' }]))
    await choose(first)
    assert.deepEqual([await says(id), await says(incidentId)], [[], []])
  })
})
