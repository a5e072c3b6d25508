import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { contactSchema } from '#core/contacts/contact-record.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../../test/support/alerts.ts'
import { testApi } from '../../../test/support/api.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { startReceiver } from '../../../test/support/receiver.ts'

const one = z.strictObject({ data: contactSchema })
const refusal = z.looseObject({ fields: z.record(z.string(), z.array(z.string())) })
const words = z.strictObject({
  data: z.strictObject({ title: z.string(), body: z.string(), problems: z.record(z.string(), z.string()) }),
})
const text = z.looseObject({ text: z.string() })

describe('templates of a contact', async () => {
  const receiver = await startReceiver()
  const api = await testApi({ services: { carriers: testCarriers() } })
  const { workspaceId } = api
  beforeEach(async () => {
    receiver.received.length = 0
    await api.database.pool.query('delete from alert_channels')
  })

  const slack = { name: 'Chat', kind: 'slack', destination: receiver.url }
  const create = async (contact: object) => {
    const answer = await api.post('/alert-channels', contact)
    assert.equal(answer.status, 201, answer.text)
    return one.parse(answer.body).data
  }
  const change = async (id: string, body: object) => {
    const answer = await api.request('PATCH', `/alert-channels/${id}`, { body })
    assert.equal(answer.status, 200, answer.text)
    return one.parse(answer.body).data
  }
  const refused = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const answer = await api.request(method, path, { body })
    assert.equal(answer.status, 422, answer.text)
    return refusal.parse(answer.body).fields
  }
  const preview = async (body: object) => {
    const answer = await api.post('/alert-channels/preview', body)
    assert.equal(answer.status, 200, answer.text)
    return words.parse(answer.body).data
  }

  it('are kept, changed whole and cleared, and shown only where there are some', async () => {
    const plain = await create(slack)
    assert.deepEqual(Object.keys(plain), ['id', 'name', 'kind', 'destination', 'enabled', 'confirmed'])
    const { id, templates } = await create({ ...slack, templates: { title: '{{ event }}' } })
    assert.deepEqual(templates, { title: '{{ event }}', body: null })
    assert.deepEqual((await change(id, { name: 'Other' })).templates, templates)
    const read = await change(id, { templates: { body: '{{ link }}' } })
    assert.deepEqual(read.templates, { title: null, body: '{{ link }}' })
    assert.deepEqual(await change(id, { templates: read.templates }), read, 'it can be sent back')
    assert.ok(!('templates' in (await change(id, { templates: { title: null, body: null } }))))
    await change(id, { templates: { title: 'x' } })
    assert.ok(!('templates' in (await change(id, { templates: null }))))
  })

  it('that do not parse, or name what is not there, are refused by their name', async () => {
    const { id } = await create(slack)
    const cases: readonly [templates: object, fields: Record<string, string[]>][] = [
      [{ title: 'a {% fi %}' }, { 'templates.title': ['Line 1: tag "fi" not found.'] }],
      [
        { title: '{{ nmae }}', body: 'a\n{{ monitor.name' },
        {
          'templates.title': ['There is no field nmae.'],
          'templates.body': ['Line 2: output "{{ monitor.name" not closed.'],
        },
      ],
      [{ title: 'x'.repeat(501) }, { 'templates.title': ['Must have at most 500 characters.'] }],
      [{ body: 'x'.repeat(4001) }, { 'templates.body': ['Must have at most 4000 characters.'] }],
      [{ title: '' }, { 'templates.title': ['Must not be empty.'] }],
    ]
    for (const [templates, fields] of cases) {
      assert.deepEqual(await refused('POST', '/alert-channels', { ...slack, templates }), fields)
      assert.deepEqual(await refused('PATCH', `/alert-channels/${id}`, { templates }), fields)
    }
  })

  it('are refused for webhooks, which get the alert as it is', async () => {
    const fields = await refused('POST', '/alert-channels', {
      name: 'Hook',
      kind: 'webhook',
      destination: receiver.url,
      templates: { title: 'x' },
    })
    assert.deepEqual(Object.keys(fields), ['templates'])
    const id = await addContact(api.database, { workspaceId })
    assert.deepEqual(Object.keys(await refused('PATCH', `/alert-channels/${id}`, { templates: { title: 'x' } })), [
      'templates',
    ])
    assert.equal((await change(id, { templates: null })).kind, 'webhook')
  })

  it('make the words of a test', async () => {
    const { id } = await create({ ...slack, templates: { title: 'Own: {{ event }}', body: 'One\n\nTwo' } })
    assert.equal((await api.post(`/alert-channels/${id}/test`, undefined)).status, 200)
    assert.equal(text.parse(JSON.parse(receiver.received[0]?.body ?? '{}')).text, '*Own: test*\nOne\n\nTwo')
  })

  it('are shown on an incident that is made up, with what is wrong with them', async () => {
    const shown = await preview({ kind: 'slack', templates: { title: '{{ monitor.name }}: {{ event }}' } })
    assert.equal(shown.title, 'Shop: down')
    assert.match(shown.body, /^Shop is down\.\nCause: The server answered 503\.\nSince: /)
    assert.deepEqual(shown.problems, {})
    const up = { kind: 'email', event: 'up', templates: { title: '{{ nmae }}', body: '{{ incident.duration }}' } }
    assert.deepEqual(await preview(up), {
      title: 'Up again: Shop (was down 12 min)',
      body: '12 min',
      problems: { title: 'There is no field nmae.' },
    })
    assert.deepEqual(Object.keys(await refused('POST', '/alert-channels/preview', { ...up, kind: 'webhook' })), [
      'kind',
    ])
    assert.deepEqual(Object.keys(await refused('POST', '/alert-channels/preview', { ...up, kind: 'pigeon' })), ['kind'])
  })

  it('are shown on an incident of the workspace, as it was told or as it is kept', async () => {
    const monitorId = await addMonitor(api.database, { workspaceId })
    await addContact(api.database, { workspaceId, kind: 'slack' })
    const { incidentId: incident_id } = await addDownAlert(api.database, { workspaceId, monitorId })
    const asked = {
      kind: 'slack',
      incident_id,
      templates: { title: '{{ monitor.name }}', body: '{{ monitor.url }}|{{ incident.cause }}' },
    }
    assert.equal((await preview(asked)).body, 'https://shop.example/health|The server answered 503.')
    assert.match((await preview({ ...asked, event: 'up' })).body, /^\|The server/)
    await api.database.pool.query('delete from deliveries')
    assert.equal((await preview(asked)).body, '|The server answered 503.')
    const elsewhere = await addWorkspace(api.database)
    const monitor = await addMonitor(api.database, { workspaceId: elsewhere })
    const foreign = await addDownAlert(api.database, { workspaceId: elsewhere, monitorId: monitor })
    for (const id of [foreign.incidentId, randomUUID()])
      assert.equal((await api.post('/alert-channels/preview', { ...asked, incident_id: id })).status, 404)
  })

  it('leave nothing in the audit log where they are only looked at', async () => {
    await preview({ kind: 'slack', templates: { title: 'x' } })
    const { entries } = await listAuditEntries(api.database, { workspaceId, limit: 100, before: null })
    assert.ok(entries.length > 0)
    assert.deepEqual(
      entries.filter(({ action }) => action === 'preview_alert_templates'),
      [],
    )
  })
})
