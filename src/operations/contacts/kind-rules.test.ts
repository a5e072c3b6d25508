import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { contactSchema } from '#core/contacts/contact-record.ts'
import { contactApi } from '../../../test/support/contact-api.ts'

const one = z.object({ data: contactSchema })
const refusal = z.looseObject({ fields: z.record(z.string(), z.array(z.string())) })
const rules = { bundle: true }
const webhook = { name: 'Program', kind: 'webhook', destination: 'https://alerts.example/in' }
const others = [
  { kind: 'pagerduty', destination: 'Service Shop', options: { routing_key: 'R'.repeat(32) } },
  { kind: 'alertmanager', destination: 'on-call', options: { server: 'https://alertmanager.example' } },
]

describe('alerts as one message', async () => {
  const { api } = await contactApi()
  beforeEach(() => api.database.pool.query('delete from alert_channels'))

  it('are chosen for a contact, and not unless asked for', async () => {
    const plain = one.parse((await api.post('/alert-channels', webhook)).body).data
    assert.equal('alert_rules' in plain, false)
    const made = one.parse((await api.post('/alert-channels', { ...webhook, alert_rules: rules })).body).data
    assert.deepEqual(made.alert_rules, rules)
    const changed = await api.request('PATCH', `/alert-channels/${plain.id}`, { body: { alert_rules: rules } })
    assert.deepEqual(one.parse(changed.body).data.alert_rules, rules)
  })

  for (const other of others)
    it(`are refused for ${other.kind}, by the name of the field`, async () => {
      const input = { name: 'On call', ...other }
      const answer = await api.post('/alert-channels', { ...input, alert_rules: rules })
      assert.equal(answer.status, 422)
      assert.deepEqual(Object.keys(refusal.parse(answer.body).fields), ['alert_rules.bundle'])
      const off = { bundle: false, after_minutes: 5 }
      const { id } = one.parse((await api.post('/alert-channels', { ...input, alert_rules: off })).body).data
      const changed = await api.request('PATCH', `/alert-channels/${id}`, { body: { alert_rules: rules } })
      assert.deepEqual(Object.keys(refusal.parse(changed.body).fields), ['alert_rules.bundle'])
    })
})

describe('alerts of planned maintenance', async () => {
  const { api } = await contactApi()
  const told = { events: ['down', 'maintenance'] }

  it('are chosen by name', async () => {
    const made = one.parse((await api.post('/alert-channels', { ...webhook, alert_rules: told })).body).data
    assert.deepEqual(made.alert_rules, told)
  })

  for (const other of others)
    it(`are refused for ${other.kind}, by the name of the field`, async () => {
      const answer = await api.post('/alert-channels', { name: 'On call', ...other, alert_rules: told })
      assert.deepEqual([answer.status, Object.keys(refusal.parse(answer.body).fields)], [422, ['alert_rules.events']])
    })
})
